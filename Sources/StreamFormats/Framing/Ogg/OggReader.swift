/// Takes Ogg apart: pages in, the packets of the first audio stream of each link out, bit-exact.
///
/// A new link (pages that begin streams, behind pages that do not) is the next song: a format where it changed, and a
/// title from its comments. Streams beside the audio are left alone. A page whose checksum is wrong is not believed:
/// the reader gives up the place, and whoever hunts for the next page calls again.
struct OggReader: Sendable {
    enum Outcome {
        case needsMore
        /// No page at the front of the window, or a broken one.
        case lost
    }

    /// The audio stream of this link.
    private var stream: OggStream?
    /// Pages that begin streams have come and no other yet.
    private var isOpening = false
    /// A stream of this link that we cannot read, for the verdict.
    private(set) var foreignName: String?

    mutating func read(_ window: inout ByteWindow, atEnd: Bool, _ outlet: inout FrameOutlet) -> Outcome {
        while window.count > 0 {
            switch OggPage.read(window) {
            case .needsMore: return atEnd ? .lost : .needsMore
            case .none: return .lost
            case .page(let page):
                take(page, window, &outlet)
                window.drop(page.length)
            }
        }
        return .needsMore
    }

    private mutating func take(_ page: OggPage, _ window: ByteWindow, _ outlet: inout FrameOutlet) {
        if page.isFirst { begin(page, window) }
        isOpening = page.isFirst
        if let serial = stream?.serial, serial == page.serial {
            stream?.take(page, window, &outlet)
        } else if stream == nil {
            outlet.skip(page.length)
        }
    }

    /// The first page of a logical stream.
    private mutating func begin(_ page: OggPage, _ window: ByteWindow) {
        if !isOpening { stream = nil }
        guard stream == nil else { return }
        let head = window.slice(page.body)
        if let coding = OggCoding(firstPacket: head) {
            stream = OggStream(serial: page.serial, coding: coding)
            foreignName = nil
        } else {
            foreignName = Self.foreign(head)
        }
    }

    private static func foreign(_ head: ArraySlice<UInt8>) -> String? {
        if head.starts(with: "Speex   ".utf8) { return "Speex in Ogg" }
        if head.starts(with: "\u{80}theora".unicodeScalars.map { UInt8($0.value) }) { return "Theora in Ogg" }
        return nil
    }
}

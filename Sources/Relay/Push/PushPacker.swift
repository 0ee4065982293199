internal import Feed
internal import StreamFormats

/// From a feed's events to what a server takes: bytes of one type, and titles beside them where the type carries none.
/// Pure.
struct PushPacker {
    enum Piece: Equatable {
        case bytes([UInt8])
        /// To be said by `/admin/metadata`.
        case title(String)
        /// What follows is of another type: the server must be told anew.
        case typeChanged
    }

    /// The format whose bytes come out; nil before the first audio.
    private(set) var format: AudioFormat?
    private(set) var title: TitleText?
    private var ogg: OggPacking?
    private var serial: UInt32

    /// - Parameter serial: of the first Ogg stream; any.
    init(serial: UInt32) { self.serial = serial }

    /// What comes next is of this format, whatever was before: nothing has been sent of it yet.
    mutating func begin(_ format: AudioFormat) {
        self.format = format
        ogg = nil
    }

    /// A server has just been reached: what a decoder needs before the next frame.
    mutating func opening() -> [Piece] {
        guard let format else { return [] }
        switch format.container {
        case .elementary: return title.map { [.title($0.text)] } ?? []
        case .nativeFLAC: return [.bytes(format.setup.flatMap { $0 })]
        case .ogg:
            serial &+= 1
            ogg = OggPacking(format: format, serial: serial)
            return [.bytes(chain(format))]
        }
    }

    mutating func take(_ event: FeedEvent) -> [Piece] {
        switch event {
        case .format(let new, _): return take(new)
        case .audio(let chunk): return take(chunk.format) + bytes(of: chunk)
        case .title(let mark): return take(mark)
        case .gap, .retitled: return []
        }
    }

    private mutating func take(_ new: AudioFormat) -> [Piece] {
        guard let before = format else {
            format = new
            return []
        }
        guard new != before else { return [] }
        format = new
        guard before.mediaType == new.mediaType, before.container == new.container else {
            return [.typeChanged]
        }
        switch new.container {
        case .elementary: return []
        case .nativeFLAC: return [.typeChanged]
        case .ogg: return ogg == nil ? [] : [.bytes(chain(new))]
        }
    }

    private mutating func bytes(of chunk: Chunk) -> [Piece] {
        guard chunk.format.container == .ogg else { return [.bytes(chunk.bytes)] }
        let pages = ogg?.pages(of: chunk.run).bytes ?? []
        return pages.isEmpty ? [] : [.bytes(pages)]
    }

    private mutating func take(_ mark: TitleMark) -> [Piece] {
        title = mark.text
        guard let format, format.container == .ogg else { return [.title(mark.text.text)] }
        // What the station chained itself comes with its own headers.
        return mark.raw.source == .ogg || ogg == nil ? [] : [.bytes(chain(format))]
    }

    /// The next link of the chain, with the title of the moment.
    private mutating func chain(_ format: AudioFormat) -> [UInt8] {
        let setup = title.flatMap { OggComments.setup(of: format, title: $0) } ?? format.setup
        return ogg?.begin(format, headers: setup, at: 0) ?? []
    }
}

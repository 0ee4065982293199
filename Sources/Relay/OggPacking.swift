internal import Feed
internal import StreamFormats

/// The packets of an Ogg station on pages of our own, and the header pages that a listener needs before any of them.
///
/// Titles travel as Ogg has them: the logical stream ends and another begins, whose comment header says the title. What
/// the station itself chained comes with its own headers; a title from elsewhere gets a comment header of ours.
struct OggPacking {
    /// What goes into the ring.
    struct Pages {
        var bytes: [UInt8] = []
        /// Bytes at the front that end a packet begun before: no place to begin at.
        var inside = 0
        /// From one page that a listener may begin with to the next; the first begins behind `inside`.
        var steps: [Int] = []
    }

    private var pager: OggPager
    private var serial: UInt32
    /// Header pages by the place of the first page behind them.
    private var chains: [(place: Int64, headers: [UInt8])] = []
    /// The station's format, as its packets come; the present headers may say another title.
    private(set) var format: AudioFormat
    private var hasBegun = false

    /// Where the flags of a page are, and the number of its segments. RFC 3533 §6.
    private static let flagsAt = 5
    private static let segmentCountAt = 26
    private static let headLength = 27
    private static let continued: UInt8 = 1

    /// - Parameter serial: any; the links of the chain count on from it.
    init(format: AudioFormat, serial: UInt32) {
        self.format = format
        self.serial = serial
        pager = OggPager(serial: serial, format: format)
    }

    /// The header pages of the chain that `place` lies in.
    func headers(at place: Int64) -> [UInt8] { chains.last { $0.place <= place }?.headers ?? [] }

    mutating func forget(before place: Int64) {
        while chains.count > 1, chains[1].place <= place { chains.removeFirst() }
    }

    /// Begins the first or the next link of the chain with these setup packets; `place` is the live edge.
    mutating func begin(_ new: AudioFormat, headers setup: [[UInt8]], at place: Int64) -> [UInt8] {
        var bytes: [UInt8] = []
        var told = new
        told.setup = setup
        format = new
        if hasBegun {
            bytes += pager.end()
            serial &+= 1
            pager.restart(serial: serial, format: told)
        } else {
            pager = OggPager(serial: serial, format: told)
        }
        hasBegun = true
        let headers = pager.headers()
        bytes += headers
        chains.append((place + Int64(bytes.count), headers))
        return bytes
    }

    /// The pages that these packets fill.
    mutating func pages(of run: FrameRun) -> Pages {
        var pages = Pages()
        var offset = 0
        for info in run.frames {
            let end = offset + Int(info.length)
            let full = pager.append(run.bytes[offset..<end], samples: Int(info.samples))
            offset = end
            if !full.isEmpty { Self.add(full, to: &pages) }
        }
        return pages
    }

    private static func add(_ bytes: [UInt8], to pages: inout Pages) {
        var offset = 0
        while offset + headLength <= bytes.count {
            let segments = bytes[(offset + headLength)...].prefix(Int(bytes[offset + segmentCountAt]))
            let length = headLength + segments.count + segments.reduce(0) { $0 + Int($1) }
            // A page that begins inside a packet is no place to begin at: it belongs to the step before it.
            if bytes[offset + flagsAt] & continued == 0 {
                pages.steps.append(length)
            } else if pages.steps.isEmpty {
                pages.inside += length
            } else {
                pages.steps[pages.steps.count - 1] += length
            }
            offset += length
        }
        pages.bytes += bytes
    }
}

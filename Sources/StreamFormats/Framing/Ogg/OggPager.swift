/// Puts packets on Ogg pages of our own: granules from 0, sequence from 0, CRC anew (RFC 3533).
///
/// `headers()` first, then `append` for each packet; `flush` when nothing may wait any longer; `end` closes the chain,
/// after which `restart` begins the next one. What comes out is a whole stream wherever the packets began.
package struct OggPager: Sendable {
    /// A page goes out with so many bytes: the usual size.
    private static let fullBody = 4096
    private static let mostSegments = 255

    package private(set) var serial: UInt32
    package private(set) var format: AudioFormat
    /// Samples per channel at the end of the last packet appended.
    package private(set) var granule: Int64 = 0
    /// A page goes out with so many samples.
    private let longestPage: Int64
    private var sequence: UInt32 = 0
    private var lacing: [UInt8] = []
    private var body: [UInt8] = []
    private var isContinued = false
    /// Granule behind the last packet that ends on the page being filled; -1 where none does.
    private var endGranule: Int64 = -1
    private var pageStart: Int64 = 0
    private var hasPackets = false

    /// `format` is one in Ogg, its `setup` the header packets. `pageSamples` bounds how long a packet waits.
    package init(serial: UInt32, format: AudioFormat, pageSamples: Int? = nil) {
        self.serial = serial
        self.format = format
        // A quarter of a second: the rhythm in which listeners are written to.
        longestPage = Int64(pageSamples ?? format.sampleRate / 4)
    }

    /// The pages that begin the stream: the first header packet alone, then the others (RFC 3533 §6, RFC 7845 §3).
    package mutating func headers() -> [UInt8] {
        var pages: [UInt8] = []
        for (index, packet) in format.setup.enumerated() {
            pages += add(packet[...])
            endGranule = 0
            // Opus and FLAC want each on a page of its own; Vorbis allows it.
            pages += page(flags: index == 0 ? 2 : 0)
        }
        return pages
    }

    /// Adds one packet; gives back the pages that are full or due. `samples` as the reader counted them.
    package mutating func append(_ packet: ArraySlice<UInt8>, samples: Int) -> [UInt8] {
        var pages: [UInt8] = []
        // A packet that is not on this page's rest ends the page, so that most packets stand whole on one.
        if !body.isEmpty, body.count + packet.count > Self.fullBody * 2 { pages += flush() }
        pages += add(packet)
        // The first packet of Vorbis primes the decoder and gives no sound.
        granule += format.codec == .vorbis && !hasPackets ? 0 : Int64(max(0, samples))
        hasPackets = true
        endGranule = granule
        if body.count >= Self.fullBody || granule - pageStart >= longestPage { pages += flush() }
        return pages
    }

    /// The page that is being filled, if it holds anything.
    package mutating func flush() -> [UInt8] {
        lacing.isEmpty ? [] : page(flags: 0)
    }

    /// Ends the stream: the last page, marked as such.
    package mutating func end() -> [UInt8] {
        // Nothing may be waiting: then an empty page carries the mark, at the granule where the stream ended.
        if lacing.isEmpty { endGranule = granule }
        return page(flags: 4)
    }

    /// Begins the next link of the chain, after `end`; call `headers` next.
    package mutating func restart(serial: UInt32, format: AudioFormat) {
        self = OggPager(serial: serial, format: format, pageSamples: Int(longestPage))
    }

    /// Puts a packet on the page in segments; pages that its length fills come back.
    private mutating func add(_ packet: ArraySlice<UInt8>) -> [UInt8] {
        var pages: [UInt8] = []
        var rest = packet
        while true {
            if lacing.count == Self.mostSegments {
                pages += page(flags: 0)
                isContinued = rest.count < packet.count
            }
            let segment = rest.prefix(255)
            lacing.append(UInt8(segment.count))
            body += segment
            rest = rest.dropFirst(segment.count)
            if segment.count < 255 { return pages }
        }
    }

    private mutating func page(flags: UInt8) -> [UInt8] {
        var page = Array("OggS".utf8) + [0, flags | (isContinued ? 1 : 0)]
        page += Self.little(UInt64(bitPattern: endGranule), 8) + Self.little(UInt64(serial), 4)
        page += Self.little(UInt64(sequence), 4) + [0, 0, 0, 0, UInt8(lacing.count)]
        page += lacing + body
        page.replaceSubrange(OggChecksum.field, with: Self.little(UInt64(OggChecksum.of(page[...])), 4))
        sequence &+= 1
        lacing.removeAll(keepingCapacity: true)
        body.removeAll(keepingCapacity: true)
        isContinued = false
        endGranule = -1
        pageStart = granule
        return page
    }

    private static func little(_ value: UInt64, _ bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
    }
}

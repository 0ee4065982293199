/// One logical stream of audio in Ogg: puts packets together from segments, header packets first.
struct OggStream: Sendable {
    /// Longer packets are stepped over: artwork in comments, or an attack.
    private static let longestPacket = 1 << 20
    /// A comment packet that is longer loses its pictures, so that no listener gets them as first bytes.
    private static let longestComments = 16 * 1024
    /// Header packets, and their bytes together, that a stream may have: FLAC may announce 65,535 packets.
    private static let mostHeaders = (count: 64, bytes: 1 << 20)

    let serial: UInt32
    private(set) var format: AudioFormat?
    private var coding: OggCoding
    private var headers: [[UInt8]] = []
    private var headerBytes = 0
    /// Its headers were no headers of ours, or too many: what follows is nothing that we read.
    private var isRefused = false
    private var comments = VorbisComments()
    private var commentsPlace: Int64 = 0
    private var nextSequence: UInt32?
    /// What there is of a packet that goes on on the next page.
    private var partial: Partial?
    /// Granule at the end of the last page that had one.
    private var lastGranule: Int64?
    private var packets: [Packet] = []

    private struct Partial {
        var bytes: [UInt8]
        var start: Int64
        var isTooLong = false
    }

    private struct Packet {
        var bytes: ArraySlice<UInt8>
        var start: Int64
        var samples: Int
    }

    init(serial: UInt32, coding: OggCoding) {
        self.serial = serial
        self.coding = coding
    }

    mutating func take(_ page: OggPage, _ window: ByteWindow, _ outlet: inout FrameOutlet) {
        let isNext = nextSequence.map { $0 == page.sequence } ?? true
        nextSequence = page.sequence &+ 1
        if !isNext || !page.isContinued { dropPartial(&outlet) }
        if !isNext { lastGranule = nil }
        split(page, window, &outlet)
        trim(page)
        for packet in packets { outlet.emit(packet.bytes, samples: packet.samples, start: packet.start) }
        packets.removeAll(keepingCapacity: true)
    }

    private mutating func dropPartial(_ outlet: inout FrameOutlet) {
        if let partial { outlet.skip(partial.bytes.count) }
        partial = nil
    }

    /// Cuts the body at each lacing value below 255.
    private mutating func split(_ page: OggPage, _ window: ByteWindow, _ outlet: inout FrameOutlet) {
        var start = page.body.lowerBound
        var end = start
        // The rest of a packet whose begin was lost goes unread.
        var isOrphan = page.isContinued && partial == nil
        for index in page.lacing {
            end += Int(window[index])
            guard window[index] < 255 else { continue }
            if isOrphan { outlet.skip(end - start) } else { complete(start..<end, window, &outlet) }
            isOrphan = false
            start = end
        }
        if page.lacing.last.map({ window[$0] == 255 }) ?? false, !isOrphan { keep(start..<end, window) }
    }

    private mutating func keep(_ range: Range<Int>, _ window: ByteWindow) {
        var partial = partial ?? Partial(bytes: [], start: window.offset + Int64(range.lowerBound))
        partial.isTooLong = partial.isTooLong || partial.bytes.count + range.count > Self.longestPacket
        if !partial.isTooLong { partial.bytes.append(contentsOf: window.slice(range)) }
        self.partial = partial
    }

    private mutating func complete(_ range: Range<Int>, _ window: ByteWindow, _ outlet: inout FrameOutlet) {
        guard partial != nil else {
            return deliver(window.slice(range), window.offset + Int64(range.lowerBound), &outlet)
        }
        keep(range, window)
        guard let whole = partial else { return }
        partial = nil
        deliver(whole.isTooLong ? [] : whole.bytes[...], whole.start, &outlet)
    }

    private mutating func deliver(_ packet: ArraySlice<UInt8>, _ start: Int64, _ outlet: inout FrameOutlet) {
        if format != nil {
            guard !packet.isEmpty, !coding.isHeader(packet) else { return outlet.skip(packet.count) }
            packets.append(Packet(bytes: packet, start: start, samples: coding.samples(of: packet)))
            return
        }
        guard !isRefused else { return outlet.skip(packet.count) }
        keep(header: packet, start)
        isRefused = headers.count > Self.mostHeaders.count || headerBytes > Self.mostHeaders.bytes
        if isRefused { headers.removeAll() } else if coding.isComplete(headers) { begin(&outlet) }
    }

    /// A header packet that is missing cannot be made up, but for the comments.
    private mutating func keep(header packet: ArraySlice<UInt8>, _ start: Int64) {
        if coding.isComments(packet, at: headers.count) {
            comments = VorbisComments(packet.dropFirst(coding.commentsOffset))
            commentsPlace = start
            headers.append(coding.commentsPacket(keeping: packet, comments, within: Self.longestComments))
        } else {
            headers.append(Array(packet))
        }
        headerBytes += headers.last?.count ?? 0
    }

    private mutating func begin(_ outlet: inout FrameOutlet) {
        guard let new = coding.format(headers) else {
            isRefused = true
            return headers.removeAll()
        }
        format = new
        outlet.begin(new)
        outlet.push(title: comments.title(source: .ogg), at: commentsPlace)
    }

    /// The last page of a link may end before its packets do: the granule says where.
    private mutating func trim(_ page: OggPage) {
        guard page.granule >= 0, format != nil, !packets.isEmpty else { return }
        defer { lastGranule = page.granule }
        guard page.isLast else { return }
        let length = packets.reduce(0) { $0 + $1.samples }
        let (end, isWrong) = (lastGranule ?? 0).addingReportingOverflow(Int64(length))
        guard !isWrong, end > page.granule, end - page.granule <= Int64(length) else { return }
        var excess = Int(end - page.granule)
        for index in packets.indices.reversed() where excess > 0 {
            let cut = min(excess, packets[index].samples)
            packets[index].samples -= cut
            excess -= cut
        }
    }
}

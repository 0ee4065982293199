internal import Feed
internal import Platform
internal import StreamFormats

/// The bytes of a mount in one format: ring, titles, and what every listener gets before its first frame.
///
/// Made with the first audio, made anew when the format becomes another type. Loop thread.
final class MountStream {
    private(set) var facts: MountFacts
    private var ring: MountRing
    private var titles = TitleTimeline()
    private let format: AudioFormat
    private let server: String
    private let metaint: Int32
    /// The answer's head as most listeners get it, without and with titles.
    private var plainHead: [UInt8] = []
    private var titledHead: [UInt8] = []
    /// Audio time appended so far: the ring's own, since audio of a fallback lies between.
    private var nanoseconds: Int64 = 0
    private(set) var lastAudio: MonotonicTime

    /// - Throws: `SystemError` when there is no memory for the ring.
    init(
        format: AudioFormat, facts: MountFacts, settings: RelaySettings, server: String, now: MonotonicTime
    ) throws(SystemError) {
        self.format = format
        self.facts = facts
        self.server = server
        metaint = settings.metaint
        lastAudio = now
        ring = try MountRing(bytes: settings.ringBytes)
        makeHeads()
    }

    /// True when listeners of this stream can go on with frames of `other`.
    func carries(_ other: AudioFormat) -> Bool {
        format.mediaType == other.mediaType && format.container == other.container
            && format.setup == other.setup
    }

    // MARK: From the feed

    func append(_ chunk: Chunk, now: MonotonicTime) {
        chunk.bytes.withUnsafeBytes { bytes in
            guard bytes.count <= ring.capacity else { return }
            nanoseconds += chunk.end.nanoseconds - chunk.start.nanoseconds
            ring.append(bytes, frames: chunk.run.frames.lazy.map { Int($0.length) }, endingAt: nanoseconds)
        }
        titles.forget(before: ring.tail)
        lastAudio = now
    }

    /// The title is valid from the next frame appended on.
    func append(_ title: TitleMark) {
        guard facts.carriesTitles else { return }
        titles.append(block: Self.block(title), at: ring.head, mark: title.position.bytes)
    }

    func retitle(_ changed: [TitleMark]) {
        for title in changed { titles.replace(block: Self.block(title), mark: title.position.bytes) }
    }

    private static func block(_ title: TitleMark) -> [UInt8] { IcyBlockWriter.block(title: title.text.text) }

    /// The station said something new of itself.
    func update(_ newFacts: MountFacts) {
        guard newFacts != facts else { return }
        facts = newFacts
        makeHeads()
    }

    private func makeHeads() {
        plainHead = MountHead.bytes(for: facts, metaint: nil, range: .whole, server: server)
        titledHead = MountHead.bytes(for: facts, metaint: metaint, range: .whole, server: server)
    }

    // MARK: To the listeners

    /// Holds enough for a new listener to begin at once.
    func holds(_ burst: Burst) -> Bool {
        ring.head >= Int64(burst.bytes) && ring.seconds(from: 0) >= burst.seconds
    }

    var byteRate: Double? { ring.byteRate }
    var isEmpty: Bool { ring.head == 0 }

    func head(wantsTitles: Bool, range: RangeAnswer) -> [UInt8] {
        switch (range, wantsTitles) {
        case (.whole, false): plainHead
        case (.whole, true): titledHead
        default:
            MountHead.bytes(for: facts, metaint: wantsTitles ? metaint : nil, range: range, server: server)
        }
    }

    /// What a listener gets before its first frame: nothing, or the setup that a decoder needs.
    var opening: [UInt8] { format.container == .nativeFLAC ? format.setup.flatMap { $0 } : [] }

    /// The first `count` bytes of what a listener would get.
    func sample(_ count: Int, burst: Burst) -> [UInt8] {
        let start = ring.start(of: burst)
        let held = min(count, Int(ring.head - start))
        let bytes = UnsafeRawBufferPointer(start: ring.bytes(at: start), count: held)
        return Array((opening + Array(bytes)).prefix(count))
    }

    func join(
        socket: Int32, request: ListenerRequest, facts: ListenerFacts, burst: Burst, now: MonotonicTime,
        table: inout ListenerTable, round: inout ListenerTable.Round
    ) {
        let wantsTitles = request.wantsTitles && self.facts.carriesTitles
        table.join(
            socket: socket, head: head(wantsTitles: wantsTitles, range: request.range) + opening,
            at: ring.start(of: burst), wantsTitles: wantsTitles, facts: facts, now: now, ring: ring,
            titles: titles,
            round: &round)
    }

    func writeBatch(_ range: Range<Int>, table: inout ListenerTable, round: inout ListenerTable.Round) {
        table.writeBatch(range, ring: ring, titles: titles, round: &round)
    }

    func roomAgain(_ index: Int, table: inout ListenerTable, round: inout ListenerTable.Round) {
        table.roomAgain(index, ring: ring, titles: titles, round: &round)
    }

    /// Bytes a listener may lag: so many seconds' worth, no less than two bursts, no more than the ring keeps.
    func lag(seconds: Double, burst: Burst) -> Int {
        let most = ring.capacity * 7 / 8
        let asked = Int(min((ring.byteRate ?? 16_000) * seconds, Double(most)))
        return min(max(asked, 2 * burst.bytes), most)
    }

    /// Seconds between a listener's place and the live edge.
    func behind(_ row: ListenerTable.Row) -> Double { ring.seconds(from: row.place) }
}

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
    private let identity: ListenerIdentity
    private let metaint: Int32
    /// The answer's head as most listeners get it, without and with titles.
    private var plainHead: [UInt8] = []
    private var titledHead: [UInt8] = []
    /// Audio time appended so far: the ring's own, since audio of a fallback lies between.
    private var nanoseconds: Int64 = 0
    /// Set for Ogg alone.
    private var ogg: OggPacking?
    private(set) var lastAudio: MonotonicTime
    /// Where the audio begins that has come in without a long pause until now.
    private var runStart: Int64 = 0
    /// Set when the station sent what cannot be passed on; nothing that comes after it can.
    private var failure: Failure?

    /// Why a station cannot be passed on in this format, or not any longer.
    enum Failure: Error, Equatable, CustomStringConvertible {
        case memory(SystemError)
        /// Headers or a packet of so many bytes, more than a mount's ring has room for.
        case tooLarge(bytes: Int, most: Int)

        var description: String {
            switch self {
            case .memory(let error): error.description
            case .tooLarge(let bytes, let most):
                "the station sent \(bytes) bytes in one piece; a mount takes \(most) (relay.slow_bytes)"
            }
        }
    }

    /// - Throws: `Failure` when there is no memory for the ring, or no room in it for the headers.
    init(
        format: AudioFormat, facts: MountFacts, settings: RelaySettings, identity: ListenerIdentity,
        now: MonotonicTime
    ) throws(Failure) {
        self.format = format
        self.facts = facts
        self.identity = identity
        metaint = settings.metaint
        lastAudio = now
        // Lossless audio runs ten times as fast as what the ring is measured for.
        ring = try Self.makeRing(bytes: settings.ringBytes * (format.codec == .flac ? 4 : 1))
        // Every listener is sent them before its first frame.
        let headers = format.setup.reduce(0) { $0 + $1.count }
        guard headers <= ring.capacity / 2 else {
            throw .tooLarge(bytes: headers, most: ring.capacity / 2)
        }
        if format.container == .ogg {
            ogg = OggPacking(format: format, serial: UInt32.random(in: 1...UInt32.max))
            beginChain(format, headers: format.setup)
        }
        makeHeads()
        if let failure { throw failure }
    }

    private static func makeRing(bytes: Int) throws(Failure) -> MountRing {
        do throws(SystemError) { return try MountRing(bytes: bytes) } catch { throw .memory(error) }
    }

    /// True when listeners of this stream can go on with frames of `other`. Ogg may be chained: another setup is no other
    /// type there.
    func carries(_ other: AudioFormat) -> Bool {
        format.codec.mediaFamily == other.codec.mediaFamily && format.container == other.container
            && (format.container == .ogg || format.setup == other.setup)
    }

    // MARK: From the feed

    /// - Throws: `Failure` where the station sent more in one piece than the mount holds: the stream is over then.
    func append(_ chunk: Chunk, now: MonotonicTime) throws(Failure) {
        let length = chunk.end.nanoseconds - chunk.start.nanoseconds
        if isOver(at: now) { runStart = ring.head }
        if ogg != nil {
            if ogg?.format != chunk.format { beginChain(chunk.format, headers: chunk.format.setup) }
            let pages = ogg?.pages(of: chunk.run) ?? OggPacking.Pages()
            pages.bytes.prefix(pages.inside).withUnsafeBytes { put($0, frames: []) }
            store(pages.bytes.dropFirst(pages.inside), steps: pages.steps, lasting: length)
            ogg?.forget(before: ring.tail)
        } else {
            store(chunk.bytes[...], steps: chunk.run.frames.map { Int($0.length) }, lasting: length)
        }
        titles.forget(before: ring.tail)
        lastAudio = now
        if let failure { throw failure }
    }

    private func put(_ bytes: UnsafeRawBufferPointer, frames: some Sequence<Int>) {
        if !ring.append(bytes, frames: frames, endingAt: nanoseconds) {
            failure = .tooLarge(bytes: bytes.count, most: ring.capacity)
        }
    }

    /// Lays bytes into the ring, a part of it at a time.
    /// - Parameter steps: from one place a listener may begin at to the next; their sum is the number of bytes.
    private func store(_ bytes: ArraySlice<UInt8>, steps: [Int], lasting length: Int64) {
        let most = ring.capacity / 4
        let begun = nanoseconds
        bytes.withUnsafeBytes { bytes in
            var (first, start, end) = (0, 0, 0)
            for (index, step) in steps.enumerated() {
                end += step
                // A step that is large by itself goes alone, so that what fits is never refused.
                let isFull = end - start >= most || index + 1 < steps.count && steps[index + 1] >= most
                guard isFull || index == steps.count - 1 else { continue }
                nanoseconds = begun &+ Int64(bounded: Double(length) * Double(end) / Double(bytes.count))
                put(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), frames: steps[first...index])
                (first, start) = (index + 1, end)
            }
        }
        nanoseconds = begun &+ length
    }

    /// Header pages are no place to begin at: who joins gets them by itself.
    private func beginChain(_ new: AudioFormat, headers: [[UInt8]]) {
        let bytes = ogg?.begin(new, headers: headers, at: ring.head) ?? []
        bytes.withUnsafeBytes { put($0, frames: []) }
    }

    /// The title is valid from the next frame appended on.
    func append(_ title: TitleMark) {
        if facts.carriesTitles {
            titles.append(block: Self.block(title), at: ring.head, mark: title.position.bytes)
        } else if let ogg, title.raw.source != .ogg,
            let setup = OggComments.setup(of: ogg.format, title: title.text)
        {
            beginChain(ogg.format, headers: setup)
        }
    }

    func retitle(_ changed: [TitleMark]) {
        guard facts.carriesTitles else { return }
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
        plainHead = MountHead.bytes(for: facts, metaint: nil, range: .whole, by: identity)
        titledHead = MountHead.bytes(for: facts, metaint: metaint, range: .whole, by: identity)
    }

    // MARK: To the listeners

    /// Holds enough for a new listener to begin at once.
    func holds(_ burst: Burst) -> Bool {
        ring.head >= Int64(burst.bytes) && ring.seconds(from: 0) >= burst.seconds
    }

    var byteRate: Double? { ring.byteRate }
    /// Bytes appended so far: the live edge.
    var edge: Int64 { ring.head }
    /// There is audio for who joins now; what was held when the station fell silent is none.
    func isHeard(at now: MonotonicTime) -> Bool { ring.head > 0 && !isOver(at: now) }

    private func isOver(at now: MonotonicTime) -> Bool {
        now.seconds(since: lastAudio) > FeedStart.runBreakSeconds
    }

    /// Where one begins who joins now.
    private func start(of burst: Burst) -> Int64 { ring.start(of: burst, notBefore: runStart) }

    func head(wantsTitles: Bool, request: ListenerRequest) -> [UInt8] {
        let head = head(wantsTitles: wantsTitles, range: request.range)
        return request.dlna.added(to: head, mediaType: facts.mediaType)
    }

    private func head(wantsTitles: Bool, range: RangeAnswer) -> [UInt8] {
        switch (range, wantsTitles) {
        case (.whole, false): plainHead
        case (.whole, true): titledHead
        default:
            MountHead.bytes(for: facts, metaint: wantsTitles ? metaint : nil, range: range, by: identity)
        }
    }

    /// What a listener that begins at `place` gets before its first frame: nothing, or the setup that a decoder needs.
    private func opening(at place: Int64) -> [UInt8] {
        switch format.container {
        case .elementary: []
        case .nativeFLAC: format.setup.flatMap { $0 }
        case .ogg: ogg?.headers(at: place) ?? []
        }
    }

    /// The first `count` bytes of what a listener would get.
    func sample(_ count: Int, burst: Burst) -> [UInt8] {
        let start = start(of: burst)
        let held = min(count, Int(ring.head - start))
        let bytes = UnsafeRawBufferPointer(start: ring.bytes(at: start), count: held)
        return Array((opening(at: start) + Array(bytes)).prefix(count))
    }

    func join(
        socket: Int32, request: ListenerRequest, facts: ListenerFacts, burst: Burst, now: MonotonicTime,
        table: inout ListenerTable, round: inout ListenerTable.Round
    ) {
        let wantsTitles = request.wantsTitles && self.facts.carriesTitles
        let start = start(of: burst)
        table.join(
            socket: socket, head: head(wantsTitles: wantsTitles, request: request) + opening(at: start),
            at: start, wantsTitles: wantsTitles, facts: facts, now: now, ring: ring, titles: titles,
            round: &round)
    }

    /// Goes on with a listener that had all but the last `missed` seconds from another process.
    func resume(
        _ socket: Int32, _ handed: HandedListener, facts: ListenerFacts, missed: Double, now: MonotonicTime,
        table: inout ListenerTable, round: inout ListenerTable.Round
    ) {
        var burst = Burst(seconds: missed)
        burst.bytes = 0
        table.join(
            socket: socket, head: handed.rest, at: ring.start(of: burst),
            wantsTitles: handed.untilBlock >= 0, untilBlock: handed.untilBlock, facts: facts, now: now,
            ring: ring, titles: titles, round: &round)
    }

    func endOfFrame(_ index: Int, table: inout ListenerTable) -> [UInt8] {
        table.endOfFrame(index, ring: ring, titles: titles)
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
        let asked = Int(bounded: min((ring.byteRate ?? 16_000) * seconds, Double(most)))
        return min(max(asked, 2 * burst.bytes), most)
    }

    /// Seconds between a listener's place and the live edge.
    func behind(_ row: ListenerTable.Row) -> Double { ring.seconds(from: row.place) }
}

extension Codec {
    /// Codecs of one family follow each other without the listener being told: AAC may become HE-AAC.
    fileprivate var mediaFamily: Codec {
        switch self {
        case .mp1, .mp2, .mp3: .mp3
        case .aac, .heAAC, .heAACv2: .aac
        case .vorbis, .opus, .flac: self
        }
    }
}

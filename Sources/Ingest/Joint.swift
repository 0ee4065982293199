import Platform
import StreamFormats

/// Joins a new connection's frames to those a feed already has: drops what was heard before, and says what is missing.
///
/// Elements are held back until it is known where the new ones begin. Pure; fed by one connection.
struct Joint: Sendable {
    /// What may be published, once it is known.
    struct Outcome: Sendable {
        /// From the first new frame on. The format and title valid there come first where they are known.
        var elements: [StreamElement]
        /// Seconds that are missing before them; 0 where the overlap healed the break.
        var lostSeconds: Double
        /// Frames that were dropped because they had been heard before.
        var repeated: Int
    }

    /// When the feed's last frame came in; nil for a feed without one.
    private let lastFrame: MonotonicTime?
    private var search: OverlapSearch
    /// Hashes of all frames pushed, for a search that has to start over.
    private var hashes: [UInt32] = []
    /// Elements that are held back, and how many frames were let go of before them.
    private var pending: [StreamElement] = []
    private var base = 0
    private var pendingBytes = 0
    private var format: StreamElement?
    private var title: StreamElement?

    private var firstFrame: MonotonicTime?
    private var seconds = 0.0
    private var rate = 44_100.0
    private var decision: OverlapSearch.Answer?

    /// A break without overlap is measured for so long: the burst has to be over before it can be known how far back
    /// it went.
    private static let measuring = 0.5
    /// No more than this is held back while measuring.
    private static let mostPending = 1 << 20
    /// A join that rests on a few alike frames is not believed when the clock says that more is missing.
    private static let doubtful = 1.0

    /// - Parameters:
    ///   - held: hashes of the feed's last frames.
    ///   - lastFrame: when the last of them came in.
    init(held: [UInt32], lastFrame: MonotonicTime?) {
        search = OverlapSearch(held: held)
        self.lastFrame = lastFrame
    }

    /// True when frames came, and all of them had been heard before: the server lags behind.
    var isCatchingUp: Bool { decision == nil && firstFrame != nil }

    /// Takes what came; answers once, when it is known where the new frames begin.
    mutating func push(_ elements: [StreamElement], now: MonotonicTime) -> Outcome? {
        for element in elements { take(element, now: now) }
        guard let decision else {
            return pendingBytes > Self.mostPending * 4 ? outcome(from: base, now: now, isHealed: false) : nil
        }
        return settle(decision, now: now)
    }

    /// When a parting may be believed though nothing more has come; nil where nothing of the kind is pending.
    var settlesAt: MonotonicTime? {
        guard case .parted? = decision, let firstFrame else { return nil }
        return firstFrame.advanced(bySeconds: Self.measuring)
    }

    /// The connection has ended: what is held back comes out, as far as it is new.
    mutating func finish(now: MonotonicTime) -> Outcome? {
        guard lastFrame != nil, firstFrame != nil else { return nil }
        switch decision ?? search.lastAnswer {
        case .joined(let index): return outcome(from: index, now: now, isHealed: true)
        case .parted(let index): return outcome(from: index, now: now, isHealed: false)
        case .undecided, .old: return nil
        }
    }

    /// The first connection has brought more frames meanwhile: the search starts over with them.
    mutating func heldGrew(to held: [UInt32]) {
        search = OverlapSearch(held: held)
        decision = nil
        for hash in hashes { note(hash) }
    }

    private mutating func take(_ element: StreamElement, now: MonotonicTime) {
        switch element {
        case .format(let new): rate = Double(max(new.sampleRate, 1))
        case .frames(let run):
            if firstFrame == nil, !run.frames.isEmpty { firstFrame = now }
            seconds += Double(run.samples) / rate
            pendingBytes += run.bytes.count
        case .title, .junk: break
        }
        pending.append(element)
        if case .frames(let run) = element { search(run) }
    }

    private mutating func search(_ run: FrameRun) {
        var isOld = false
        run.forEachFrame { frame in
            let hash = FrameMemory.hash(frame)
            hashes.append(hash)
            isOld = note(hash) == .old
        }
        if isOld { letGo() }
    }

    /// A join is final. A parting is not yet: a burst that goes back further than what is held begins with strangers.
    @discardableResult
    private mutating func note(_ hash: UInt32) -> OverlapSearch.Answer? {
        if case .joined? = decision { return nil }
        let answer = search.push(hash)
        switch answer {
        case .undecided, .old: decision = nil
        case .joined, .parted: decision = answer
        }
        return answer
    }

    /// Everything held back has been heard before: only the format and the title are of use.
    private mutating func letGo() {
        for element in pending { remember(element) }
        pending = []
        pendingBytes = 0
        base = hashes.count
    }

    private mutating func remember(_ element: StreamElement) {
        switch element {
        case .format: format = element
        case .title: title = element
        case .frames, .junk: break
        }
    }

    // MARK: The answer

    private mutating func settle(_ answer: OverlapSearch.Answer, now: MonotonicTime) -> Outcome? {
        switch answer {
        case .joined(let index):
            if !search.isCertain, lost(by: now) > Self.doubtful { fallthrough }
            return outcome(from: index, now: now, isHealed: true)
        case .parted:
            guard lastFrame != nil, base == 0, pendingBytes < Self.mostPending, let firstFrame,
                now.seconds(since: firstFrame) < Self.measuring
            else { return outcome(from: partedIndex(answer), now: now, isHealed: false) }
            return nil
        case .undecided, .old:
            return nil
        }
    }

    /// A join that is not believed begins with the first frame.
    private func partedIndex(_ answer: OverlapSearch.Answer) -> Int {
        if case .parted(let index) = answer { index } else { 0 }
    }

    /// Seconds between the feed's last frame and the first of this connection: the clock's, less what the burst holds.
    private func lost(by now: MonotonicTime) -> Double {
        guard let lastFrame, let firstFrame else { return 0 }
        let burst = max(0, seconds - now.seconds(since: firstFrame))
        return max(0, firstFrame.seconds(since: lastFrame) - burst)
    }

    private mutating func outcome(from index: Int, now: MonotonicTime, isHealed: Bool) -> Outcome {
        let fresh = elements(from: max(index, base))
        let lostSeconds = isHealed || index > 0 ? 0 : lost(by: now)
        return Outcome(
            elements: [format, title].compactMap { $0 } + fresh, lostSeconds: lostSeconds, repeated: index)
    }

    /// What is held back from a frame on; what came before it only changes format and title.
    private mutating func elements(from index: Int) -> [StreamElement] {
        var passed = base
        for (place, element) in pending.enumerated() {
            guard case .frames(let run) = element else {
                remember(element)
                continue
            }
            if passed + run.frames.count > index {
                let rest = run.dropping(frames: index - passed)
                return [.frames(rest)] + pending[(place + 1)...]
            }
            passed += run.frames.count
        }
        return []
    }
}

extension FrameRun {
    /// Calls `body` with the bytes of each frame, in order.
    func forEachFrame(_ body: (UnsafeRawBufferPointer) -> Void) {
        bytes.withUnsafeBytes { all in
            var offset = 0
            for frame in frames {
                let end = min(offset + Int(frame.length), all.count)
                body(UnsafeRawBufferPointer(rebasing: all[offset..<end]))
                offset = end
            }
        }
    }

    /// The run without its first frames.
    func dropping(frames count: Int) -> FrameRun {
        guard count > 0 else { return self }
        let dropped = frames.prefix(count).reduce(0) { $0 + Int($1.length) }
        return FrameRun(bytes: Array(bytes.dropFirst(dropped)), frames: Array(frames.dropFirst(count)))
    }
}

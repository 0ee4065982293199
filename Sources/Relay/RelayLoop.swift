internal import Platform
internal import Reactor

/// The relay's share of one event loop: the outlets on it, and the beat that moves them all.
///
/// While nobody listens there is no beat, and an idle service sleeps. Everything here belongs to the loop's thread.
final class RelayLoop: @unchecked Sendable {
    // Sendable because everything that changes is touched on the loop's thread only.
    let loop: EventLoop
    let map = SocketMap()
    let time: any TimeSource
    private var batch: Double
    private var outlets: [Outlet] = []
    private var beat: LoopTimer?
    private var beats = 0
    /// Where the round of this beat stands; nil between rounds.
    private var round: (outlet: Int, left: Int)?

    /// Listeners written to before the loop looks at its other work: some five milliseconds.
    private static let slice = 512

    init(loop: EventLoop, batch: Double, time: any TimeSource) {
        self.loop = loop
        self.batch = batch
        self.time = time
    }

    /// The outlet has listeners, or somebody waits for it.
    func add(_ outlet: Outlet) {
        outlets.append(outlet)
        if beat == nil { beat = loop.every(batch) { [weak self] in self?.tick() } }
    }

    /// The beat changes for those who listen already.
    func setBatch(_ seconds: Double) {
        guard seconds != batch else { return }
        batch = seconds
        guard beat != nil else { return }
        beat?.cancel()
        beat = loop.every(batch) { [weak self] in self?.tick() }
    }

    private func tick() {
        beats += 1
        let now = time.now
        let isSecond = beats % max(1, Int(1 / batch)) == 0
        for outlet in outlets {
            outlet.drain(now: now)
            if isSecond { outlet.keepHouse(now: now) }
        }
        outlets.removeAll { $0.isClosed }
        if outlets.isEmpty {
            beat?.cancel()
            beat = nil
        }
        // A round that is still under way when the next beat comes has too many listeners for this machine; it goes on.
        if round == nil, let first = outlets.first {
            round = (0, first.listenerCount)
            writeSlice()
        }
    }

    /// Writes to the next listeners; the rest follows after the loop has looked at its other work.
    private func writeSlice() {
        guard var (index, left) = round else { return }
        var budget = Self.slice
        while index < outlets.count, budget > 0 {
            let end = min(left, outlets[index].listenerCount)
            let count = min(end, budget)
            outlets[index].writeBatch((end - count)..<end)
            budget -= count
            left = end - count
            if left == 0 {
                index += 1
                left = index < outlets.count ? outlets[index].listenerCount : 0
            }
        }
        round = index < outlets.count ? (index, left) : nil
        if round != nil { loop.submit { [weak self] in self?.writeSlice() } }
    }

    /// Ends every listener on this loop. Loop thread.
    func close() {
        beat?.cancel()
        beat = nil
        round = nil
        for outlet in outlets { outlet.close() }
        outlets = []
    }
}

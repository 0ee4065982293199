internal import Platform
internal import Reactor

/// The relay's share of one event loop: the outlets on it, their rounds of writes, and the beat that looks after them.
///
/// While nobody listens there is no beat, and an idle service sleeps. Everything here belongs to the loop's thread.
final class RelayLoop: @unchecked Sendable {
    // Sendable because everything that changes is touched on the loop's thread only.
    let loop: EventLoop
    let map = SocketMap()
    let time: any TimeSource
    private(set) var batch: Double
    private(set) var outlets: [Outlet] = []
    private var beat: LoopTimer?
    private var beats = 0
    /// Outlets whose listeners are being written to, and how many of them are left; the first one is under way.
    private var rounds: [(outlet: Outlet, left: Int)] = []

    /// Listeners written to before the loop looks at its other work: some five milliseconds.
    private static let slice = 512

    init(loop: EventLoop, batch: Double, time: any TimeSource) {
        self.loop = loop
        self.batch = batch
        self.time = time
    }

    /// The outlet has listeners, or somebody waits for it.
    func add(_ outlet: Outlet) {
        // One that was closed and opened within a beat is still here.
        if !outlets.contains(where: { $0 === outlet }) { outlets.append(outlet) }
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
        let isSecond = beats % max(1, Int(bounded: 1 / batch)) == 0
        for outlet in outlets {
            outlet.tick(now: now)
            if isSecond { outlet.keepHouse(now: now) }
        }
        outlets.removeAll { $0.isClosed }
        if outlets.isEmpty {
            beat?.cancel()
            beat = nil
        }
    }

    /// Writes what is due to every listener of an outlet, after the rounds that are under way. One that is still under
    /// way for the same outlet has too many listeners for this machine; it goes on, and what is new goes with it.
    func beginRound(of outlet: Outlet) {
        guard outlet.listenerCount > 0, !rounds.contains(where: { $0.outlet === outlet }) else { return }
        rounds.append((outlet, outlet.listenerCount))
        if rounds.count == 1 { writeSlice() }
    }

    /// Writes to the next listeners; the rest follows after the loop has looked at its other work.
    private func writeSlice() {
        var budget = Self.slice
        while budget > 0, let (outlet, left) = rounds.first {
            let end = min(left, outlet.listenerCount)
            let count = min(end, budget)
            outlet.writeBatch((end - count)..<end)
            budget -= count
            if end == count { rounds.removeFirst() } else { rounds[0].left = end - count }
        }
        if !rounds.isEmpty { loop.submit { [weak self] in self?.writeSlice() } }
    }

    /// Ends every listener on this loop. Loop thread.
    func close() {
        beat?.cancel()
        beat = nil
        rounds = []
        for outlet in outlets { outlet.close() }
        outlets = []
    }
}

internal import CLinux
internal import Glibc
internal import Platform

/// The thread behind `HelperProcess`.
struct HelperSupervisor: Sendable {
    let shared: Lock<HelperProcess.State>
    let bell: Bell
    let launch: @Sendable () throws(MediaError) -> HelperLaunch
    let time: any TimeSource
    let silenceLimit: Double
    let changed: @Sendable (HelperProcess.Change) -> Void
    let received: @Sendable (HelperEvent) -> Void

    /// Seconds that a helper gets to fade out and to close its output.
    private static let farewell = 1.0

    private var isEnding: Bool { shared.withLock { $0.isEnding } }

    /// Until it is told to end.
    func run() {
        var rule = RestartRule()
        while !isEnding {
            do {
                let process = try launch().start()
                serve(process, &rule)
            } catch {
                changed(.unavailable(error))
            }
            shared.withLock { state in
                state.counters.pid = 0
                state.counters.restarts += 1
                state.unsentBytes = 0
            }
            if !isEnding { pause(seconds: rule.died()) }
        }
    }

    private func pause(seconds: Double) {
        let end = time.now.advanced(bySeconds: seconds)
        while !isEnding {
            let left = end.seconds(since: time.now)
            guard left > 0 else { return }
            bell.wait(milliseconds: Int32(left * 1000) + 1)
        }
    }

    /// One life of the helper.
    private func serve(_ process: consuming ChildProcess, _ rule: inout RestartRule) {
        shared.withLock { $0.counters.pid = process.pid }
        var link = Link(heard: time.now)
        repeat {
            if link.isReady { take(into: &link.channel) }
            guard exchange(&link, process.socket.number) else {
                if link.isReady { changed(.lost) }
                return
            }
            if link.isReady { rule.worked() }
            if time.now.seconds(since: link.heard) > silenceLimit {
                Log.warning("media", "the helper fell silent and is ended", ["pid": "\(process.pid)"])
                changed(.lost)
                return
            }
        } while !isEnding
        take(into: &link.channel)
        link.channel.enqueue(HelperCommand.stop.message)
        _ = link.channel.flush(to: process.socket.number)
        process.waitForEnd(seconds: Self.farewell, time: time)
    }

    /// What one life has to remember.
    private struct Link {
        var channel = HelperChannel()
        var isReady = false
        /// When it last said something.
        var heard: MonotonicTime
    }

    /// Moves what was queued to the channel.
    private func take(into channel: inout HelperChannel) {
        let commands = shared.withLock { state in
            defer {
                state.pending = []
                state.pendingBytes = 0
            }
            return state.pending
        }
        for command in commands { channel.enqueue(command.message) }
    }

    /// Waits for something to do and does it. False when the helper is gone.
    private func exchange(_ link: inout Link, _ socket: Int32) -> Bool {
        guard link.channel.flush(to: socket) == .open else { return false }
        let waiting = link.channel.waiting
        shared.withLock { $0.unsentBytes = waiting }
        guard bell.wait(milliseconds: 1000, socket: socket, writable: link.channel.wantsToWrite) else {
            return true
        }
        let state = link.channel.fill(from: socket)
        do {
            while let event = try link.channel.next() {
                link.heard = time.now
                guard greet(event, &link) else { return false }
            }
        } catch {
            Log.error("media", "the helper talks nonsense and is ended", ["error": "\(error)"])
            return false
        }
        return state == .open
    }

    /// The first event must be a greeting in our version; the others go on. False if it is another.
    private func greet(_ event: HelperEvent, _ link: inout Link) -> Bool {
        guard case .ready(let version) = event else {
            if link.isReady { received(event) }
            return true
        }
        guard version == WireFormat.version else {
            changed(
                .unavailable(
                    .refused("it is of another version than aircheck: install both from one package")))
            return false
        }
        // What was queued for the one before would make no sense to this one.
        let restarts = shared.withLock { state in
            state.pending = []
            state.pendingBytes = 0
            return state.counters.restarts
        }
        link.isReady = true
        changed(.ready(restarts: restarts))
        return true
    }
}

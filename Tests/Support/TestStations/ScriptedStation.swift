internal import CLinux
package import Platform

/// A station on loopback that does to every connection exactly what a script says: a small real server with POSIX
/// sockets and a thread for each connection.
package final class ScriptedStation: Sendable {
    /// One request as it came.
    package struct Request: Sendable, Hashable {
        /// How many requests the station had answered before this one.
        package var number: Int
        /// How many of them were for the same target.
        package var numberForTarget: Int
        package var method: String
        /// Path and query, byte for byte.
        package var target: String
        /// The whole head as it came, up to the empty line.
        package var head: String
        package var time: MonotonicTime

        /// The value of a header, or nil. Case does not count.
        package func header(_ name: String) -> String? {
            for line in head.split(separator: "\r\n").dropFirst() {
                guard let colon = line.firstIndex(of: ":") else { continue }
                if line[..<colon].lowercased() == name.lowercased() {
                    return String(line[line.index(after: colon)...].drop { $0 == " " })
                }
            }
            return nil
        }
    }

    /// A connection that is served; its thread is known a moment after it has begun.
    struct Slot {
        var thread: WorkerThread?
    }

    struct State {
        var listener: Int32
        var isStopping = false
        var requests: [Request] = []
        var connections: [Int32: Slot] = [:]
        var ended: [WorkerThread] = []
        var mostOpen = 0
        var accepted = 0
    }

    package let programme: Programme
    package let port: UInt16
    let started: MonotonicTime
    let state: Lock<State>
    let stopSignal: Int32
    private let script: @Sendable (Request) -> [Step]
    private let acceptor = Lock<WorkerThread?>(nil)
    private let time = SystemTime()

    /// Starts a station on a free port of 127.0.0.1.
    /// - Parameter script: what to do for a request; called on the connection's thread.
    package init(_ programme: Programme, script: @escaping @Sendable (Request) -> [Step]) throws {
        self.programme = programme
        self.script = script
        let (listener, port) = try LoopbackSocket.bound(port: 0)
        guard listen(listener, 4096) == 0 else { throw SystemError(while: "listening") }
        self.port = port
        stopSignal = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        state = Lock(State(listener: listener))
        started = time.now
        acceptor.withLock { $0 = WorkerThread(name: "station") { [self] in acceptLoop() } }
    }

    /// A station with one script a request, in order; the last one serves all later requests.
    package convenience init(_ programme: Programme, scripts: [[Step]]) throws {
        precondition(!scripts.isEmpty, "a station without a script")
        try self.init(programme) { request in scripts[min(request.number, scripts.count - 1)] }
    }

    /// The address of a path on this station.
    package func url(_ path: String = "/live") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// All requests so far.
    package var requests: [Request] { state.withLock { $0.requests } }
    /// Connections open now.
    package var openConnections: Int { state.withLock { $0.connections.count } }
    /// The most connections that were open at once.
    package var mostOpenConnections: Int { state.withLock { $0.mostOpen } }
    /// Connections accepted so far, those without a request too.
    package var acceptedConnections: Int { state.withLock { $0.accepted } }
    /// The unit on air now.
    package var liveUnit: Int { programme.liveUnit(afterSeconds: time.now.seconds(since: started)) }

    /// Closes everything at once and waits for the threads.
    package func stop() {
        let first = state.withLock { state in
            defer { state.isStopping = true }
            return !state.isStopping
        }
        guard first else { return }
        var one: UInt64 = 1
        _ = write(stopSignal, &one, 8)
        acceptor.withLock { $0 }?.join()
        let threads = state.withLock { $0.connections.values.compactMap(\.thread) + $0.ended }
        for thread in threads { thread.join() }
        close(state.withLock { $0.listener })
    }

    /// Refuses connections for so many seconds of programme, from now on. The port stays ours: bound, not listening.
    package func refuse(seconds: Double) {
        swapListener()
        let real = seconds / programme.speed
        let thread = WorkerThread(name: "station-refuse") { [self] in
            guard pause(real, watching: nil) else { return }
            _ = listen(state.withLock { $0.listener }, 4096)
        }
        state.withLock { $0.ended.append(thread) }
    }

    private func swapListener() {
        let old = state.withLock { $0.listener }
        // The acceptor's poll still holds the socket: only the shutdown ends its listening at once.
        shutdown(old, Int32(SHUT_RDWR))
        close(old)
        if let (fresh, _) = try? LoopbackSocket.bound(port: port) { state.withLock { $0.listener = fresh } }
    }

    // MARK: Connections

    private func acceptLoop() {
        while !state.withLock({ $0.isStopping }) {
            let listener = state.withLock { $0.listener }
            var waited = [
                pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stopSignal, events: Int16(POLLIN), revents: 0),
            ]
            _ = poll(&waited, 2, 20)
            guard waited[0].revents != 0 else { continue }
            var peer = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let socket = aircheck_accept(listener, &peer, &length)
            if socket >= 0 { serve(socket) } else { _ = pause(0.005, watching: nil) }
        }
    }

    private func serve(_ socket: Int32) {
        state.withLock { state in
            state.accepted += 1
            state.connections[socket] = Slot()
            state.mostOpen = max(state.mostOpen, state.connections.count)
        }
        let thread = WorkerThread(name: "station-conn") { [self] in
            var connection = Connection(station: self, socket: socket)
            connection.run()
        }
        // The thread may have ended already; then it is only to be joined.
        state.withLock { state in
            if state.connections[socket] != nil {
                state.connections[socket]?.thread = thread
            } else {
                state.ended.append(thread)
            }
        }
    }

    /// Called by a connection just before it closes its socket.
    func forget(_ socket: Int32) {
        state.withLock { state in
            if let thread = state.connections.removeValue(forKey: socket)?.thread {
                state.ended.append(thread)
            }
        }
    }

    func steps(forHead head: String) -> [Step] {
        let words = head.prefix { $0 != "\r\n" && $0 != "\n" }.split(separator: " ")
        let method = words.first.map(String.init) ?? ""
        let target = words.dropFirst().first.map(String.init) ?? ""
        let request = state.withLock { state in
            let request = Request(
                number: state.requests.count,
                numberForTarget: state.requests.count { $0.target == target },
                method: method, target: target, head: head, time: time.now)
            state.requests.append(request)
            return request
        }
        return script(request)
    }

    // MARK: Waiting

    /// Seconds of real time since the station started.
    var age: Double { time.now.seconds(since: started) }

    /// Waits so many real seconds. False when the station stops or the client of `socket` has gone.
    func pause(_ seconds: Double, watching socket: Int32?) -> Bool {
        let end = time.now.advanced(bySeconds: min(seconds, 86_400))
        while true {
            let left = end.seconds(since: time.now)
            guard left > 0 else { return true }
            var waited = [pollfd(fd: stopSignal, events: Int16(POLLIN), revents: 0)]
            if let socket { waited.append(pollfd(fd: socket, events: Int16(POLLIN), revents: 0)) }
            _ = poll(&waited, nfds_t(waited.count), Int32((left * 1000).rounded(.up)))
            if waited[0].revents != 0 { return false }
            if let socket, waited[1].revents != 0, LoopbackSocket.isGone(socket) { return false }
        }
    }
}

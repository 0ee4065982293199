internal import CLinux
internal import Glibc
package import Platform

/// The listening sockets of the process: those it was given at its start, and those that it hands to the program that
/// takes its place.
///
/// A process has one environment and one set of descriptors, so this is one value for all. systemd's way to pass sockets
/// on (sd_listen_fds(3)) is the one between us and our next version too. Any thread.
package enum ListeningSockets {
    private struct State {
        /// Given to us and not asked for yet.
        var inherited: [(endpoint: Endpoint, descriptor: Int32)] = []
        var wereInherited = false
        /// Open now, by descriptor.
        var open: [Int32: Weak] = [:]
    }

    private struct Weak {
        weak var listener: Listener?
    }

    private static let state = Lock(State())

    /// The first descriptor that is passed on. Source: sd_listen_fds(3).
    private static let first: Int32 = 3
    /// More than any service of ours opens.
    private static let most: Int32 = 64
    /// Copies lie here until they are moved to their places: above all places, below all limits.
    private static let parking: Int32 = 128

    // MARK: Taking over

    /// Notes the sockets that whoever started this process has opened for it. Main thread, before anything listens.
    /// - Returns: how many there are.
    @discardableResult
    package static func inherit(from environment: [String: String]) -> Int {
        guard environment["LISTEN_PID"].flatMap({ Int32($0) }) == getpid(),
            let count = environment["LISTEN_FDS"].flatMap({ Int32($0) }), (1...most).contains(count)
        else { return 0 }
        // What we start ourselves is not meant.
        unsetenv("LISTEN_PID")
        unsetenv("LISTEN_FDS")
        unsetenv("LISTEN_FDNAMES")
        let found = (first..<(first + count)).map { descriptor -> (Endpoint, Int32) in
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            return (ListeningSocket.endpoint(of: descriptor), descriptor)
        }
        state.withLock { state in
            state.inherited = found
            state.wereInherited = true
        }
        return found.count
    }

    /// Some were given to us at the start.
    package static var wereInherited: Bool { state.withLock { $0.wereInherited } }

    /// The socket that listens there already, if we were given one.
    static func take(_ endpoint: Endpoint) -> Int32? {
        let wanted = plain(endpoint)
        return state.withLock { state in
            guard let index = state.inherited.firstIndex(where: { $0.endpoint == wanted }) else { return nil }
            return state.inherited.remove(at: index).descriptor
        }
    }

    private static func plain(_ endpoint: Endpoint) -> Endpoint {
        switch endpoint {
        case .tcp("localhost", let port): .tcp(host: "127.0.0.1", port: port)
        case .unix(let path, _): .unix(path: path)
        default: endpoint
        }
    }

    /// Closes what was given to us and nobody asked for: connections would wait there for ever.
    /// - Returns: where it listened.
    package static func closeUnclaimed() -> [Endpoint] {
        let left = state.withLock { state in
            defer { state.inherited = [] }
            return state.inherited
        }
        for (_, descriptor) in left { close(descriptor) }
        return left.map(\.endpoint)
    }

    // MARK: Handing over

    static func opened(_ descriptor: Int32, by listener: Listener) {
        state.withLock { $0.open[descriptor] = Weak(listener: listener) }
    }

    static func closed(_ descriptor: Int32) { state.withLock { $0.open[descriptor] = nil } }

    /// Accepts no more, and keeps every listening socket open whatever becomes of those who opened them: who connects now
    /// waits in the kernel's queue for the next program.
    package static func hold() -> HeldSockets {
        let open = state.withLock { state in
            defer { state.open = [:] }
            return state.open
        }
        var copies: [Int32] = []
        for (descriptor, holder) in open.sorted(by: { $0.key < $1.key }) {
            holder.listener?.handOver()
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, parking)
            if copy >= 0, copies.count < most { copies.append(copy) }
        }
        return HeldSockets(copies: copies)
    }

    /// Listening sockets on their way to the next program.
    package struct HeldSockets: Sendable {
        fileprivate let copies: [Int32]

        /// Puts the sockets where the next program looks for them, and runs it in the place of this one. Every thread that
        /// still runs ends at once. Returns only when that fails.
        package func replaceProcess(
            with program: String, arguments: [String], environment: [String: String]
        ) -> SystemError {
            for (index, copy) in copies.enumerated() { dup2(copy, first + Int32(index)) }
            var variables = environment
            variables["LISTEN_PID"] = "\(getpid())"
            variables["LISTEN_FDS"] = "\(copies.count)"
            return Program.replace(with: program, arguments: arguments, environment: variables)
        }
    }

    /// A descriptor that the next program may use under the same number: none of those that sockets are put at.
    /// - Returns: nil where there is no descriptor left; the socket is closed then, as it is under its old number.
    package static func passedOn(_ socket: consuming FileDescriptor) -> Int32? {
        if socket.number >= parking, fcntl(socket.number, F_SETFD, 0) == 0 { return socket.release() }
        let copy = fcntl(socket.number, F_DUPFD, parking)
        return copy >= 0 ? copy : nil
    }
}

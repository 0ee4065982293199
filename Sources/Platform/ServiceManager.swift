internal import CLinux
internal import Glibc

/// What a service tells systemd: a datagram to the socket that `NOTIFY_SOCKET` names. Without one nothing is said.
///
/// Source: sd_notify(3); the protocol is text and stable, so that no library is needed for it. Any thread.
package struct ServiceManager: Sendable {
    private let path: String?
    /// Seconds between two signs of life, half of what systemd waits; nil where it does not.
    package let lifeSignSeconds: Double?

    package init(environment: [String: String]) {
        path = environment["NOTIFY_SOCKET"].flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
        let isForUs = environment["WATCHDOG_PID"].map { $0 == "\(getpid())" } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Double($0) } ?? 0
        lifeSignSeconds = isForUs && microseconds > 0 ? microseconds / 2e6 : nil
    }

    package func ready() { tell("READY=1") }
    package func ending() { tell("STOPPING=1") }
    package func alive() { tell("WATCHDOG=1") }

    /// Gives signs of life while `body` takes its time, on a thread of its own; for two minutes at most, as what takes longer
    /// hangs.
    package func staying<Result>(aliveDuring body: () throws -> Result) rethrows -> Result {
        guard let pause = lifeSignSeconds, path != nil else { return try body() }
        let isOver = Lock(false)
        let bell = Semaphore()
        let thread = WorkerThread(name: "life signs") { [self] in
            for _ in 0..<Int(min(max(Self.patience / pause, 1), 100_000)) where !isOver.withLock({ $0 }) {
                alive()
                _ = bell.wait(seconds: pause)
            }
        }
        defer {
            isOver.withLock { $0 = true }
            bell.signal()
            thread.join()
        }
        return try body()
    }

    private static let patience = 120.0

    /// Before a reload; `ready` follows it.
    package func reloading(at now: MonotonicTime) {
        tell("RELOADING=1\nMONOTONIC_USEC=\(now.nanoseconds / 1000)")
    }

    private func tell(_ text: String) {
        guard let path else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(path.utf8)
        guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        // A name of the abstract kind begins with a zero.
        if name[0] == UInt8(ascii: "@") { name[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return }
        defer { close(socket) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let bytes = Array(text.utf8)
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = sendto(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, length)
            }
        }
    }
}

internal import CLinux
internal import Glibc
import Platform

/// Sockets that are read together every so often. Nobody is woken by what comes on them meanwhile: it waits in the kernel.
///
/// Lives on the engine's thread.
final class ReadingRounds {
    let seconds: Double
    /// The next round has been arranged.
    var isRunning = false
    private let poller = FileDescriptor(owning: epoll_create1(Int32(EPOLL_CLOEXEC)))
    private var sockets: Set<Int32> = []
    private var events = [epoll_event](repeating: epoll_event(), count: ReadingRounds.eventsAtOnce)

    private static let eventsAtOnce = 256
    /// A read brings one TLS record, or one buffer: so many of them make a round of one socket.
    static let readsPerRound = 24

    init(seconds: Double) { self.seconds = seconds }

    var isEmpty: Bool { sockets.isEmpty }

    /// Seconds until the next round.
    func secondsToNext(from now: MonotonicTime) -> Double {
        seconds - (Double(now.nanoseconds) / 1e9).truncatingRemainder(dividingBy: seconds)
    }

    func add(_ socket: Int32) {
        var event = epoll_event()
        event.events = UInt32(EPOLLIN.rawValue)
        event.data.fd = socket
        if sockets.insert(socket).inserted { epoll_ctl(poller.number, EPOLL_CTL_ADD, socket, &event) }
    }

    func remove(_ socket: Int32) {
        if sockets.remove(socket) != nil { epoll_ctl(poller.number, EPOLL_CTL_DEL, socket, nil) }
    }

    /// Calls `act` for every socket with something to read, again and again until there is none, within bounds.
    func forEachReadable(_ act: (_ socket: Int32, _ events: UInt32) -> Void) {
        var left = sockets.count * Self.readsPerRound
        while left > 0 {
            let count = Int(epoll_wait(poller.number, &events, Int32(events.count), 0))
            guard count > 0 else { return }
            for index in 0..<min(count, events.count) where sockets.contains(events[index].data.fd) {
                act(events[index].data.fd, events[index].events)
            }
            left -= count
        }
    }
}

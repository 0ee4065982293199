internal import CLinux
internal import Glibc
internal import Platform

/// One question to a working helper and its answer, on the calling thread.
struct JobExchange {
    /// So often it is asked whether the answer is still wanted.
    private static let lookSeconds = 0.25

    private var channel = HelperChannel()
    private let deadline: MonotonicTime
    private let seconds: Double
    private let time: any TimeSource

    init(timeout seconds: Double, time: any TimeSource) {
        self.seconds = seconds
        self.time = time
        deadline = time.now.advanced(bySeconds: seconds)
    }

    /// Sends the commands and gathers events until `done`.
    /// - Parameter isUnwanted: asked a few times a second; ends it with `unwanted`.
    mutating func run(
        _ commands: [HelperCommand], on process: borrowing ChildProcess,
        isUnwanted: () -> Bool = { false }
    ) throws(MediaError) -> [HelperEvent] {
        for command in commands { channel.enqueue(command.message) }
        var events: [HelperEvent] = []
        while true {
            if isUnwanted() { throw .unwanted }
            try wait(for: process.socket.number)
            // A helper that refuses early does not read on: its answer is looked for before its death is believed.
            let written = channel.flush(to: process.socket.number)
            let read = channel.fill(from: process.socket.number)
            if try take(into: &events) { return events }
            guard written == .open, read == .open else { throw .died }
        }
    }

    private func wait(for socket: Int32) throws(MediaError) {
        let left = deadline.seconds(since: time.now)
        guard left > 0 else { throw .timedOut(seconds: seconds) }
        let wanted = Int16(POLLIN) | (channel.wantsToWrite ? Int16(POLLOUT) : 0)
        var poller = pollfd(fd: socket, events: wanted, revents: 0)
        _ = poll(&poller, 1, Int32(min(left, Self.lookSeconds) * 1000) + 1)
    }

    /// True once the answer is complete.
    private mutating func take(into events: inout [HelperEvent]) throws(MediaError) -> Bool {
        do {
            while let event = try channel.next() {
                switch event {
                case .done: return true
                case .failed(_, let reason): throw MediaError.refused(reason)
                case .ready(let version):
                    guard version == WireFormat.version else {
                        throw MediaError.refused("it is of another version")
                    }
                default: events.append(event)
                }
            }
            return false
        } catch let error as MediaError {
            throw error
        } catch {
            throw .refused("its answer makes no sense (\(error))")
        }
    }
}

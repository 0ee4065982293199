internal import Glibc
package import Platform

/// A place where the service's own player can sound.
package struct SoundSink: Sendable, Hashable {
    /// As the sound server knows it.
    package var name: String
    /// As people know it.
    package var description: String

    /// The sinks of the user's sound server, by asking a helper. Blocks for two seconds at most.
    /// - Returns: nil where no sound server answers.
    package static func all(binary: String, time: any TimeSource = SystemTime()) throws(MediaError)
        -> [SoundSink]?
    {
        let helper = try HelperLaunch(binary: binary, mode: .sinks, showsErrors: false).start()
        let text = read(helper.socket, until: time.now.advanced(bySeconds: patience), time)
        return parse(text)
    }

    private static let patience = 2.0
    private static let limit = 64 << 10

    /// Until the helper closes its end.
    private static func read(
        _ socket: borrowing FileDescriptor, until end: MonotonicTime, _ time: any TimeSource
    ) -> [UInt8] {
        var text: [UInt8] = []
        while text.count < limit {
            var poller = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
            let left = end.seconds(since: time.now)
            guard left > 0, poll(&poller, 1, Int32(left * 1000) + 1) > 0 else { break }
            var part = [UInt8](repeating: 0, count: 4096)
            let count = Glibc.read(socket.number, &part, part.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { break }
            text += part.prefix(count)
        }
        return text
    }

    /// Nil for an answer that does not end with an empty line.
    static func parse(_ text: [UInt8]) -> [SoundSink]? {
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard lines.count >= 2, lines[lines.count - 2].isEmpty else { return nil }
        return lines.dropLast(2).compactMap { line in
            let parts = line.split(separator: UInt8(ascii: "\t"), maxSplits: 1)
            guard let name = parts.first, !name.isEmpty else { return nil }
            let described = parts.count > 1 ? parts[1] : name
            return SoundSink(
                name: String(decoding: name, as: UTF8.self),
                description: String(decoding: described, as: UTF8.self))
        }
    }
}

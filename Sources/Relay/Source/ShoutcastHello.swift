internal import HTTPWire

/// Shoutcast v1 from the server's side: a line with the password, `OK2`, headers, an empty line, and then the stream.
///
/// libshout ends lines with a bare LF and sends everything at once; others wait for `OK2`. Both are read. Pure.
package struct ShoutcastHello: Sendable {
    package enum Event: Sendable, Hashable {
        /// The first line is there: check it, and answer `OK2` or close.
        case password(String)
        /// The headers are over; what follows `leftover` on is the stream.
        case begins(SourceHello, leftover: [UInt8])
        /// Not Shoutcast, or too much of it.
        case malformed
    }

    private enum State {
        case password, headers, done
    }

    private var state = State.password
    private var buffer: [UInt8] = []
    private var headers = HeaderFields()

    private static let lineLimit = 1024
    private static let headerLimit = 64

    package init() {}

    /// Takes bytes of the connection; returns what they complete, in order.
    package mutating func take(_ bytes: [UInt8]) -> [Event] {
        var events: [Event] = []
        buffer += bytes
        while state != .done, let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
            var line = buffer[..<end]
            if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
            let text = ASCIIText.decodingHeader(line)
            buffer.removeFirst(end + 1)
            if let event = take(line: text) { events.append(event) }
        }
        if state != .done, buffer.count > Self.lineLimit {
            state = .done
            events.append(.malformed)
        }
        return events
    }

    private mutating func take(line: String) -> Event? {
        guard line.utf8.count <= Self.lineLimit else { return fail() }
        switch state {
        case .password:
            state = .headers
            return .password(line)
        case .headers where line.isEmpty:
            state = .done
            defer { buffer = [] }
            if !headers.contains("content-type") { headers.add("content-type", "audio/mpeg") }
            return .begins(SourceHello(headers), leftover: buffer)
        case .headers:
            let sides = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, headers.count < Self.headerLimit else { return fail() }
            headers.add(String(ASCIIText.trimmed(sides[0])), String(ASCIIText.trimmed(sides[1])))
            return nil
        case .done: return nil
        }
    }

    private mutating func fail() -> Event {
        state = .done
        return .malformed
    }
}

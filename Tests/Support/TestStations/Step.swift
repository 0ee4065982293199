/// One line of what a station does on a connection. Seconds are seconds of programme.
package enum Step: Sendable {
    /// These bytes as they stand: a response head, a page, a playlist, rubbish.
    case bytes([UInt8])
    /// From here on what is sent is coded in HTTP chunks.
    case chunked
    /// From here on metadata blocks are interleaved every so many bytes; titles are the programme's.
    case icy(interval: Int)
    /// Joins the programme so many seconds behind its live edge, sends its preamble and all up to the edge at once.
    case burst(Double)
    /// Joins the programme (or jumps in it) at this unit, without a preamble. The next `play` sends from there.
    case join(unit: Int)
    /// Goes on with the programme for so many seconds of it, never faster than live once it has caught up.
    case play(Double)
    /// Goes on for so many units.
    case playUnits(Int)
    /// Sends the next so many units at once, whatever the live edge is.
    case push(units: Int)
    /// Loses so many units: they are never sent on this connection.
    case skip(units: Int)
    /// Bytes amid the audio that are neither frame nor metadata; they pass through the interleaving as audio does.
    case junk([UInt8])
    /// The first bytes of the next unit; the rest of it is never sent.
    case partialUnit(bytes: Int)
    /// A metadata block out of turn, with its length byte, not counted in any interval.
    case block([UInt8])
    /// Sends nothing for so long and keeps the socket open. What the programme plays meanwhile is sent later by `play`.
    case stall(Double)
    /// An orderly close, FIN, even in mid-chunk. The script ends here, and so it does after the last step.
    case close
    /// A reset, RST.
    case reset
    /// Closes, and for so many seconds the whole station refuses connections.
    case refuse(Double)
    /// Reads the next request on this connection and starts over with the script for it.
    case nextRequest

    /// A head or a body given as text, byte for byte, with `\r\n` already in it.
    package static func text(_ text: String) -> Step { .bytes(Array(text.utf8)) }

    /// Rubbish of a given length that no scanner takes for frames: no byte is 0xFF.
    package static func junk(count: Int, seed: UInt64 = 1) -> Step {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        return .junk(
            (0..<count).map { _ in
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                return UInt8(truncatingIfNeeded: state >> 24) % 0xFF
            })
    }

    /// The head of an Icecast 2 server, and the interleaving it announces.
    package static func icecast(
        interval: Int? = 16_000, contentType: String = "audio/mpeg", name: String = "Test Station",
        extra: String = ""
    ) -> [Step] {
        let metaint = interval.map { "icy-metaint:\($0)\r\n" } ?? ""
        let head =
            "HTTP/1.0 200 OK\r\nServer: Icecast 2.4.4\r\nContent-Type: \(contentType)\r\nicy-br:128\r\n"
            + "icy-name:\(name)\r\nicy-pub:0\r\n\(metaint)\(extra)\r\n"
        return [.text(head)] + (interval.map { [.icy(interval: $0)] } ?? [])
    }

    /// A whole answer with its length, then the end of the connection.
    package static func answer(_ status: String = "200 OK", type: String, body: [UInt8]) -> [Step] {
        [
            .text(
                "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\n"
                    + "Connection: close\r\n\r\n"),
            .bytes(body), .close,
        ]
    }

    /// A redirect.
    package static func redirect(to target: String, status: String = "302 Found", extra: String = "")
        -> [Step]
    {
        [
            .text(
                "HTTP/1.1 \(status)\r\nLocation: \(target)\r\nContent-Length: 0\r\nConnection: close\r\n\(extra)\r\n"
            ),
            .close,
        ]
    }
}

internal import HTTPWire

/// Builds the head of an answer: the caller's headers, and the server's own where the caller gave none.
struct AnswerHead {
    var status: Int
    var fields: [HTTPResponse.Field]
    /// How the body ends.
    var framing: Framing
    var keepsAlive: Bool

    enum Framing: Equatable {
        /// The status has no body: 204, 304.
        case none
        case length(Int64)
        case chunked
        /// At the end of the connection.
        case close
    }

    /// Sent with every answer unless the handler says otherwise: nothing may be guessed, embedded, run or kept.
    private static let own: [(name: String, value: String)] = [
        ("Server", "aircheck"),
        ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ]

    func bytes(version: WireVersion, date: String) -> [UInt8] {
        var head = ResponseHead(status: status)
        head.add("Date", date)
        for (name, value) in Self.own
        where !fields.contains(where: { ASCIIText.equalIgnoringCase($0.name, name) }) {
            head.add(name, value)
        }
        for field in fields { head.add(field.name, field.value) }
        switch framing {
        case .none, .close: break
        case .length(let length): head.add("Content-Length", length)
        case .chunked: head.add("Transfer-Encoding", "chunked")
        }
        if !keepsAlive {
            head.add("Connection", "close")
        } else if version == .http10 {
            head.add("Connection", "keep-alive")
        }
        return head.bytes
    }

    /// Whether an answer of this status has a body at all. Source: RFC 9110 §6.4.1.
    static func hasBody(_ status: Int) -> Bool { status != 204 && status != 304 && status >= 200 }
}

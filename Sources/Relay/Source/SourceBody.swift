package import HTTPWire

/// The bytes of a source's stream without what the transfer wrapped around them. Pure.
package struct SourceBody: Sendable {
    private enum Framing {
        case open
        case left(Int64)
        case chunked(ChunkedDecoder)
    }

    private var framing: Framing

    package init(_ framing: BodyFraming) {
        switch framing {
        case .none: self.framing = .left(0)
        case .untilClose: self.framing = .open
        case .length(let length): self.framing = .left(length)
        case .chunked: self.framing = .chunked(ChunkedDecoder())
        }
    }

    /// The stream has an end and it has been reached.
    package var isDone: Bool {
        switch framing {
        case .open: false
        case .left(let count): count == 0
        case .chunked(let decoder): decoder.isDone
        }
    }

    /// The stream among the next bytes of the connection.
    /// - Throws: `WireError` when chunks are malformed; the connection is lost then.
    package mutating func take(_ bytes: [UInt8]) throws(WireError) -> [UInt8] {
        switch framing {
        case .open: return bytes
        case .left(let count):
            let taken = min(count, Int64(bytes.count))
            framing = .left(count - taken)
            return taken == bytes.count ? bytes : Array(bytes.prefix(Int(taken)))
        case .chunked(var decoder):
            var data: [UInt8] = []
            data.reserveCapacity(bytes.count)
            _ = try decoder.feed(bytes.span, into: &data)
            framing = .chunked(decoder)
            return data
        }
    }
}

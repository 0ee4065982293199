/// Takes the chunk frames off a request body. The outcome depends on the bytes alone, not on how they were cut.
///
/// Strict: CRLF everywhere, no chunk extension, digits only, trailers counted and dropped. Source: RFC 9112 §7.1.
package struct ChunkedDecoder: Sendable {
    private enum State {
        case size(digits: Int)
        case sizeLineFeed
        case data
        case dataReturn
        case dataLineFeed
        case trailer(length: Int)
        case trailerLineFeed(wasEmpty: Bool)
        case done
    }

    private var state = State.size(digits: 0)
    private var remaining: UInt64 = 0
    private var trailerBytes = 0

    /// Hexadecimal digits of a chunk's size: at most 256 TiB a chunk.
    private static let sizeDigits = 12
    private static let trailerLimit = 4096

    package init() {}

    /// True after the last chunk and its trailers.
    package var isDone: Bool { if case .done = state { true } else { false } }

    /// Appends the data among `bytes` to `output`.
    /// - Returns: how many bytes were used: all, unless the body ended before.
    /// - Throws: `WireError.badChunk`. The decoder is spent then.
    package mutating func feed(_ bytes: Span<UInt8>, into output: inout [UInt8]) throws(WireError) -> Int {
        var index = 0
        while index < bytes.count, !isDone {
            if case .data = state {
                let end = index + Int(min(remaining, UInt64(bytes.count - index)))
                for position in index..<end { output.append(bytes[position]) }
                remaining -= UInt64(end - index)
                index = end
                if remaining == 0 { state = .dataReturn }
            } else {
                try take(bytes[index])
                index += 1
            }
        }
        return index
    }

    private mutating func take(_ octet: UInt8) throws(WireError) {
        switch state {
        case .size(let digits): try takeSize(octet, digits)
        case .sizeLineFeed:
            try expect(octet, Octet.lineFeed)
            state = remaining == 0 ? .trailer(length: 0) : .data
        case .dataReturn:
            try expect(octet, Octet.carriageReturn)
            state = .dataLineFeed
        case .dataLineFeed:
            try expect(octet, Octet.lineFeed)
            state = .size(digits: 0)
        case .trailer(let length): try takeTrailer(octet, length)
        case .trailerLineFeed(let wasEmpty):
            try expect(octet, Octet.lineFeed)
            state = wasEmpty ? .done : .trailer(length: 0)
        case .data, .done: return
        }
    }

    private mutating func takeSize(_ octet: UInt8, _ digits: Int) throws(WireError) {
        if octet == Octet.carriageReturn, digits > 0 {
            state = .sizeLineFeed
        } else if let value = Octet.hexValue(octet), digits < Self.sizeDigits {
            remaining = (digits == 0 ? 0 : remaining << 4) | UInt64(value)
            state = .size(digits: digits + 1)
        } else {
            throw .badChunk
        }
    }

    private mutating func takeTrailer(_ octet: UInt8, _ length: Int) throws(WireError) {
        trailerBytes += 1
        guard trailerBytes <= Self.trailerLimit else { throw .badChunk }
        if octet == Octet.carriageReturn {
            state = .trailerLineFeed(wasEmpty: length == 0)
        } else {
            guard Octet.isFieldValue(octet) else { throw .badChunk }
            state = .trailer(length: length + 1)
        }
    }

    private func expect(_ octet: UInt8, _ wanted: UInt8) throws(WireError) {
        if octet != wanted { throw .badChunk }
    }
}

/// Puts chunk frames around the pieces of an answer whose length nobody knows yet.
package enum ChunkedEncoder {
    /// What ends the body.
    package static let end: [UInt8] = Array("0\r\n\r\n".utf8)

    /// One chunk; nothing for no bytes, because an empty chunk would end the body.
    package static func chunk(_ bytes: some Collection<UInt8>) -> [UInt8] {
        guard !bytes.isEmpty else { return [] }
        return frame(byteCount: bytes.count) + bytes + [Octet.carriageReturn, Octet.lineFeed]
    }

    /// The line before a chunk of so many bytes; CRLF must follow the bytes.
    package static func frame(byteCount: Int) -> [UInt8] { Array("\(String(byteCount, radix: 16))\r\n".utf8) }
}

/// Finds the end of one request head in bytes that come in any pieces, and reads it.
///
/// The outcome depends on the bytes alone, never on how the network cut them. Line ends are CRLF; bare LF, which old radios
/// send, is taken in heads that announce no body. Source: RFC 9112 §2 to §6.
package struct RequestParser: Sendable {
    package enum Outcome: Sendable, Hashable {
        case needsMore
        case head(RequestHead)
        case failed(WireError)
    }

    private let limits: HeadLimits
    private var head: [UInt8] = []
    /// Where the current line starts in `head`.
    private var lineStart = 0
    /// Ends of the lines so far: where each starts and how long it is without its end.
    private var lines: [Range<Int>] = []
    private var sawBareLineFeed = false
    private var blankLinesBefore = 0
    private var failure: WireError?

    /// Empty lines that may stand before a request (RFC 9112 §2.2 allows one; some clients send two).
    private static let blankLinesAllowed = 2

    package init(limits: HeadLimits = HeadLimits()) { self.limits = limits }

    /// True when not one byte of a request has come.
    package var isIdle: Bool { head.isEmpty && lines.isEmpty }

    /// Takes bytes until the head is whole.
    /// - Returns: how many bytes were used, and what they came to. After `head` and `failed` the parser is spent.
    package mutating func feed(_ bytes: Span<UInt8>) -> (used: Int, outcome: Outcome) {
        if let failure { return (0, .failed(failure)) }
        for index in bytes.indices {
            do {
                if let done = try take(bytes[index]) { return (index + 1, .head(done)) }
            } catch {
                failure = error
                return (index + 1, .failed(error))
            }
        }
        return (bytes.count, .needsMore)
    }

    /// Takes one byte; gives the head when it was the last one.
    private mutating func take(_ octet: UInt8) throws(WireError) -> RequestHead? {
        if head.count >= limits.head { throw .headTooLarge }
        head.append(octet)
        guard octet == Octet.lineFeed else {
            if head.count - 1 > lineStart, head[head.count - 2] == Octet.carriageReturn { throw .badLineEnd }
            if lines.isEmpty, octet != Octet.carriageReturn, head.count - lineStart > limits.line {
                throw .lineTooLong
            }
            return nil
        }
        return try endLine()
    }

    private mutating func endLine() throws(WireError) -> RequestHead? {
        var end = head.count - 1
        if end > lineStart, head[end - 1] == Octet.carriageReturn { end -= 1 } else { sawBareLineFeed = true }
        let line = lineStart..<end
        lineStart = head.count
        if !line.isEmpty {
            // The request line does not count as a field.
            if lines.count > limits.fields { throw .tooManyHeaders }
            lines.append(line)
            return nil
        }
        guard lines.isEmpty else { return try finished() }
        blankLinesBefore += 1
        if blankLinesBefore > Self.blankLinesAllowed { throw .badRequestLine }
        return nil
    }

    private func finished() throws(WireError) -> RequestHead {
        var reading = HeadReading()
        for (index, line) in lines.enumerated() {
            if index == 0 { try reading.requestLine(head[line]) } else { try reading.field(head[line]) }
        }
        return try reading.head(sawBareLineFeed: sawBareLineFeed)
    }
}

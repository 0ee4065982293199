/// Why bytes from a client are not a request we take. Every case ends the connection: after it nobody can say where the
/// next request would begin.
package enum WireError: Error, Sendable, Hashable, CaseIterable {
    case lineTooLong
    case headTooLarge
    case tooManyHeaders
    case badRequestLine
    case badTarget
    case badVersion
    case unsupportedVersion
    case badHeader
    case badLineEnd
    case missingHost
    case conflictingHosts
    case badLength
    case conflictingLengths
    case badTransferCoding
    case badChunk
    case bodyTooLarge

    /// The status the client is told.
    package var status: Int {
        switch self {
        case .lineTooLong: 414
        case .headTooLarge, .tooManyHeaders: 431
        case .unsupportedVersion: 505
        case .bodyTooLarge: 413
        default: 400
        }
    }

    /// A fixed word for logs, counters and the error body.
    package var code: String {
        switch self {
        case .lineTooLong: "request_line_too_long"
        case .headTooLarge: "head_too_large"
        case .tooManyHeaders: "too_many_headers"
        case .badRequestLine: "bad_request_line"
        case .badTarget: "bad_target"
        case .badVersion: "bad_version"
        case .unsupportedVersion: "unsupported_version"
        case .badHeader: "bad_header"
        case .badLineEnd: "bad_line_end"
        case .missingHost: "missing_host"
        case .conflictingHosts: "conflicting_hosts"
        case .badLength: "bad_length"
        case .conflictingLengths: "conflicting_lengths"
        case .badTransferCoding: "bad_transfer_coding"
        case .badChunk: "bad_chunk"
        case .bodyTooLarge: "body_too_large"
        }
    }

    /// One sentence for a person. It repeats nothing of what was sent.
    package var message: String {
        switch self {
        case .lineTooLong: "The request line is too long."
        case .headTooLarge: "The request's headers are too large."
        case .tooManyHeaders: "The request has too many headers."
        case .badRequestLine: "The request line cannot be read."
        case .badTarget: "The request's address cannot be read."
        case .badVersion: "The request's HTTP version cannot be read."
        case .unsupportedVersion: "Only HTTP/1.0 and HTTP/1.1 are spoken here."
        case .badHeader: "A header of the request cannot be read."
        case .badLineEnd: "A line of the request does not end as it must."
        case .missingHost: "An HTTP/1.1 request needs a Host header."
        case .conflictingHosts: "The request names more than one host."
        case .badLength: "The Content-Length cannot be read."
        case .conflictingLengths: "The request gives the length of its body in more than one way."
        case .badTransferCoding: "Only the transfer coding chunked is taken, and only in HTTP/1.1."
        case .badChunk: "A chunk of the request's body cannot be read."
        case .bodyTooLarge: "The request's body is too large."
        }
    }
}

/// How large a request head may be.
package struct HeadLimits: Sendable, Hashable {
    /// Bytes of the request line, without its end.
    package var line: Int
    /// Bytes of the whole head, ends of lines included.
    package var head: Int
    /// Header fields.
    package var fields: Int

    package init(line: Int = 4 << 10, head: Int = 16 << 10, fields: Int = 64) {
        self.line = line
        self.head = head
        self.fields = fields
    }
}

/// The first lines of an answer, as bytes. Values are cleaned as they are added.
package struct ResponseHead: Sendable {
    package private(set) var status: Int
    private var text: String

    /// - Parameters:
    ///   - version: HTTP/1.0 for endless audio, which hardware expects; HTTP/1.1 otherwise.
    ///   - reason: instead of the status' usual words.
    package init(version: WireVersion = .http11, status: Int, reason: String? = nil) {
        self.status = status
        text =
            "\(version.rawValue) \(status) \(reason.map { HeaderText.cleaned($0) } ?? HTTPStatus.reason(status))\r\n"
    }

    /// Adds a field. The name is ours, never a stranger's.
    package mutating func add(_ name: String, _ value: some StringProtocol, limit: Int = HeaderText.limit) {
        text += name
        text += ": "
        text += HeaderText.cleaned(value, limit: limit)
        text += "\r\n"
    }

    package mutating func add(_ name: String, _ value: some BinaryInteger) { add(name, String(value)) }

    /// The head with the empty line that ends it.
    package var bytes: [UInt8] { Array(text.utf8) + [Octet.carriageReturn, Octet.lineFeed] }
}

/// The words that go with a status code.
package enum HTTPStatus {
    package static func reason(_ status: Int) -> String {
        switch status {
        case 100: "Continue"
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 206: "Partial Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 411: "Length Required"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 416: "Range Not Satisfiable"
        case 421: "Misdirected Request"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 505: "HTTP Version Not Supported"
        case 507: "Insufficient Storage"
        default: "Status"
        }
    }
}

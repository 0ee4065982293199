/// Which protocol the request line named.
package enum WireVersion: String, Sendable, Hashable {
    case http10 = "HTTP/1.0"
    case http11 = "HTTP/1.1"
    /// What old Icecast source clients write: `SOURCE /mount ICE/1.0`.
    case ice10 = "ICE/1.0"
}

/// How the end of a request's body is found.
package enum BodyFraming: Sendable, Hashable {
    case none
    /// So many bytes, above 0.
    case length(Int64)
    case chunked
    /// `SOURCE` or `PUT` without a length: a source client's stream until it closes. For everything else that takes a `PUT`,
    /// HTTP says that there is no body.
    case untilClose
}

/// The head of a request, read and checked.
package struct RequestHead: Sendable, Hashable {
    /// As sent, case included: `GET`.
    package var method: String
    /// The target's path as sent, without the query, percent-encoding untouched. `*` for `OPTIONS *`.
    package var rawPath: String
    /// The path's parts, percent-decoded, between slashes: `/a/b%20c` is `["a", "b c"]`, `/` is empty, `/a/` ends in an
    /// empty part. A part may hold a slash that came as `%2F`; none is `.` or `..`, none holds a control character.
    package var segments: [String]
    /// What follows the first `?`, undecoded.
    package var rawQuery: String
    package var version: WireVersion
    package var headers: HeaderFields
    package var framing: BodyFraming
    /// Who the request is for, from an absolute target or from `Host`: `radio.local:2472`. Nil in old requests.
    package var authority: String?

    /// The decoded path: `/a/b c`.
    package var path: String { "/" + segments.joined(separator: "/") }

    /// The decoded query.
    package var query: QueryParameters { QueryParameters(rawQuery) }

    /// True when the connection may carry another request after this one.
    package var wantsKeepAlive: Bool {
        let connection = headers.tokens("connection")
        switch version {
        case .http11: return !connection.contains("close")
        case .http10: return connection.contains("keep-alive") && !connection.contains("close")
        case .ice10: return false
        }
    }

    /// The client waits for `100 Continue` before it sends the body.
    package var expectsContinue: Bool {
        version == .http11
            && headers["expect"].map { ASCIIText.equalIgnoringCase($0, "100-continue") } == true
    }

    /// For tests and for requests that never were bytes.
    package init(
        method: String, rawPath: String, segments: [String], rawQuery: String = "",
        version: WireVersion = .http11,
        headers: HeaderFields = HeaderFields(), framing: BodyFraming = .none, authority: String? = nil
    ) {
        self.method = method
        self.rawPath = rawPath
        self.segments = segments
        self.rawQuery = rawQuery
        self.version = version
        self.headers = headers
        self.framing = framing
        self.authority = authority
    }
}

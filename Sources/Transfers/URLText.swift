internal import CCurl

/// An address as text, taken apart and put together by the same library that will connect to it, byte for byte.
///
/// Nothing is decoded, re-encoded or put in another case on the way (`;`, `~`, `%2f` stay), and no byte below 0x20 or
/// 0x7F gets in. Only http and https are addresses here.
package struct URLText: Sendable, Hashable {
    /// The whole address without user and password.
    package let text: String
    /// `http` or `https`.
    package let scheme: String
    /// As written, IPv6 in brackets.
    package let host: String
    package let port: Int
    /// Path without query, from the first slash on.
    package let path: String
    package let query: String?
    /// Decoded user and password, where the address holds any that are not empty.
    package let credentials: Credentials?

    /// What an address says of who asks. Never printed.
    package struct Credentials: Sendable, Hashable {
        package let user: String
        package let password: String
    }

    /// Why a text is no address of ours.
    package enum Fault: Error, Sendable, Hashable {
        case malformed
        /// A scheme that is not http or https.
        case scheme(String)
    }

    /// Takes an absolute address apart.
    package init(_ text: String) throws(Fault) { try self.init(parsing: text, against: nil) }

    /// Resolves a reference against this address (RFC 3986 §5).
    ///
    /// A backslash is no part of an address: it comes from lists that were made on somebody's own disk.
    package func resolving(_ reference: String) throws(Fault) -> URLText {
        guard !reference.utf8.contains(UInt8(ascii: "\\")) else { throw .malformed }
        var inherited = try URLText(parsing: reference, against: text)
        // A relative reference stays with the same server, and so does what was said to it.
        if inherited.credentials == nil, inherited.isSameOrigin(as: self) {
            inherited = inherited.with(credentials)
        }
        return inherited
    }

    /// Scheme, host and port: what credentials belong to.
    package func isSameOrigin(as other: URLText) -> Bool {
        scheme == other.scheme && host.lowercased() == other.host.lowercased() && port == other.port
    }

    /// What follows the last dot of the path's last component: `mp3`. Lower case; nil when there is none.
    package var pathExtension: String? {
        let last = path.split(separator: "/").last ?? ""
        guard let dot = last.lastIndex(of: "."), dot != last.startIndex else { return nil }
        let found = last[last.index(after: dot)...].prefix { $0 != ";" }.lowercased()
        return found.isEmpty || found.utf8.count > 8 ? nil : found
    }

    private func with(_ credentials: Credentials?) -> URLText {
        URLText(
            text: text, scheme: scheme, host: host, port: port, path: path, query: query,
            credentials: credentials)
    }

    private init(
        text: String, scheme: String, host: String, port: Int, path: String, query: String?,
        credentials: Credentials?
    ) {
        self.text = text
        self.scheme = scheme
        self.host = host
        self.port = port
        self.path = path
        self.query = query
        self.credentials = credentials
    }

    private init(parsing reference: String, against base: String?) throws(Fault) {
        let reference = reference.trimmingBlanks
        guard !reference.isEmpty, reference.utf8.count <= Self.longest,
            !reference.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
        else { throw .malformed }
        guard let handle = curl_url() else { throw .malformed }
        defer { curl_url_cleanup(handle) }
        let flags = UInt32(CURLU_PATH_AS_IS | CURLU_URLENCODE | CURLU_NON_SUPPORT_SCHEME)
        if let base {
            guard curl_url_set(handle, CURLUPART_URL, base, flags) == CURLUE_OK else { throw .malformed }
        }
        guard curl_url_set(handle, CURLUPART_URL, reference, flags) == CURLUE_OK else { throw .malformed }
        func part(_ which: CURLUPart, _ flags: Int32 = 0) -> String? {
            var found: UnsafeMutablePointer<CChar>?
            guard curl_url_get(handle, which, &found, UInt32(flags)) == CURLUE_OK, let found else {
                return nil
            }
            defer { curl_free(found) }
            return String(cString: found)
        }
        guard let scheme = part(CURLUPART_SCHEME)?.lowercased() else { throw .malformed }
        guard scheme == "http" || scheme == "https" else { throw .scheme(scheme) }
        guard let host = part(CURLUPART_HOST), !host.isEmpty,
            let port = part(CURLUPART_PORT, CURLU_DEFAULT_PORT).flatMap({ Int($0) })
        else { throw .malformed }
        let user = part(CURLUPART_USER, CURLU_URLDECODE) ?? ""
        let password = part(CURLUPART_PASSWORD, CURLU_URLDECODE) ?? ""
        for secret in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS, CURLUPART_FRAGMENT] {
            _ = curl_url_set(handle, secret, nil, 0)
        }
        guard let text = part(CURLUPART_URL) else { throw .malformed }
        self.init(
            text: text, scheme: scheme, host: host, port: port, path: part(CURLUPART_PATH) ?? "/",
            query: part(CURLUPART_QUERY),
            credentials: user.isEmpty && password.isEmpty ? nil : Credentials(user: user, password: password))
    }

    /// Longest address taken, in bytes; servers refuse longer ones.
    private static let longest = 8192
}

extension String {
    /// Without the blanks and line ends around it.
    fileprivate var trimmingBlanks: String {
        var rest = self[...]
        while let first = rest.unicodeScalars.first, first == " " || (0x09...0x0D).contains(first.value) {
            rest = rest.dropFirst()
        }
        while let last = rest.unicodeScalars.last, last == " " || (0x09...0x0D).contains(last.value) {
            rest = rest.dropLast()
        }
        return String(rest)
    }
}

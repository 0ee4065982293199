/// Whether a request that changes something may come from where it comes from.
///
/// A page anywhere on the web can make a browser send requests here. It cannot choose their `Origin` or `Sec-Fetch-Site`, and
/// cannot send JSON across origins without asking first. So an unsafe request must be JSON, and must prove that it is from our
/// own page, from no page at all, or from somebody who holds a token.
package enum OriginCheck {
    package enum Verdict: Sendable, Hashable {
        case allowed
        /// 415: the body must be declared as `application/json`.
        case wrongMediaType
        /// 403: from a foreign page.
        case foreignOrigin
    }

    /// Methods that promise to change nothing. Source: RFC 9110 §9.2.1.
    package static func isSafe(_ method: String) -> Bool { ["GET", "HEAD", "OPTIONS"].contains(method) }

    /// - Parameter isVouchedFor: the request carries a bearer token, or came over the unix socket; a browser does neither by
    ///   itself.
    package static func verdict(on head: RequestHead, isVouchedFor: Bool = false) -> Verdict {
        guard !isSafe(head.method) else { return .allowed }
        if !isVouchedFor && !comesFromHere(head) { return .foreignOrigin }
        guard MediaType.essence(head.headers["content-type"] ?? "") == "application/json" else {
            return .wrongMediaType
        }
        return .allowed
    }

    /// Whether another place's page may have made a browser send this, by whatever method: for addresses of old protocols
    /// that change something by GET, with credentials that a browser remembers.
    ///
    /// Programs send none of these headers and are let through. Over plain HTTP from another machine a browser sends no
    /// `Sec-Fetch-Site`, and a page can keep it from sending `Referer`; that it is a browser its languages tell.
    package static func mayComeFromAnotherPage(_ head: RequestHead) -> Bool {
        let headers = head.headers
        guard ["sec-fetch-site", "origin", "referer"].allSatisfy({ headers.all($0).count <= 1 }) else {
            return true
        }
        if let site = headers["sec-fetch-site"] { return site != "same-origin" && site != "none" }
        if let place = headers["origin"] ?? headers["referer"].map(origin(of:)) {
            return head.authority.map { !isSameOrigin(place, authority: $0) } ?? true
        }
        return headers["accept-language"].map { $0 != "*" } ?? false
    }

    /// `http://host:port` of an address.
    private static func origin(of address: String) -> String {
        guard let scheme = address.firstRange(of: "://") else { return address }
        return String(address[..<scheme.upperBound]) + address[scheme.upperBound...].prefix { $0 != "/" }
    }

    private static func comesFromHere(_ head: RequestHead) -> Bool {
        // More than one is not from a browser, and not from anybody we know.
        guard head.headers.all("sec-fetch-site").count <= 1, head.headers.all("origin").count <= 1 else {
            return false
        }
        if let site = head.headers["sec-fetch-site"] {
            return site == "same-origin" || site == "none"
        }
        guard let origin = head.headers["origin"], let authority = head.authority else { return false }
        return isSameOrigin(origin, authority: authority)
    }

    /// Whether `http://host:port` names the same place as a Host header. The scheme is the proxy's affair.
    static func isSameOrigin(_ origin: String, authority: String) -> Bool {
        for (scheme, port) in [("http://", ":80"), ("https://", ":443")] where origin.hasPrefix(scheme) {
            let place = ASCIIText.lowercased(origin.dropFirst(scheme.count))
            let own = ASCIIText.lowercased(authority)
            let shortened = own.hasSuffix(port) ? String(own.dropLast(port.utf8.count)) : own
            return !place.isEmpty && (place == own || place == shortened)
        }
        return false
    }
}

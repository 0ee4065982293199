/// What an `Authorization` header carries. It never prints its secret.
package enum Credentials: Sendable, Hashable, CustomStringConvertible {
    case basic(user: String, password: String)
    case bearer(token: String)

    /// Longest bearer token read, in bytes.
    package static let tokenLimit = 512

    /// Reads the header's value; nil for another scheme and for what cannot be read. Source: RFC 9110 §11.4, RFC 7617.
    package init?(header value: String) {
        let parts = value.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard parts.count == 2 else { return nil }
        let secret = ASCIIText.trimmed(parts[1])
        if ASCIIText.equalIgnoringCase(parts[0], "basic") {
            guard let bytes = Base64.decode(secret), let colon = bytes.firstIndex(of: Octet.colon) else {
                return nil
            }
            self = .basic(
                user: ASCIIText.decodingHeader(bytes[..<colon]),
                password: ASCIIText.decodingHeader(bytes[(colon + 1)...]))
        } else if ASCIIText.equalIgnoringCase(parts[0], "bearer") {
            guard !secret.isEmpty, secret.utf8.count <= Self.tokenLimit,
                secret.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
            else { return nil }
            self = .bearer(token: String(secret))
        } else {
            return nil
        }
    }

    package var description: String {
        switch self {
        case .basic: "basic credentials"
        case .bearer: "bearer token"
        }
    }
}

extension RequestHead {
    /// What the client says it is allowed by.
    package var credentials: Credentials? { headers["authorization"].flatMap(Credentials.init(header:)) }

    /// The value of a cookie. Source: RFC 6265 §5.4; at most 50 are looked at.
    package func cookie(_ name: String) -> String? {
        for header in headers.all("cookie") {
            for pair in header.split(separator: ";").prefix(50) {
                let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                if sides.count == 2, ASCIIText.trimmed(sides[0]) == name {
                    return String(ASCIIText.trimmed(sides[1]))
                }
            }
        }
        return nil
    }
}

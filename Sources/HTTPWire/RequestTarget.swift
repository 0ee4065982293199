/// What a request asks for: the second word of its first line. Source: RFC 9112 §3.2.
struct RequestTarget {
    var rawPath = ""
    var segments: [String] = []
    var rawQuery = ""
    /// Host and port of an absolute target (`GET http://host/path`).
    var authority: String?

    /// Most parts a path may have.
    private static let segmentLimit = 64

    init() {}

    init(_ octets: ArraySlice<UInt8>, method: String) throws(WireError) {
        guard octets.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { throw .badTarget }
        if octets.elementsEqual("*".utf8) {
            guard method == "OPTIONS" else { throw .badTarget }
            rawPath = "*"
            return
        }
        var rest = octets
        if rest.first != Octet.slash { rest = try takeAuthority(rest) }
        try readPath(rest)
    }

    /// Takes `http://host` off the front. What remains begins with a slash or a question mark, or is empty.
    private mutating func takeAuthority(_ octets: ArraySlice<UInt8>) throws(WireError) -> ArraySlice<UInt8> {
        let schemes = ["http://", "https://"].map { Array($0.utf8) }
        let scheme = schemes.first { octets.prefix($0.count).map(Octet.lowercased) == $0 }
        guard let scheme else { throw .badTarget }
        let rest = octets.dropFirst(scheme.count)
        let end = rest.firstIndex { $0 == Octet.slash || $0 == 0x3F } ?? rest.endIndex
        let host = rest[..<end]
        // No userinfo: it has no place in a request, and hides the host from the eye.
        guard !host.isEmpty, host.allSatisfy({ $0 < 0x80 && $0 != 0x40 }) else { throw .badTarget }
        authority = String(decoding: host, as: UTF8.self)
        return rest[end...]
    }

    private mutating func readPath(_ octets: ArraySlice<UInt8>) throws(WireError) {
        let question = octets.firstIndex(of: 0x3F) ?? octets.endIndex
        let path = octets[..<question]
        rawPath = path.isEmpty ? "/" : ASCIIText.decodingHeader(path)
        rawQuery = ASCIIText.decodingHeader(octets[question...].dropFirst())
        let parts = path.dropFirst().split(
            separator: Octet.slash, maxSplits: Self.segmentLimit, omittingEmptySubsequences: false)
        guard parts.count <= Self.segmentLimit else { throw .badTarget }
        if parts.count == 1 && parts[0].isEmpty { return }
        for part in parts { segments.append(try Self.segment(part)) }
    }

    private static func segment(_ octets: ArraySlice<UInt8>) throws(WireError) -> String {
        guard let decoded = PercentCoding.decode(octets, plusIsBlank: false),
            decoded.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { throw .badTarget }
        let text = ASCIIText.decodingHeader(decoded)
        guard text != "." && text != ".." else { throw .badTarget }
        return text
    }
}

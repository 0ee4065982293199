/// Reads the lines of one request head, in order, and joins what they say.
struct HeadReading {
    private var method = ""
    private var target = RequestTarget()
    private var version = WireVersion.http11
    private var headers = HeaderFields()

    private static let longestMethod = 24

    /// `METHOD target VERSION`, with exactly one blank between. Source: RFC 9112 §3.
    mutating func requestLine(_ line: ArraySlice<UInt8>) throws(WireError) {
        let parts = line.split(separator: Octet.space, maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, (1...Self.longestMethod).contains(parts[0].count),
            parts[0].allSatisfy(Octet.isToken)
        else { throw .badRequestLine }
        method = String(decoding: parts[0], as: UTF8.self)
        version = try Self.version(parts[2])
        target = try RequestTarget(parts[1], method: method)
    }

    private static func version(_ word: ArraySlice<UInt8>) throws(WireError) -> WireVersion {
        let text = String(decoding: word, as: UTF8.self)
        if let known = WireVersion(rawValue: text) { return known }
        let digits = word.suffix(3)
        guard text.utf8.count == 8, text.hasPrefix("HTTP/"),
            digits.allSatisfy({ $0 == 0x2E || Octet.isDigit($0) }),
            digits.dropFirst().first == 0x2E
        else { throw .badVersion }
        // A later minor version of 1 is answered as 1.1 (RFC 9110 §2.5).
        guard digits.first == 0x31 else { throw .unsupportedVersion }
        return .http11
    }

    /// `name: value`. A line that begins with a blank would continue the one before (obs-fold): refused, as is a blank
    /// before the colon. Source: RFC 9112 §5.
    mutating func field(_ line: ArraySlice<UInt8>) throws(WireError) {
        guard let colon = line.firstIndex(of: Octet.colon), colon > line.startIndex,
            line[..<colon].allSatisfy(Octet.isToken)
        else { throw .badHeader }
        let value = Self.trimmed(line[(colon + 1)...])
        guard value.allSatisfy(Octet.isFieldValue) else { throw .badHeader }
        headers.add(String(decoding: line[..<colon], as: UTF8.self), ASCIIText.decodingHeader(value))
    }

    private static func trimmed(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isBlank = { (octet: UInt8) in octet == Octet.space || octet == Octet.tab }
        var value = value.drop(while: isBlank)
        while let last = value.last, isBlank(last) { value.removeLast() }
        return value
    }

    /// The whole head, with what concerns more than one line decided.
    func head(sawBareLineFeed: Bool) throws(WireError) -> RequestHead {
        let framing = try framing()
        // Two readers may disagree about a bare LF; where a body follows, that is how requests are smuggled.
        let announcesBody = headers.contains("content-length") || headers.contains("transfer-encoding")
        if sawBareLineFeed && announcesBody { throw .badLineEnd }
        return RequestHead(
            method: method, rawPath: target.rawPath, segments: target.segments, rawQuery: target.rawQuery,
            version: version, headers: headers, framing: framing, authority: try authority())
    }

    /// Source: RFC 9112 §3.2. An absolute target and `Host` must agree.
    private func authority() throws(WireError) -> String? {
        let hosts = headers.all("host")
        guard hosts.count <= 1 else { throw .conflictingHosts }
        guard version != .http11 || hosts.count == 1 else { throw .missingHost }
        guard let named = target.authority else { return hosts.first }
        if let host = hosts.first, !ASCIIText.equalIgnoringCase(host, named) { throw .conflictingHosts }
        return named
    }

    /// Source: RFC 9112 §6.3, read strictly: what a proxy and we could read in two ways is refused.
    private func framing() throws(WireError) -> BodyFraming {
        let lengths = headers.all("content-length")
        let codings = headers.all("transfer-encoding")
        guard lengths.count + codings.count <= 1 else { throw .conflictingLengths }
        if let coding = codings.first {
            guard version == .http11, ASCIIText.equalIgnoringCase(coding, "chunked") else {
                throw .badTransferCoding
            }
            return .chunked
        }
        if let text = lengths.first {
            guard let length = Digits.parse(text) else { throw .badLength }
            return length == 0 ? .none : .length(length)
        }
        return method == "SOURCE" || method == "PUT" ? .untilClose : .none
    }
}

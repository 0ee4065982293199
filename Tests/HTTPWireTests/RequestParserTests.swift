import HTTPWire
import Testing

/// Feeds `text` in pieces and gives the first outcome that is not "more", with the bytes used up to there.
func parse(
    _ text: String, inPiecesOf piece: Int = .max, limits: HeadLimits = HeadLimits()
) -> (used: Int, outcome: RequestParser.Outcome) {
    var parser = RequestParser(limits: limits)
    let bytes = Array(text.utf8)
    var total = 0
    while total < bytes.count {
        let end = min(bytes.count, piece == .max ? bytes.count : total + piece)
        let (used, outcome) = parser.feed(bytes[total..<end].span)
        total += used
        if outcome != .needsMore { return (total, outcome) }
    }
    return (total, .needsMore)
}

private func readHead(_ text: String) -> RequestHead? {
    if case .head(let head) = parse(text).outcome { head } else { nil }
}

private func failure(_ text: String, limits: HeadLimits = HeadLimits()) -> WireError? {
    if case .failed(let error) = parse(text, limits: limits).outcome { error } else { nil }
}

@Suite("Request heads")
struct RequestParserTests {
    static let samples = [
        "GET /demo HTTP/1.0\r\n\r\n",
        "GET /demo?x=1&y HTTP/1.1\r\nHost: a:2472\r\nIcy-MetaData: 1\r\nRange: bytes=0-\r\n\r\nrest",
        "GET /demo HTTP/1.0\nHost: radio\nUser-Agent: old radio\n\n",
        "\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n",
        "SOURCE /live ICE/1.0\r\nice-name: Sender\r\nAuthorization: Basic c291cmNlOmhhY2ttZQ==\r\n\r\nID3",
        "PUT /live HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello",
        "OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: TLS/1.0, HTTP/1.1\r\n\r\n",
        "GET http://radio:80/x HTTP/1.1\r\nHost: radio:80\r\n\r\n",
        "GET /\u{FC}/%C3%BC HTTP/1.1\r\nHost: x\r\nX: \u{E9}\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nA : b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "GET /\rx HTTP/1.1\r\n\r\n",
        "\r\n\r\n\r\nGET / HTTP/1.1\r\n\r\n",
        "nonsense\r\n\r\n",
    ]

    @Test("come to the same however the network cuts them", arguments: samples)
    func splitInvariance(sample: String) {
        let whole = parse(sample)
        for piece in 1...max(1, sample.utf8.count) {
            let cut = parse(sample, inPiecesOf: piece)
            #expect(cut.outcome == whole.outcome && cut.used == whole.used, "pieces of \(piece)")
        }
    }

    @Test("are used up to their last byte and not beyond")
    func usedBytes() {
        let text = "GET / HTTP/1.0\r\n\r\nGET /next"
        #expect(parse(text).used == "GET / HTTP/1.0\r\n\r\n".utf8.count)
    }

    @Test("keep method, path, query and headers apart and readable")
    func parts() throws {
        let head = try #require(readHead(Self.samples[1]))
        #expect(head.method == "GET")
        #expect(head.segments == ["demo"])
        #expect(head.rawQuery == "x=1&y")
        #expect(head.query["x"] == "1" && head.query["y"] == "" && head.query["z"] == nil)
        #expect(head.headers["ICY-METADATA"] == "1")
        #expect(head.authority == "a:2472")
        #expect(head.wantsKeepAlive)
    }

    @Test(
        "decode a path's parts one by one, so that an encoded slash stays inside its part",
        arguments: [
            ("/", []), ("/a", ["a"]), ("/a/", ["a", ""]), ("/a//b", ["a", "", "b"]),
            ("/AC%2FDC/x", ["AC/DC", "x"]),
            ("/b%20c", ["b c"]), ("/a+b", ["a+b"]), ("/%C3%BC", ["ü"]), ("/%FC", ["ü"]),
            ("/x.y.m3u?z", ["x.y.m3u"]),
        ])
    func segments(target: String, expected: [String]) {
        #expect(readHead("GET \(target) HTTP/1.0\r\n\r\n")?.segments == expected)
    }

    @Test(
        "with a path that could leave its place are refused",
        arguments: [
            "/..", "/a/../b", "/.", "/%2e%2e/x", "/%2E", "/%00", "/a%0Ab", "/%7f", "/%", "/%4", "/%zz", "x",
            "*", "",
            "http://", "http:///x", "ftp://h/", "http://u@h/", "/a\u{7F}",
        ])
    func badTargets(target: String) {
        #expect(failure("GET \(target) HTTP/1.0\r\n\r\n") != nil)
    }

    @Test(
        "say how the body ends",
        arguments: [
            ("GET / HTTP/1.1\r\nHost: x\r\n\r\n", BodyFraming.none),
            ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 12\r\n\r\n", .length(12)),
            ("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", .none),
            ("PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n", .chunked),
            ("PUT / HTTP/1.1\r\nHost: x\r\n\r\n", .untilClose),
            ("SOURCE /m ICE/1.0\r\n\r\n", .untilClose), ("SOURCE /m HTTP/1.0\n\n", .untilClose),
        ])
    func framing(text: String, expected: BodyFraming) {
        #expect(readHead(text)?.framing == expected)
    }

    @Test(
        "know whether another request may follow",
        arguments: [
            ("HTTP/1.1", "", true), ("HTTP/1.1", "Connection: close\r\n", false),
            ("HTTP/1.1", "Connection: Upgrade, Close\r\n", false), ("HTTP/1.0", "", false),
            ("HTTP/1.0", "Connection: Keep-Alive\r\n", true), ("HTTP/1.7", "", true), ("ICE/1.0", "", false),
        ])
    func keepAlive(version: String, header: String, expected: Bool) {
        #expect(readHead("GET / \(version)\r\nHost: x\r\n\(header)\r\n")?.wantsKeepAlive == expected)
    }

    @Test("beyond a limit are refused with the status for it")
    func limits() {
        let limits = HeadLimits(line: 40, head: 200, fields: 3)
        #expect(failure("GET /\(String(repeating: "a", count: 40))", limits: limits) == .lineTooLong)
        #expect(
            failure("GET / HTTP/1.0\r\nA: \(String(repeating: "a", count: 200))", limits: limits)
                == .headTooLarge)
        let four = String(repeating: "a: b\r\n", count: 4)
        #expect(failure("GET / HTTP/1.0\r\n\(four)\r\n", limits: limits) == .tooManyHeaders)
        let three = String(repeating: "a: b\r\n", count: 3)
        #expect(failure("GET / HTTP/1.0\r\n\(three)\r\n", limits: limits) == nil)
        #expect(WireError.lineTooLong.status == 414 && WireError.headTooLarge.status == 431)
    }

    @Test("never repeat in an error what was sent", arguments: WireError.allCases)
    func errors(error: WireError) {
        #expect((400...505).contains(error.status))
        #expect(error.message.hasSuffix(".") && !error.code.contains(" "))
    }
}

/// What a proxy in front of us might read in another way than we do.
@Suite("Request smuggling")
struct SmugglingTests {
    static let start = "POST / HTTP/1.1\r\nHost: x\r\n"
    static let refused: [(String, WireError)] = [
        (start + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", .conflictingLengths),
        (start + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n", .conflictingLengths),
        (start + "Content-Length: 5\r\nContent-Length: 5\r\n\r\n", .conflictingLengths),
        (start + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n", .conflictingLengths),
        (start + "Content-Length: 5, 5\r\n\r\n", .badLength),
        (start + "Content-Length: +5\r\n\r\n", .badLength),
        (start + "Content-Length: -5\r\n\r\n", .badLength),
        (start + "Content-Length: 0x5\r\n\r\n", .badLength),
        (start + "Content-Length: 5 5\r\n\r\n", .badLength),
        (start + "Content-Length: \r\n\r\n", .badLength),
        (start + "Content-Length: 99999999999999999999\r\n\r\n", .badLength),
        (start + "Content-Length: 1e3\r\n\r\n", .badLength),
        (start + "Content-Length: \u{0665}\r\n\r\n", .badLength),
        (start + "Transfer-Encoding: gzip, chunked\r\n\r\n", .badTransferCoding),
        (start + "Transfer-Encoding: chunked, identity\r\n\r\n", .badTransferCoding),
        (start + "Transfer-Encoding: identity\r\n\r\n", .badTransferCoding),
        (start + "Transfer-Encoding: xchunked\r\n\r\n", .badTransferCoding),
        (start + "Transfer-Encoding: \"chunked\"\r\n\r\n", .badTransferCoding),
        (start + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", .conflictingLengths),
        (start + "Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n", .conflictingLengths),
        ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", .badTransferCoding),
        (start + "Transfer-Encoding : chunked\r\n\r\n", .badHeader),
        (start + "Transfer-Encoding\t: chunked\r\n\r\n", .badHeader),
        (start + " Transfer-Encoding: chunked\r\n\r\n", .badHeader),
        (start + "X: y\r\n Transfer-Encoding: chunked\r\n\r\n", .badHeader),
        (start + "X: y\r\n\tfolded\r\n\r\n", .badHeader),
        (start + "Transfer-Encoding\u{0}: chunked\r\n\r\n", .badHeader),
        (start + "Trans\u{E4}fer: x\r\n\r\n", .badHeader),
        (start + "X: a\u{0}b\r\n\r\n", .badHeader),
        (start + "X: a\u{1}b\r\n\r\n", .badHeader),
        (start + ": x\r\n\r\n", .badHeader),
        (start + "nocolon\r\n\r\n", .badHeader),
        (start + "X: a\rContent-Length: 5\r\n\r\n", .badLineEnd),
        (start + "Content-Length: 5\r\r\n\r\n", .badLineEnd),
        (start + "Content-Length: 5\n\r\n", .badLineEnd),
        (start + "Content-Length: 0\n\r\n", .badLineEnd),
        ("POST / HTTP/1.1\nHost: x\nTransfer-Encoding: chunked\n\n", .badLineEnd),
        (start + "Transfer-Encoding: chunked\r\n\n", .badLineEnd),
        ("GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", .conflictingHosts),
        ("GET / HTTP/1.0\r\nHost: x\r\nHost: x\r\n\r\n", .conflictingHosts),
        ("GET http://y/ HTTP/1.1\r\nHost: x\r\n\r\n", .conflictingHosts),
        ("GET / HTTP/1.1\r\n\r\n", .missingHost),
        ("GET  / HTTP/1.1\r\nHost: x\r\n\r\n", .badRequestLine),
        ("GET / HTTP/1.1 \r\nHost: x\r\n\r\n", .badRequestLine),
        ("GET\t/\tHTTP/1.1\r\nHost: x\r\n\r\n", .badRequestLine),
        (" GET / HTTP/1.1\r\nHost: x\r\n\r\n", .badRequestLine),
        ("G(T / HTTP/1.1\r\nHost: x\r\n\r\n", .badRequestLine),
        ("GET /\r\n\r\n", .badRequestLine),
        ("GET / HTTP/1\r\n\r\n", .badVersion),
        ("GET / http/1.1\r\n\r\n", .badVersion),
        ("GET / HTTP/1,1\r\n\r\n", .badVersion),
        ("GET / HTTP/2.0\r\n\r\n", .unsupportedVersion),
    ]

    @Test("is refused whatever shape it takes", arguments: refused)
    func refusals(text: String, error: WireError) {
        #expect(failure(text) == error)
    }

    @Test("a parser that has refused stays refused")
    func staysRefused() {
        var parser = RequestParser()
        _ = parser.feed(Array("nonsense\r\n\r\n".utf8).span)
        let (used, outcome) = parser.feed(Array("GET / HTTP/1.0\r\n\r\n".utf8).span)
        #expect(used == 0 && outcome == .failed(.badRequestLine))
    }
}

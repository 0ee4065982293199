import HTTPWire
import Testing

private func request(_ headers: [(String, String)], method: String = "GET", authority: String? = nil)
    -> RequestHead
{
    var fields = HeaderFields()
    for (name, value) in headers { fields.add(name, value) }
    return RequestHead(method: method, rawPath: "/", segments: [], headers: fields, authority: authority)
}

@Suite("Ranges")
struct ByteRangeTests {
    @Test(
        "are read and cut to the length",
        arguments: [
            ("bytes=0-499", 1000, 0..<500), ("bytes=500-", 1000, 500..<1000),
            ("bytes=-200", 1000, 800..<1000),
            ("bytes=-2000", 1000, 0..<1000), ("bytes=0-", 1000, 0..<1000),
            ("bytes=999-5000", 1000, 999..<1000),
            ("Bytes=0-0", 1, 0..<1), ("bytes=0-999999999999999999", 10, 0..<10),
        ] as [(String, Int64, Range<Int64>)])
    func resolved(header: String, length: Int64, expected: Range<Int64>) {
        #expect(ByteRange(header: header)?.resolved(length: length) == expected)
    }

    @Test("of which there is nothing are told apart from those that are not understood")
    func unsatisfiable() {
        for header in ["bytes=1000-", "bytes=-0", "bytes=1000-1001"] {
            #expect(
                ByteRange(header: header) != nil && ByteRange(header: header)?.resolved(length: 1000) == nil)
        }
        #expect(ByteRange(header: "bytes=-5")?.resolved(length: 0) == nil)
    }

    @Test(
        "that are not one plain range are ignored",
        arguments: [
            "bytes=0-1,5-6", "items=0-1", "bytes", "bytes=", "bytes=-", "bytes=5-1", "bytes=+1-2",
            "bytes=1-+2",
            "bytes=--1", "bytes=1-2-3", "bytes=0x1-2", "bytes= 1-2", "bytes=9999999999999999999-",
            "bytes=a-b", "",
        ])
    func ignored(header: String) {
        #expect(ByteRange(header: header) == nil)
    }
}

@Suite("Dates")
struct HTTPDateTests {
    @Test(
        "are written and read back",
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (1_795_999_199, "Mon, 30 Nov 2026 00:39:59 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
            (-62_135_596_800, "Mon, 01 Jan 0001 00:00:00 GMT"),
        ] as [(Int64, String)])
    func roundTrip(seconds: Int64, text: String) {
        #expect(HTTPDate.text(secondsSince1970: seconds) == text)
        #expect(HTTPDate.parse(text) == seconds)
    }

    @Test("are read in the two older forms too")
    func olderForms() {
        #expect(HTTPDate.parse("Sunday, 06-Nov-94 08:49:37 GMT") == 784_111_777)
        #expect(HTTPDate.parse("Sun Nov  6 08:49:37 1994") == 784_111_777)
    }

    @Test(
        "that no calendar has are refused",
        arguments: [
            "", "yesterday", "Sun, 31 Feb 2026 00:00:00 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 99999 08:49:37 GMT", "Sun, 06 Nov 0000 08:49:37 GMT",
        ])
    func refused(text: String) {
        #expect(HTTPDate.parse(text) == nil)
    }
}

@Suite("Credentials")
struct CredentialsTests {
    @Test(
        "of both kinds are read",
        arguments: [
            ("Basic c291cmNlOmhhY2ttZQ==", Credentials.basic(user: "source", password: "hackme")),
            ("basic  c291cmNlOmhhY2ttZQ", .basic(user: "source", password: "hackme")),
            ("Basic OmE6Yg==", .basic(user: "", password: "a:b")),
            ("Bearer abc.def", .bearer(token: "abc.def")),
        ])
    func read(header: String, expected: Credentials) {
        #expect(Credentials(header: header) == expected)
    }

    @Test(
        "that cannot be read are none",
        arguments: [
            "", "Basic", "Basic !!!!", "Basic c291cmNl", "Digest x", "Bearer ", "Bearer a b", "Basic c",
            "Bearer \(String(repeating: "a", count: 513))", "Basic \(String(repeating: "QUFB", count: 300))",
            "Basic =", "Basic Y===",
        ])
    func refused(header: String) {
        #expect(Credentials(header: header) == nil)
    }

    @Test("do not show their secret when printed")
    func secrecy() {
        #expect(
            !"\(Credentials.bearer(token: "geheim")) \(Credentials.basic(user: "u", password: "geheim"))"
                .contains("geheim"))
    }

    @Test("base64 gives back what it was given")
    func base64() {
        for length in 0..<40 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 37 + length) }
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        }
    }

    @Test(
        "base64 is that of RFC 4648",
        arguments: ["": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foobar": "Zm9vYmFy"])
    func base64(plain: String, coded: String) {
        #expect(Base64.encode(Array(plain.utf8)) == coded && Base64.decode(coded) == Array(plain.utf8))
    }

    @Test("cookies are found among others")
    func cookies() {
        let head = request([("Cookie", "a=1; session=x=y; b"), ("cookie", "late=2")])
        #expect(head.cookie("session") == "x=y" && head.cookie("late") == "2" && head.cookie("b") == nil)
    }
}

@Suite("Header values sent")
struct HeaderTextTests {
    @Test(
        "cannot end their line",
        arguments: ["a\r\nSet-Cookie: x", "a\nb", "a\u{85}b", "a\u{0}b", "\u{1b}[2J", " a "])
    func cleaned(text: String) {
        let clean = HeaderText.cleaned(text)
        #expect(clean.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) })
        #expect(HeaderText.cleaned(clean) == clean)
        var head = ResponseHead(status: 200)
        head.add("icy-name", text)
        #expect(String(decoding: head.bytes, as: UTF8.self).split(separator: "\r\n").count == 2)
    }

    @Test("are cut on a character's boundary")
    func cut() {
        #expect(HeaderText.cleaned("üüü", limit: 5) == "üü")
        #expect(HeaderText.cleaned("abc", limit: 3) == "abc")
    }

    @Test("an event's data cannot forge a field")
    func events() {
        let event = ServerSentEvent(name: "now\nid: 9", id: "1\r\ndata: x", data: "one\r\ntwo\rthree\n\nfive")
        let lines = String(decoding: event.bytes, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(
            lines == [
                "id: 1data: x", "event: nowid: 9", "data: one", "data: two", "data: three", "data: ",
                "data: five", "", "",
            ])
    }

    @Test(
        "names of files give their types",
        arguments: [
            ("a.MP3", "audio/mpeg"), ("x/y.flac", "audio/flac"), ("noext", MediaType.unknown),
            ("a.b/c", MediaType.unknown),
            ("page.html", "text/html; charset=utf-8"), (".", MediaType.unknown), ("", MediaType.unknown),
        ])
    func mediaTypes(name: String, type: String) {
        #expect(MediaType.forFile(name) == type)
    }
}

@Suite("Host rules")
struct HostRulesTests {
    private let rules = HostRules(names: ["Radio.example", "kitchen"], machineName: "Studio")

    @Test(
        "answer to addresses and to the names that were given",
        arguments: [
            nil, "127.0.0.1", "127.0.0.1:2472", "192.168.1.20:80", "[::1]:2472", "[::1]", "[2001:db8::1]",
            "[::ffff:1.2.3.4]",
            "[1:2:3:4:5:6:7:8]", "localhost", "LOCALHOST:2472", "localhost.", "radio.example",
            "RADIO.EXAMPLE:443", "kitchen",
            "studio", "studio.local", "Studio.local:2472", "localhost:",
        ])
    func allowed(authority: String?) {
        #expect(rules.allows(authority))
    }

    @Test(
        "answer to no other name",
        arguments: [
            "", "evil.example", "evil.example:2472", "localhost.evil.example", "127.0.0.1.evil.example",
            "127.1", "0x7f000001",
            "2130706433", "1.2.3.256", "1.2.3", "1.2.3.4.5", "[::1", "::1", "[::1]x", "[]", "[::1::2]",
            "[1:2:3:4:5:6:7]",
            "[1:2:3:4:5:6:7:8:9]", "[12345::]", "[::1.2.3]", "[fe80::1%25eth0]", "localhost:x",
            "localhost:123456", ":80",
            "user@localhost", "kitchen.local", "studio.evil", "localhost:80:80", "local\u{017F}host",
            "①②⑦.0.0.1",
        ])
    func refused(authority: String) {
        #expect(!rules.allows(authority))
    }
}

@Suite("Origin check")
struct OriginCheckTests {
    private static let json = ("Content-Type", "application/json")
    private static let host = "127.0.0.1:2472"

    @Test(
        "lets our own page, no page and token holders change things",
        arguments: [
            [json, ("Sec-Fetch-Site", "same-origin")], [json, ("Sec-Fetch-Site", "none")],
            [json, ("Origin", "http://127.0.0.1:2472")],
            [("Content-Type", "Application/JSON; charset=utf-8"), ("Sec-Fetch-Site", "same-origin")],
            [json, ("Sec-Fetch-Site", "same-origin"), ("Origin", "http://127.0.0.1:2472")],
        ])
    func allowed(headers: [(String, String)]) {
        for method in ["POST", "PUT", "PATCH", "DELETE"] {
            #expect(
                OriginCheck.verdict(on: request(headers, method: method, authority: Self.host)) == .allowed)
        }
    }

    @Test(
        "stops what a foreign page can make a browser send",
        arguments: [
            [], [json], [json, ("Origin", "http://evil.example")], [json, ("Origin", "null")],
            [json, ("Origin", "")],
            [json, ("Sec-Fetch-Site", "cross-site")], [json, ("Sec-Fetch-Site", "same-site")],
            [json, ("Sec-Fetch-Site", "cross-site"), ("Origin", "http://127.0.0.1:2472")],
            [json, ("Origin", "http://127.0.0.1:2473")], [json, ("Origin", "http://127.0.0.1")],
            [json, ("Origin", "file://")], [json, ("Origin", "http://127.0.0.1:2472.evil.example")],
            [json, ("Origin", "http://127.0.0.1:2472"), ("Origin", "http://evil.example")],
            [json, ("Sec-Fetch-Site", "same-origin"), ("Sec-Fetch-Site", "cross-site")],
            [json, ("Origin", "https://127.0.0.1:2472/")], [json, ("Sec-Fetch-Site", "Same-Origin")],
            [json, ("Origin", "http://")],
            [("Content-Type", "text/plain"), ("Origin", "http://evil.example")],
            [("Content-Type", "application/x-www-form-urlencoded"), ("Origin", "http://evil.example")],
        ])
    func foreign(headers: [(String, String)]) {
        #expect(
            OriginCheck.verdict(on: request(headers, method: "POST", authority: Self.host)) == .foreignOrigin)
    }

    @Test(
        "wants JSON even from our own page, because a form cannot send it",
        arguments: [
            "text/plain", "multipart/form-data", "application/x-www-form-urlencoded", "", "application/jsonp",
        ])
    func mediaType(type: String) {
        let headers = [("Content-Type", type), ("Sec-Fetch-Site", "same-origin")]
        #expect(
            OriginCheck.verdict(on: request(headers, method: "POST", authority: Self.host)) == .wrongMediaType
        )
        #expect(
            OriginCheck.verdict(on: request(headers, method: "POST"), isVouchedFor: true) == .wrongMediaType)
    }

    @Test("lets a token do without an origin, and everybody read")
    func others() {
        #expect(OriginCheck.verdict(on: request([Self.json], method: "POST"), isVouchedFor: true) == .allowed)
        #expect(
            OriginCheck.verdict(on: request([("Origin", "http://evil.example")], method: "GET")) == .allowed)
    }

    private static let ours = "http://127.0.0.1:2472"

    @Test(
        "by GET, a page elsewhere is told from a program, our page and who typed the address",
        arguments: [
            ([], false), ([("User-Agent", "libshout/2.4.6")], false), ([("Accept-Language", "*")], false),
            ([("Sec-Fetch-Site", "none"), ("Accept-Language", "de")], false),
            ([("Sec-Fetch-Site", "same-origin"), ("Referer", ours + "/player/")], false),
            ([("Referer", ours + "/admin/stats"), ("Accept-Language", "de")], false),
            ([("Origin", ours)], false), ([("Sec-Fetch-Site", "cross-site")], true),
            ([("Sec-Fetch-Site", "same-site")], true), ([("Origin", "http://evil.example")], true),
            ([("Origin", "null")], true), ([("Referer", "http://evil.example/" + ours)], true),
            ([("Referer", "http://127.0.0.1:2473/")], true), ([("Referer", "")], true),
            ([("Referer", ours + "@evil.example/")], true), ([("Accept-Language", "en-GB,en;q=0.5")], true),
            ([("Sec-Fetch-Site", "none"), ("Sec-Fetch-Site", "none")], true),
        ] as [([(String, String)], Bool)])
    func byGet(headers: [(String, String)], expected: Bool) {
        let head = request(headers, method: "GET", authority: Self.host)
        #expect(OriginCheck.mayComeFromAnotherPage(head) == expected)
    }

    @Test(
        "knows the default ports",
        arguments: [
            ("http://radio.example", "radio.example:80", true),
            ("http://radio.example", "radio.example", true),
            ("https://radio.example", "radio.example:443", true),
            ("https://Radio.Example", "radio.example", true),
            ("http://radio.example", "radio.example:8080", false),
            ("https://radio.example", "radio.example:80", false),
        ])
    func defaultPorts(origin: String, authority: String, expected: Bool) {
        let head = request([Self.json, ("Origin", origin)], method: "POST", authority: authority)
        #expect((OriginCheck.verdict(on: head) == .allowed) == expected)
    }
}

@Suite("Queries")
struct QueryParametersTests {
    @Test("are decoded, in order, with plus as a blank")
    func decoded() {
        let query = QueryParameters("mount=%2fx%2emp3&song=A+%2B+B&empty=&flag&song=2&=x&bad=%zz&l=%E9")
        #expect(
            query["mount"] == "/x.mp3" && query["song"] == "A + B" && query["empty"] == ""
                && query["flag"] == "")
        #expect(query.all("song") == ["A + B", "2"] && query["bad"] == nil && query[""] == nil)
        #expect(query["l"] == "é" && query.bytes("l") == [0xE9])
    }

    @Test("beyond the limit are not read")
    func limited() {
        #expect(
            QueryParameters(String(repeating: "a=1&", count: 200)).parameters.count == QueryParameters.limit)
    }

    @Test("encoding is undone by decoding")
    func encoding() {
        let text = "AC/DC & ü+%"
        #expect(PercentCoding.decode(PercentCoding.encode(text).utf8, plusIsBlank: true) == Array(text.utf8))
    }
}

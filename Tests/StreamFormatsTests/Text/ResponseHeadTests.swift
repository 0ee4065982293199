import StreamFormats
import Testing

/// Hands a head over as libcurl does: a line at a time with its end.
private func read(_ text: String, limits: ResponseHead.Limits = .init()) throws -> ResponseHead {
    var head = ResponseHead(limits: limits)
    for line in lines(bytes(text)) { try head.line(line.span) }
    return head
}

private func lines(_ bytes: [UInt8]) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var line: [UInt8] = []
    for byte in bytes {
        line.append(byte)
        if byte == 0x0A {
            lines.append(line)
            line = []
        }
    }
    return line.isEmpty ? lines : lines + [line]
}

private func icy(_ fields: String) throws -> ResponseHead { try read("ICY 200 OK\r\n\(fields)\r\n\r\n") }

@Suite("Response heads: lines")
struct ResponseHeadLineTests {
    @Test("reads the SHOUTcast kind, with no blank behind the colon")
    func shoutcast() throws {
        let head = try read(
            "ICY 200 OK\r\nicy-notice1:<BR>This stream requires <a href=\"http://player.example/\">a player</a><BR>\r\n"
                + "icy-name:Station One\r\nicy-genre:\r\nicy-url:http://station.example:8900\r\n"
                + "content-type:audio/mpeg\r\nicy-pub:0\r\nicy-metaint:8192\r\nicy-br:192\r\n\r\n")
        #expect(head.wire == .icy && head.status == 200 && head.isComplete && head.isStream)
        #expect(
            head.name == "Station One" && head.genre == nil && head.homepage == "http://station.example:8900")
        #expect(head.bitrate == 192 && head.metadata == .every(8192) && head.mediaType == "audio/mpeg")
        #expect(!head.isPublic)
    }

    @Test("ends lines at CRLF or LF, mixed as they like")
    func mixedLineEnds() throws {
        let head = try read(
            "ICY 200 OK\r\nicy-name: Big Band\r\nicy-metaint: 0\nicy-br: 64\r\nContent-Type: audio/mpeg\n\n")
        #expect(head.isComplete && head.name == "Big Band" && head.bitrate == 64 && head.metadata == .none)
    }

    @Test("starts anew at every status line: redirects, interim answers")
    func hops() throws {
        let head = try read(
            "HTTP/1.1 302 Found\r\nLocation: http://b.example/x\r\nicy-name: first\r\n\r\n"
                + "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200 OK\r\nContent-Type: audio/aacp\r\n\r\n")
        #expect(head.status == 200 && head.wire == .http10 && head.location == nil && head.name == nil)
    }

    @Test(
        "tells what is spoken",
        arguments: [
            ("ICY 200 OK", "icy", 200, "OK"), ("HTTP/1.0 200", "http/1.0", 200, ""),
            ("HTTP/1.1 200 OK", "http/1.1", 200, "OK"), ("HTTP/2 200 ", "http/2", 200, ""),
            ("icy 400 Server Full", "icy", 400, "Server Full"),
            ("ICY 401 Service Unavailable", "icy", 401, "Service Unavailable"),
            ("HTTP/1.1   404  Not Found", "http/1.1", 404, "Not Found"),
            ("HTTP/0.9 200 OK", "http/1.0", 200, "OK"),
        ])
    func statusLines(line: String, wire: String, status: Int, reason: String) throws {
        let head = try read("\(line)\r\n\r\n")
        #expect(head.wire?.rawValue == wire && head.status == status && head.reasonText == reason)
    }

    @Test(
        "takes no line for a status line that is none",
        arguments: ["HTTP/1.1", "ICY OK", "HTTP/1.1 2000 OK", "ICY 99 x", "XTTP/1.0 200 OK"])
    func noStatus(line: String) throws {
        #expect(try read("\(line)\r\n\r\n").status == 0)
        #expect(try !read("\(line)\r\n\r\n").isComplete)
    }

    @Test("joins a folded line to the value before it")
    func folding() throws {
        #expect(try icy("icy-name: Long\r\n  Name").name == "Long Name")
        #expect(
            try read("HTTP/1.0 200 OK\r\n folded on nothing\r\nnonsense without colon\r\n\r\n").fields.isEmpty
        )
    }

    @Test("keeps the bytes of a value, and reads them as UTF-8, else as told, else as Windows-1252")
    func charset() throws {
        let head = try icy("icy-name:Radio aus dem Westen \u{D6}sterreichs\r\nicy-genre: \u{D0}\u{B0}")
        #expect(head.value("ICY-NAME") == bytes("Radio aus dem Westen \u{D6}sterreichs"))
        #expect(head.name == "Radio aus dem Westen Österreichs" && head.genre == "а")
        #expect(head.text("icy-name", charset: "windows-1251") == "Radio aus dem Westen Цsterreichs")
    }

    @Test("lets no control into a text")
    func controls() throws {
        #expect(try icy("icy-name: A\u{1B}[2J\u{9B}31m\0B").name == "A[2J›31mB")
    }

    @Test("stops at the limits, and counts all hops together")
    func limits() {
        var limits = ResponseHead.Limits()
        limits.line = 40
        limits.total = 100
        limits.lines = 6
        #expect(throws: ResponseHead.Breach.line) {
            try read("HTTP/1.0 200 OK\r\nX: \(String(repeating: "y", count: 50))\r\n\r\n", limits: limits)
        }
        #expect(throws: ResponseHead.Breach.lines) {
            try read("HTTP/1.1 302 F\r\na: 1\r\n\r\nHTTP/1.1 200\r\na: 1\r\nb: 2\r\n\r\n", limits: limits)
        }
        #expect(throws: ResponseHead.Breach.total) {
            try read(String(repeating: "x: 345678901234567890\r\n", count: 5), limits: limits)
        }
    }

    @Test("never fails on any bytes", arguments: 1...100)
    func anyBytes(seed: UInt64) {
        var random = Seeded(seed)
        let words = [
            "ICY ", "HTTP/1.1 ", "200", " OK", ":", "icy-metaint:", "icy-br:", "99999999999999999999", "-1",
            "\n", "\r\n", "\0", "\u{FF}", " ", "ice-audio-info: ice-bitrate=", ";",
        ]
        var text: [UInt8] = bytes("ICY 200 OK\r\n")
        for _ in 0..<60 { text += bytes(words.randomElement(using: &random) ?? "") }
        var head = ResponseHead()
        for line in lines(text) { try? head.line(line.span) }
        _ = (
            head.metadata, head.bitrate, head.sampleRate, head.channels, head.name, head.mediaType,
            head.location
        )
        #expect(head.fields.count <= 256)
    }
}

@Suite("Response heads: what they say")
struct ResponseHeadFactTests {
    @Test(
        "the bit rate in kbit/s, or nothing",
        arguments: [
            ("128,128", 128), ("1411", 1411), ("128000", 128), ("192kbps", 192), ("8000", 8), ("7999", 7999),
            ("Quality 4", nil), ("-1", nil), ("0", nil), ("", nil), ("99999999999999999999", nil),
            ("999999999999", nil),
        ] as [(String, Int?)])
    func bitrate(value: String, expected: Int?) throws {
        #expect(try icy("icy-br: \(value)").bitrate == expected)
    }

    @Test("the first bit rate that makes sense, also out of ice-audio-info, with and without its prefix")
    func audioInfo() throws {
        let info = "ice-audio-info: ice-samplerate=44100;ice-bitrate=128;ice-channels=2"
        #expect(try icy("icy-br:Quality 4\r\nicy-br: 96\r\n\(info)").bitrate == 96)
        let head = try icy("icy-br:x\r\n\(info)")
        #expect(head.bitrate == 128 && head.sampleRate == 44_100 && head.channels == 2)
        #expect(try icy("ice-audio-info: bitrate=64; samplerate=22050").sampleRate == 22_050)
        #expect(try icy("icy-sr: 48000\r\n\(info)").sampleRate == 48_000)
    }

    @Test(
        "the metadata interval, digits alone",
        arguments: [
            ("16000", .every(16_000)), (" 5 ", .every(5)), ("1", .every(1)), ("1048576", .every(1_048_576)),
            ("0", .none),
            ("", .unusable), ("-1", .unusable), ("+5", .unusable), ("banana", .unusable),
            ("16000;x", .unusable),
            ("1e99", .unusable), ("1048577", .unusable), ("00000005", .unusable), ("2147483648", .unusable),
            ("9223372036854775808", .unusable), ("99999999999999999999", .unusable),
        ] as [(String, ResponseHead.Metadata)])
    func metaint(value: String, expected: ResponseHead.Metadata) throws {
        #expect(try icy("icy-metaint:\(value)").metadata == expected)
    }

    @Test("no interval when none is told or two differ")
    func twoIntervals() throws {
        #expect(try icy("icy-name: x").metadata == .none)
        #expect(try icy("icy-metaint: 8192\r\nicy-metaint: 16000").metadata == .unusable)
        #expect(try icy("icy-metaint: 8192\r\nIcy-MetaInt: 8192").metadata == .every(8192))
    }

    @Test(
        "the media type alone, in lower case",
        arguments: [
            ("audio/AACP;charset=UTF-8", "audio/aacp"), ("Audio/MPEG, audio/mpeg", "audio/mpeg"),
            ("audio/mpeg;codecs=\"mp3\"", "audio/mpeg"), (" video/mpeg ", "video/mpeg"), ("", nil),
            (";x", nil),
        ] as [(String, String?)])
    func mediaType(value: String, expected: String?) throws {
        #expect(try icy("Content-Type:\(value)").mediaType == expected)
    }

    @Test("a redirect's target byte for byte, and none where it is empty or missing")
    func location() throws {
        let target =
            "http://f131.cdn.example/live/mp3/128/stream.mp3?cid=01F&sid=2S~x*%2f&token=nItTCUV94X4G4OmS-htbgCAj"
        let head = try read(
            "HTTP/1.1 302 Found\r\nLocation: \(target)\r\nSet-Cookie: PHPSESSID=abc; path=/\r\nSet-Cookie: b=2\r\n\r\n"
        )
        #expect(
            head.location == target && head.isRedirect && head.cookies == ["PHPSESSID=abc; path=/", "b=2"])
        #expect(try answer(status: 302, "Location: ").location == nil)
        #expect(try answer(status: 300, "Location: /live").isRedirect)
        #expect(try !answer(status: 300, "x: y").isRedirect)
        #expect(try !answer(status: 304, "Location: /live").isRedirect)
    }

    private func answer(status: Int, _ fields: String) throws -> ResponseHead {
        try read("HTTP/1.1 \(status) x\r\n\(fields)\r\n\r\n")
    }

    @Test("no length for a stream, nor where two differ")
    func contentLength() throws {
        #expect(try icy("Content-Length: 2624204796").contentLength == nil)
        #expect(try answer(status: 200, "icy-name: X\r\nContent-Length: 0").contentLength == nil)
        #expect(try answer(status: 200, "Content-Length: 600").contentLength == 600)
        #expect(try answer(status: 200, "Content-Length: 600\r\nContent-Length: 601").contentLength == nil)
        #expect(try answer(status: 200, "Content-Length: -5").contentLength == nil)
    }

    @Test("when to come again, within a day; never a body that was packed without being asked")
    func others() throws {
        #expect(try answer(status: 503, "Retry-After: 30").retryAfter == .seconds(30))
        #expect(try answer(status: 503, "Retry-After: 99999999").retryAfter == .seconds(86_400))
        #expect(try answer(status: 503, "Retry-After: Wed, 21 Oct 2026 07:28:00 GMT").retryAfter == nil)
        #expect(try answer(status: 200, "Content-Encoding: gzip").isEncoded)
        #expect(try !answer(status: 200, "Content-Encoding: identity").isEncoded)
    }
}

@Suite("Header values of ours")
struct HeaderTextTests {
    @Test("hold one line, no control, at most 256 bytes cut between characters")
    func cleaned() {
        #expect(HeaderText.cleaned("A\r\nX-Injected: 1\0\u{7F}\u{9B}") == "AX-Injected: 1")
        #expect(HeaderText.cleaned(String(repeating: "é", count: 200)) == String(repeating: "é", count: 128))
    }
}

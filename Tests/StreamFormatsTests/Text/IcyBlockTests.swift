import StreamFormats
import Testing

private func read(_ block: [UInt8]) -> RawTitle? {
    var reader = IcyBlockReader()
    return reader.read(block)
}

@Suite("ICY title blocks: where a value ends")
struct IcyBlockReaderTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var block: String
        var title: String
        var url: String?
        var testDescription: String { block }

        init(_ block: String, _ title: String, _ url: String? = nil) {
            self.block = block
            self.title = title
            self.url = url
        }
    }

    @Test(
        "reads the title and the link",
        arguments: [
            Case(
                "StreamTitle='The Pins' Band - Don't Stop';StreamUrl='';", "The Pins' Band - Don't Stop", ""),
            Case(
                "StreamTitle='Rock 'n';Roll - Side B';StreamUrl='http://a.example/';",
                "Rock 'n';Roll - Side B",
                "http://a.example/"),
            Case("StreamTitle='O'Brien - It's a test'; not the end';", "O'Brien - It's a test'; not the end"),
            Case(
                "StreamTitle='THE A &amp; THE B - ONE; TWO';StreamUrl='http://x.example/?a=1&amp;b=2';",
                "THE A &amp; THE B - ONE; TWO", "http://x.example/?a=1&amp;b=2"),
            Case("StreamTitle='Artist - A Song Without End\0\0\0\0", "Artist - A Song Without End"),
            Case("StreamTitle='Artist - No Semicolon'", "Artist - No Semicolon"),
            Case("StreamTitle='Adventure - COLD BAND'\u{B2}T';", "Adventure - COLD BAND"),
            Case("StreamTitle='Adventure - COLD BAND'\u{01}\u{02}xyz';", "Adventure - COLD BAND"),
            Case("StreamTitle='Jacques - L'\u{E9}t\u{E9}';", "Jacques - L'\u{E9}t\u{E9}"),
            Case("StreamTitle='';StreamUrl='';", "", ""),
            Case("streamtitle='lower case';STREAMURL='x';", "lower case", "x"),
            Case("  StreamTitle='A - B'; StreamUrl='x' ; ", "A - B", "x' ; "),
            Case("StreamTitle='New';\0ld Song - Somebody';", "New"),
            Case("StreamTitle='New';of an old one", "New"),
            Case("StreamTitle=\"A - B\";StreamUrl='';", "A - B", ""),
            Case("StreamTitle=A - B;", "A - B"),
            Case("\u{01}\u{02}StreamTitle='late start';", "late start"),
            Case("StreamUrl='u';StreamTitle='second';", "second", "u"),
        ])
    func values(_ test: Case) {
        let raw = read(bytes(test.block))
        #expect(raw?.text == bytes(test.title))
        #expect(raw?.url == test.url.map(bytes))
    }

    @Test("knows stale bytes by the block before, and keeps the same words where they belong to the title")
    func staleBytes() {
        var reader = IcyBlockReader()
        _ = reader.read(bytes("StreamTitle='A longer title - Two';\0"))
        #expect(
            reader.read(bytes("StreamTitle='A shorter - One';wo';"))?.text == bytes("A shorter - One';wo"))
        reader = IcyBlockReader()
        _ = reader.read(bytes("StreamTitle='Something longer - B';\0\0"))
        #expect(
            reader.read(bytes("StreamTitle='Something shor';- B';"))?.text == bytes("Something shor';- B"))
        reader = IcyBlockReader()
        _ = reader.read(bytes("StreamTitle='Something much - B';"))
        #expect(reader.read(bytes("StreamTitle='Something';uch - B';"))?.text == bytes("Something"))
        #expect(reader.read(bytes("StreamTitle='Something';uch - B';"))?.text == bytes("Something"))
    }

    @Test("a link alone changes only the link")
    func linkAlone() {
        var reader = IcyBlockReader()
        _ = reader.read(bytes("StreamTitle='A - B';StreamUrl='http://img.example/c/1.jpg';"))
        let second = reader.read(bytes("StreamUrl='http://x.example';"))
        #expect(second?.text == bytes("A - B") && text(second?.url) == "http://x.example")
    }

    @Test("marks adverts by the ad server's keys")
    func adverts() {
        let block =
            "StreamTitle='';StreamUrl='';adw_ad='true';durationMilliseconds='30024';adId='232764';"
            + "insertionType='preroll';"
        let raw = read(bytes(block))
        #expect(raw?.isAdvert == true && raw?.text == [])
        #expect(read(bytes("StreamTitle='A';adw_ad='false';"))?.isAdvert == false)
    }

    @Test("takes a byte order mark for UTF-16 and keeps the NULs of the text")
    func utf16() {
        let raw = read(bytes("StreamTitle='\u{FF}\u{FE}A\0 \0-\0 \0B\0';"))
        #expect(raw?.encoding == .utf16 && raw?.text == bytes("\u{FF}\u{FE}A\0 \0-\0 \0B\0"))
    }

    @Test("never fails on any bytes, and never makes a title longer than its block", arguments: 1...200)
    func anyBytes(seed: UInt64) {
        var random = Seeded(seed)
        var block = bytes("StreamTitle='")
        let words = ["';", "'", ";", "=", "StreamUrl='", "\0", "a", "Key='", "\u{FF}\u{FE}", "\u{C0}", " "]
        for _ in 0..<Int.random(in: 0...30, using: &random) {
            block += bytes(words.randomElement(using: &random) ?? "")
        }
        var reader = IcyBlockReader()
        for _ in 0..<2 {
            let raw = reader.read(block)
            #expect(raw.map { $0.text.count <= block.count } ?? true)
        }
        #expect(reader.read(random.bytes(40)).map { $0.text.count <= block.count } ?? true)
    }
}

@Suite("ICY title blocks: ours")
struct IcyBlockWriterTests {
    @Test(
        "come back from our own reader as they went in",
        arguments: [
            "", "A - B", "Rock 'n'", "'", "''", "It's; so", "Björk – 日本 🎵",
            String(repeating: "é", count: 2000),
        ])
    func roundTrip(title: String) {
        let block = IcyBlockWriter.block(title: title, url: "http://img.example/1.jpg")
        #expect(block.count == Int(block[0]) * 16 + 1)
        let raw = read(Array(block.dropFirst()))
        #expect(text(raw?.text) == title)
        #expect(text(raw?.url) == "http://img.example/1.jpg")
    }

    @Test("make `';` harmless and hold no control")
    func defused() {
        let raw = read(
            Array(IcyBlockWriter.block(title: "x';StreamUrl='http://evil.example/\r\n\0").dropFirst()))
        #expect(text(raw?.text) == "x\u{2019};StreamUrl='http://evil.example/")
        #expect(raw?.url == nil)
        #expect(
            text(read(Array(IcyBlockWriter.block(title: "a''\u{0};b").dropFirst()))?.text) == "a'\u{2019};b")
    }

    @Test("are cut between characters at the 4080 bytes there are", arguments: ["x", "é", "日", "🎵"])
    func cut(character: String) {
        let block = IcyBlockWriter.block(
            title: String(repeating: character, count: 5000), url: "http://img.example/")
        #expect(block.count == 4081)
        let raw = read(Array(block.dropFirst()))
        #expect(text(raw?.text) == String(repeating: character, count: 4065 / character.utf8.count))
        #expect(raw?.url == nil)
    }

    @Test(
        "carry a link only where it is one",
        arguments: [
            "javascript:alert(1)", "ftp://x/", "http://x/'", "http://x/\n", "/relative", "http://x/ y",
        ])
    func noLink(url: String) {
        #expect(read(Array(IcyBlockWriter.block(title: "A", url: url).dropFirst()))?.url == nil)
    }

    @Test("are read back without a change of structure, whatever the title", arguments: 1...60)
    func anyTitle(seed: UInt64) {
        var random = Seeded(seed)
        let pieces = ["'", ";", "';", "a", "\0", "\r", "é", "🎵", "StreamUrl='", "=", "\u{9B}", " "]
        let title = (0..<40).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        let raw = read(Array(IcyBlockWriter.block(title: title).dropFirst()))
        #expect(raw?.url == nil)
        let expected = title.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }
        let got = text(raw?.text)?.replacing("\u{2019}", with: "'")
        #expect(got == String(String.UnicodeScalarView(expected)))
    }
}

import StreamFormats
import Testing

@Suite("Charsets: tables and history")
struct CharsetTests {
    @Test(
        "are found by any of their names",
        arguments: [
            ("ISO-8859-1", "windows-1252"), ("latin1", "windows-1252"), ("cp1251", "windows-1251"),
            ("Windows_1251", "windows-1251"),
            ("win-1250", "windows-1250"), ("KOI8_R", "koi8-r"), ("iso8859-2", "iso-8859-2"),
            ("tis-620", "windows-874"), ("CP866", "ibm866"),
        ])
    func names(alias: String, name: String) { #expect(SingleByteCharset(name: alias)?.name == name) }

    @Test("are not found by names that are none", arguments: ["", "utf-8", "shift_jis", "windows-9999"])
    func noNames(name: String) { #expect(SingleByteCharset(name: name) == nil) }

    @Test(
        "read every byte that has a meaning, and write it again",
        arguments: [
            "windows-1250", "windows-1251", "windows-1252", "windows-1253", "windows-1255", "koi8-r",
            "koi8-u", "iso-8859-2", "iso-8859-15", "ibm866", "macintosh",
        ])
    func roundTrip(name: String) throws {
        let charset = try #require(SingleByteCharset(name: name))
        let all = Array(UInt8.min...UInt8.max)
        let text = charset.decode(all)
        #expect(text.unicodeScalars.count == 256)
        let known = zip(all, text.unicodeScalars).filter { $0.1 != "\u{FFFD}" }
        #expect(charset.encode(String(String.UnicodeScalarView(known.map(\.1)))) == known.map(\.0))
    }

    @Test("are the tables of the standards at a few places that are easily got wrong")
    func places() {
        #expect(SingleByteCharset(name: "windows-1252")?.decode([0x80, 0x8E, 0x9F, 0xFF]) == "€ŽŸÿ")
        #expect(SingleByteCharset(name: "koi8-u")?.decode([0xA4, 0xA6, 0xA7, 0xAD]) == "єіїґ")
        #expect(SingleByteCharset(name: "iso-8859-15")?.decode([0xA4, 0xA6]) == "€Š")
        #expect(SingleByteCharset(name: "windows-1251")?.encode("日") == nil)
    }

    @Test("a history keeps the last twenty different titles that are neither ASCII nor UTF-8")
    func history() {
        var history = CharsetHistory()
        func add(_ text: String) -> Bool { history.add(RawTitle(source: .icy, text: bytes(text))) }
        #expect(!add("ASCII") && !add("Caf\u{C3}\u{A9}") && add("Caf\u{E9}") && !add("Caf\u{E9}"))
        for number in 0..<30 { _ = add("\u{E9}\(number)") }
        #expect(history.samples.count == 20 && history.samples.last == bytes("\u{E9}29"))
        #expect(CharsetHistory(samples: history.samples) == history)
    }
}

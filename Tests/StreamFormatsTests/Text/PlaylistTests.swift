import StreamFormats
import Testing

private let base = "http://h.example/dir/list.m3u"

/// The addresses and titles of a list, or the word for what it is.
private func read(_ body: String, type: String? = nil, url: String? = "http://h.example/list") -> [String] {
    switch Playlist.parse(bytes(body), mediaType: type, url: url) {
    case .list(let list): list.entries.map { [$0.url, $0.title].compactMap(\.self).joined(separator: " ") }
    case .hls: ["hls"]
    case .notAPlaylist(let reason): ["not: \(reason.rawValue)"]
    }
}

private func list(_ body: String, type: String? = nil, url: String? = base) -> Playlist? {
    guard case .list(let list) = Playlist.parse(bytes(body), mediaType: type, url: url) else { return nil }
    return list
}

struct ListCase: Sendable, CustomTestStringConvertible {
    var body: String
    var expected: [String]
    var testDescription: String { body }

    init(_ body: String, _ expected: String...) {
        self.body = body
        self.expected = expected
    }
}

@Suite("Playlists: PLS")
struct PLSTests {
    @Test(
        "entries by their numbers, whatever the count, the case or the version say",
        arguments: [
            ListCase(
                "[playlist]\nFile1=http://m.example/t.mp3\nTitle1=T FM\n", "http://m.example/t.mp3 T FM"),
            ListCase(
                "[playlist]\nNumberOfEvents=1\nFile1=http://a.example/5L/mp3/\nTitle1=L\nLength1=-1\nVersion=2\n",
                "http://a.example/5L/mp3/ L"),
            ListCase(
                "[playlist]\nNumberOfEntries=2\nFile1=http://a.example/1\nFile2=http://a.example/2\nFile3=http://a.example/3\n",
                "http://a.example/1", "http://a.example/2", "http://a.example/3"),
            ListCase(
                "[Playlist]\r\nfile1=http://a.example/1\r\nTITLE1=x=y; z\r\nLENGTH1=-1\r\n",
                "http://a.example/1 x=y; z"),
            ListCase("\u{EF}\u{BB}\u{BF}[playlist]\r\nFile1=http://a.example/1\r\n", "http://a.example/1"),
            ListCase(
                "[playlist]\nTitle2=B\nFile2=http://a.example/2\nFile1=http://a.example/1",
                "http://a.example/1", "http://a.example/2 B"),
            ListCase("File1=http://a.example/1\nTitle1=No section", "http://a.example/1 No section"),
            ListCase(
                "[playlist]\nFile1 = \"http://a.example/1\" \nTitle1=Caf\u{E9}", "http://a.example/1 Café"),
            ListCase("[playlist]\rFile1=http://a.example/1\r", "http://a.example/1"),
            ListCase(
                "[Reference]\r\nRef1=http://a.example/1?MSWMExt=.asf\r\nRef2=mms://a.example/2",
                "http://a.example/1?MSWMExt=.asf"),
            ListCase("[InternetShortcut]\r\nURL=http://a.example/live", "http://a.example/live"),
            ListCase("[playlist]\nNumberOfEntries=0\n", "not: text without an address"),
        ])
    func entries(_ test: ListCase) { #expect(read(test.body) == test.expected) }
}

@Suite("Playlists: M3U")
struct M3UTests {
    @Test(
        "addresses and the titles before them",
        arguments: [
            ListCase(
                "\u{EF}\u{BB}\u{BF}http://a.example/1\r\nhttp://a.example/2\r\n", "http://a.example/1",
                "http://a.example/2"),
            ListCase("\u{EF}\u{BB}\u{BF}#EXTM3U\n#EXTINF:-1,X\nhttp://a.example/1\n", "http://a.example/1 X"),
            ListCase(
                "\u{FF}\u{FE}h\0t\0t\0p\0:\0/\0/\0a\0.\0e\0x\0a\0m\0p\0l\0e\0/\0\u{31}\0\r\0\n\0",
                "http://a.example/1"),
            ListCase(
                "http://st01.radio.example/dlf/01/128/mp3/stream.mp3",
                "http://st01.radio.example/dlf/01/128/mp3/stream.mp3"),
            ListCase(
                "#EXTM3U\n#EXTINF:france_test_mp3\nhttp://g.example/32k.mp3\n",
                "http://g.example/32k.mp3 france_test_mp3"),
            ListCase(
                "#EXTM3U\n\n#RADIOBROWSERUUID:9637967a-0601-11e8-ae97-52543be04c81\n#EXTINF:-1,Gold\n"
                    + "#EXTVLCOPT:http-user-agent=x\nhttp://t.example:8204/;stream/1\n",
                "http://t.example:8204/;stream/1 Gold"),
            ListCase(
                "#EXTM3U\n#EXTINF:-1 tvg-name=\"a, b\" group=\"c\",Name, of it\nhttp://a.example/1",
                "http://a.example/1 Name, of it"),
            ListCase(
                "#EXTM3U\n#EXTINF:123\nhttp://a.example/1\n#EXTINF:-1,\nhttp://a.example/2",
                "http://a.example/1", "http://a.example/2"),
            ListCase(
                "http://d.example/32.mp3\nhttp://d.example/64.mp3\nhttp://d.example/32.mp3\n",
                "http://d.example/32.mp3", "http://d.example/64.mp3"),
            ListCase("# a comment\nhttp://a.example/a b.mp3\n", "http://a.example/a%20b.mp3"),
            ListCase("icyx://a.example:8000/x\n", "http://a.example:8000/x"),
            ListCase("#EXTM3U\na.example:8000/live\n", "http://a.example:8000/live"),
            ListCase("http://:@s.example:18000/fun128.ogg", "http://:@s.example:18000/fun128.ogg"),
        ])
    func entries(_ test: ListCase) { #expect(read(test.body) == test.expected) }

    @Test("relative entries start at the list, and files of this machine are refused")
    func relative() {
        let found = list(
            "#EXTM3U\nlive.mp3\n/live\n//cdn.example/x\n?sid=2\n..\\Mp3\\01 - A.mp3\nfile:///etc/passwd\nC:\\x.mp3\n"
                + "../up/./x;y\n\\\\server\\x.mp3")
        #expect(
            found?.entries.map(\.url) == [
                "http://h.example/dir/live.mp3", "http://h.example/live", "http://cdn.example/x",
                "http://h.example/dir/list.m3u?sid=2", "http://h.example/up/x;y",
            ])
        #expect(found?.refused.map(\.reason) == [.localFile, .localFile, .localFile, .localFile])
    }

    @Test(
        "other schemes, lone hosts and controls are refused with the reason",
        arguments: [
            ("gopher://a.example/", Playlist.Refused.Reason.scheme), ("mms://a.example/", .scheme),
            ("javascript:alert(1)", .scheme),
            ("http:///nohost", .malformed), ("http://:8000/", .malformed),
            ("http://a.example/\u{7F}", .malformed), ("http:", .malformed),
        ])
    func refused(entry: String, reason: Playlist.Refused.Reason) {
        let found = list("#EXTM3U\n\(entry)\nhttp://a.example/1")
        #expect(found?.refused.map(\.reason) == [reason] && found?.entries.count == 1)
    }

    @Test("at most 256 entries, and no more than 256 KiB")
    func limits() {
        let long = (0..<300).map { "http://a.example/\($0)\n" }.joined()
        #expect(list(long)?.entries.count == 256 && list(long)?.isCut == true)
        let big = "http://a.example/1\n#" + String(repeating: "x", count: 300_000) + "\nhttp://a.example/2"
        #expect(list(big)?.entries.count == 1 && list(big)?.isCut == true)
    }
}

@Suite("Playlists: what it is")
struct PlaylistKindTests {
    @Test("content first: a PLS under the type of M3U, an address as octet-stream, HLS or not under one type")
    func content() {
        let pls =
            "[playlist]\nNumberOfEntries=1\nFile1=https://l.example/p3-aac-192\nTitle1=SR\nLength1=-1\nVersion=2\n"
        #expect(
            read(pls, type: "audio/x-mpegurl", url: "http://a/x.m3u") == ["https://l.example/p3-aac-192 SR"])
        #expect(read("http://a.example/live", type: "application/octet-stream") == ["http://a.example/live"])
        let type = "audio/x-mpegurl"
        #expect(read("#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:4.92,\nout1.ts\n", type: type) == ["hls"])
        #expect(
            read("#EXTM3U\n#EXTINF:-1,X\nhttp://a.example/live\n", type: type) == ["http://a.example/live X"])
        #expect(read("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=54000\nlow.m3u8\n", type: type) == ["hls"])
        #expect(
            read(
                "#EXTM3U\n#EXTINF:-1,Jack\nhttp://m.example:8000/stream\n",
                url: "http://m.example/frontend.m3u8") == ["http://m.example:8000/stream Jack"])
        #expect(
            read("\u{EF}\u{BB}\u{BF}#EXTM3U\r\n#EXT-X-MEDIA-SEQUENCE:1\r\n", type: "text/plain") == ["hls"])
    }

    @Test("a relative line needs something that says list: a mark, the type or the name")
    func relativeLines() {
        #expect(read("live.mp3", type: "text/plain") == ["not: text without an address"])
        #expect(read("live.mp3", type: "audio/x-mpegurl") == ["http://h.example/live.mp3"])
        #expect(read("live.mp3", url: "http://h.example/a.M3U?x=1") == ["http://h.example/live.mp3"])
        #expect(read("Station offline\nhttp://a.example/live") == ["not: text without an address"])
    }

    @Test(
        "pages, audio and rubbish are said to be what they are",
        arguments: [
            ("1ef8\n<!DOCTYPE html>\n<html lang=\"nl\">\n<head>", "a web page"),
            ("<html><body>Station offline</body></html>", "a web page"),
            ("  \r\n", "empty"), ("", "empty"), ("ID3\u{4}\0\0", "audio"),
            ("\u{FF}\u{FB}\u{90}\u{64}\0\0", "audio"), ("OggS\0\u{2}", "audio"),
            ("http://a.example/\0\u{1}\u{2}", "not text"),
            ("<?xml version=\"1.0\"?><rss></rss>", "text without an address"),
            (
                "<!DOCTYPE lolz [<!ENTITY lol \"lol\">]><asx><entry><ref href=\"http://a/\"/></entry></asx>",
                "XML with a document type"
            ),
            (
                "<playlist><!ENTITY x SYSTEM \"file:///etc/passwd\"><track><location>&x;</location></track></playlist>",
                "XML with a document type"
            ),
        ])
    func others(body: String, reason: String) {
        for type in [nil, "audio/x-mpegurl", "audio/x-scpls"] {
            #expect(read(body, type: type) == ["not: \(reason)"])
        }
    }

    @Test("never fails, and never gives an address that is not http or https", arguments: 1...150)
    func anyBytes(seed: UInt64) {
        var random = Seeded(seed)
        let words = [
            "[playlist]\n", "File1=", "#EXTM3U\n", "#EXTINF:-1,", "http://a", "/", "\n", "<asx>", "<entry>",
            "<ref href=", "\"", "'", ">",
            "<", "&#10;", "&amp;", "]]>", "<![CDATA[", "<!--", "-->", "</track>", "<track>", "<location>",
            "\0", "\u{FF}", ":", "?", "..", "file:", "<playlist>", " ", "%",
        ]
        var body: [UInt8] = []
        for _ in 0..<80 { body += bytes(words.randomElement(using: &random) ?? "") }
        guard case .list(let list) = Playlist.parse(body, mediaType: "audio/x-mpegurl", url: base) else {
            return
        }
        for entry in list.entries {
            #expect(entry.url.hasPrefix("http://") || entry.url.hasPrefix("https://"))
            #expect(entry.url.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F })
        }
    }
}

@Suite("Playlists: XSPF and ASX")
struct XMLPlaylistTests {
    @Test("XSPF with blanks in front, a title of its own and other people's elements")
    func xspf() {
        let body =
            "\n <?xml version=\"1.0\" encoding=\"utf-8\"?>\n<playlist version=\"1\" xmlns=\"http://xspf.org/ns/0/\" "
            + "xmlns:vlc=\"http://v.example/ns/0/\">\n<title>H &amp; G</title><trackList><track><location> http://192.0.2.5:80 "
            + "</location><vlc:title>no</vlc:title><title>H</title></track><track><location>http://192.0.2.6:80</location>"
            + "<location>http://192.0.2.7/</location></track></trackList></playlist>"
        let found = list(body)
        #expect(found?.title == "H & G" && found?.format == .xspf)
        #expect(
            found?.entries.map(\.url) == ["http://192.0.2.5:80", "http://192.0.2.6:80", "http://192.0.2.7/"])
    }

    @Test("decodes references before it judges an address")
    func references() {
        let body =
            "<playlist><track><location>http://a.example/&#10;x</location></track><track><location>&#102;ile:///etc/passwd</location></track></playlist>"
        #expect(list(body)?.entries == [] && list(body)?.refused.map(\.reason) == [.malformed, .localFile])
    }

    @Test("ASX that is no XML: any case, bare ampersands, tags that nobody closed")
    func asx() {
        let body =
            "<ASX version=\"3.0\">\n<Title>All</Title><Entry>\n<Title>RTL & Two</title>\n"
            + "<REF HREF = \"http://s.example/rtl2?context=fHA6&x=1\" />\n<abstract>128 kbps\n</ENTRY>\n"
            + "<entry><title>Next</title><ref href='b.asx'><ref href=http://s.example/c />\n<entryref href=\"/d.asx\"/>\n</asx>"
        let found = list(body)
        #expect(found?.title == "All")
        #expect(
            found?.entries == [
                .init(url: "http://s.example/rtl2?context=fHA6&x=1", title: "RTL & Two"),
                .init(url: "http://h.example/dir/b.asx", title: "Next"),
                .init(url: "http://s.example/c", title: "Next"),
                .init(url: "http://h.example/d.asx", title: "Next"),
            ])
        #expect(
            list("<asx><base href=\"http://b.example/x/\"/><ref href=\"y\"/></asx>")?.entries.map(\.url) == [
                "http://b.example/x/y"
            ])
    }
}

@Suite("Playlists: addresses")
struct URLReferenceTests {
    @Test(
        "are joined as RFC 3986 says (5.4), and else left alone",
        arguments: [
            ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"), ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"),
            (";x", "http://a/b/c/;x"),
            ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("..", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("g;x=1/../y", "http://a/b/c/y"),
            ("..g", "http://a/b/c/..g"),
            ("http://s.example:8000/;", "http://s.example:8000/;"), ("g:h", "g:h"),
            ("/x?u=http://y/../z", "http://a/x?u=http://y/../z"),
            ("x%2f~*?a=%7E", "http://a/b/c/x%2f~*?a=%7E"),
        ])
    func joined(reference: String, expected: String) {
        #expect(URLReference.resolve(reference, against: "http://a/b/c/d;p?q") == expected)
    }

    @Test("need an address to start from")
    func noBase() {
        #expect(URLReference.resolve("x", against: nil) == nil)
        #expect(URLReference.resolve("x", against: "nonsense") == nil)
        #expect(URLReference.resolve("x", against: "http://h") == "http://h/x")
        #expect(
            URLReference.resolve("http://b.example/x/y/live.m3u8?t=1", against: nil)
                == "http://b.example/x/y/live.m3u8?t=1")
        #expect(URLReference.resolve(String(repeating: "x", count: 5000), against: "http://h") == nil)
    }
}

@Suite("Playlists: ours")
struct PlaylistWriterTests {
    private static let titles = ["Plain", "A & B <c> \"d\" 'e'", "]]>", "日本 🎵", "x=y; z", "a,b"]

    @Test("come back from our own reader as they went in", arguments: titles)
    func roundTrip(title: String) {
        let entries = [
            Playlist.Entry(url: "http://a.example/x?a=1&b=2;c", title: title),
            .init(url: "http://a.example/2", title: "second"),
        ]
        for text in [
            PlaylistWriter.m3u(entries), PlaylistWriter.pls(entries),
            PlaylistWriter.xspf(entries, title: title),
        ] {
            #expect(list(text.utf8String)?.entries == entries)
        }
        #expect(list(PlaylistWriter.xspf(entries, title: title).utf8String)?.title == title)
    }

    @Test("have exactly one entry for one, whatever its title and address hold", arguments: 1...80)
    func injection(seed: UInt64) {
        var random = Seeded(seed)
        let pieces = [
            "\n", "\r\n", "File2=http://evil/", "#EXTM3U",
            "</title></track><track><location>http://evil/</location>", "\0", "]]>", "\u{2028}",
            "http://evil/", "é", "\u{85}", "\"", "a",
        ]
        let title = (0..<8).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        let entry = Playlist.Entry(url: "http://a.example/\(title)", title: title)
        for text in [
            PlaylistWriter.m3u([entry]), PlaylistWriter.pls([entry]),
            PlaylistWriter.xspf([entry], title: title),
        ] {
            let found = list(text.utf8String)
            #expect(found?.entries.count == 1 && found?.refused == [], "\(text)")
            #expect(
                found?.entries.first?.title
                    == (TitleCleaner.cleaned(title).isEmpty ? nil : TitleCleaner.cleaned(title)))
        }
    }
}

extension String {
    /// The bytes of this text as UTF-8, each as one character, as `bytes` takes them.
    fileprivate var utf8String: String { String(String.UnicodeScalarView(utf8.map { Unicode.Scalar($0) })) }
}

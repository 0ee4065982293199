import StreamFormats
import Testing

/// What a title block comes out as on a station with these settings.
private func read(
    _ block: String, charset: String? = nil, learned: String? = nil, names: [String] = [],
    rules: TitleRules = TitleRules()
) -> TitleText {
    var reader = IcyBlockReader()
    let raw = reader.read(bytes(block)) ?? RawTitle(source: .icy, text: [])
    return TitleReader(charset: charset, rules: rules, names: names).read(raw, learned: learned)
}

/// A title as text, as it would come in a block.
private func title(_ text: String, names: [String] = [], rules: TitleRules = TitleRules()) -> TitleText {
    TitleReader(rules: rules, names: names).read(RawTitle(source: .icy, text: Array(text.utf8)))
}

/// One title and what is made of it: text, artist, title, class.
struct TitleCase: Sendable, CustomTestStringConvertible {
    var input: String
    var text: String
    var artist: String?
    var title: String?
    var kind: TitleClass
    var testDescription: String { input }

    init(_ input: String, _ text: String, _ artist: String?, _ title: String?, _ kind: TitleClass = .track) {
        self.input = input
        self.text = text
        self.artist = artist
        self.title = title
        self.kind = kind
    }

    func check(_ got: TitleText) {
        #expect(got.text == text && got.artist == artist && got.title == title && got.kind == kind, "\(got)")
    }
}

@Suite("Titles: artist and title")
struct TitleSplitTests {
    @Test(
        "parts a title at the first separator, and no hyphen inside a word",
        arguments: [
            TitleCase("A - B", "A - B", "A", "B"),
            TitleCase("J-Zed - Song-X", "J-Zed - Song-X", "J-Zed", "Song-X"),
            TitleCase("Artist - Song - Remix", "Artist - Song - Remix", "Artist", "Song - Remix"),
            TitleCase("Artist – Song", "Artist – Song", "Artist", "Song"),
            TitleCase(
                "Composer A - Concerto No. 2 - Allegro - Soloist B, London Test Orchestra - Program",
                "Composer A - Concerto No. 2 - Allegro - Soloist B, London Test Orchestra - Program",
                "Composer A",
                "Concerto No. 2 - Allegro - Soloist B, London Test Orchestra - Program"),
            TitleCase(" - Song", "Song", nil, "Song"),
            TitleCase("Artist - ", "Artist", nil, nil),
            TitleCase(" - ", "", nil, nil, .none),
            TitleCase("-", "", nil, nil, .none),
            TitleCase("_", "", nil, nil, .none),
            TitleCase("A & B - C - 0:00", "A & B - C", "A & B", "C"),
            TitleCase("A - B 3:45", "A - B 3:45", "A", "B 3:45"),
            TitleCase("A - 4:33", "A - 4:33", "A", "4:33"),
            TitleCase(
                "DJ TEST FEAT. XYZ - DON'T STOP (RMX)", "DJ TEST FEAT. XYZ - DON'T STOP (RMX)",
                "DJ TEST FEAT. XYZ",
                "DON'T STOP (RMX)"),
            TitleCase("A\t-\u{A0}B  C", "A - B C", "A", "B C"),
        ])
    func sides(_ test: TitleCase) { test.check(title(test.input)) }

    @Test("never parts what the carrier keeps apart, but joined fields")
    func declaredFields() {
        func read(_ artist: String, _ title: String) -> TitleText {
            TitleReader().read(
                RawTitle(source: .id3, encoding: .utf8, text: Array(title.utf8), artist: Array(artist.utf8)))
        }
        TitleCase("", "Band - No Split - Here", "Band", "No Split - Here").check(
            read("Band", "No Split - Here"))
        TitleCase("", "The W - The A", "The W", "The A").check(read("The W", "The A\r\n"))
        TitleCase("", "Band - Come Down", "Band", "Come Down").check(read("Band", " Come Down"))
        TitleCase("", "Band - Song", "Band", "Song").check(read("Band", "band - Song"))
        TitleCase("", "Nobody", "Nobody", nil).check(read("Nobody", ""))
        TitleCase("", "", nil, nil, .none).check(read("", ""))
    }

    @Test("goes by the station's rules")
    func rules() {
        var rules = TitleRules()
        rules.stripPrefixes = ["Now Playing: "]
        rules.stripSuffixes = [" | Radio One"]
        rules.separators = [" / "]
        rules.swapsArtistAndTitle = true
        let got = title("NOW PLAYING: Song - A / Band | radio one", rules: rules)
        TitleCase("", "Song - A / Band", "Band", "Song - A").check(got)
        rules.keepsWhole = true
        TitleCase("", "Song / Band", nil, nil).check(title("Song / Band", rules: rules))
    }

    @Test("turns swapped sides when the link names both the right way round")
    func swapped() {
        let block = "StreamTitle='Song - Band';StreamUrl='http://x.example/?artist=Band&title=Song';"
        TitleCase("", "Song - Band", "Band", "Song").check(read(block))
    }
}

@Suite("Titles: forms that are no plain text")
struct TitleFormTests {
    @Test("iHeart's list of attributes, with quotes inside values")
    func attributes() {
        let got = read(
            "StreamTitle='Band X - text=\"Dyna \"Mite\"\" song_spot=\"M\" MediaBaseId=\"1734278\" itunesTrackId=\"0\" "
                + "TAID=\"43011\" TPID=\"7610716\" cartcutId=\"0708213001\" amgArtworkURL=\"http://img.example/1.jpg\" "
                + "length=\"00:03:24\" unsID=\"-1\" spotInstanceId=\"-1\"';")
        TitleCase("", "Band X - Dyna \"Mite\"", "Band X", "Dyna \"Mite\"").check(got)
        #expect(got.details.duration == .seconds(204) && got.details.artwork == "http://img.example/1.jpg")
    }

    @Test(
        "lists of title, artist and url",
        arguments: [
            TitleCase(
                "title=\"18 Lives\",artist=\"SKID BAND\",url=\"song_spot=\"F\" MediaBaseId=\"0\"\"",
                "SKID BAND - 18 Lives", "SKID BAND", "18 Lives"),
            TitleCase("Band - subtitle=\"x\"", "Band - subtitle=\"x\"", "Band", "subtitle=\"x\""),
            TitleCase(
                "title=\"https://listen.example/api9.2/eventdata/247801912\",url=\"https://listen.example/api9.2/eventdata/247801912\"",
                "", nil, nil, .none),
            TitleCase(
                "title=\"Sun, Flower\",artist=\"Post M / Swae\",url=\"song_spot=\\\"M\\\" spotInstanceId=\\\"-1\\\" "
                    + "length=\\\"00:02:34\\\" MediaBaseId=\\\"2440595\\\" TPID=\\\"79727416\\\" "
                    + "amgArtworkURL=\\\"https://i.example/1?ops=fit(400,400)\\\"\"",
                "Post M / Swae - Sun, Flower", "Post M / Swae", "Sun, Flower"),
            TitleCase(
                "title=\"Thousands In Prizes!\",artist=\"\",url=\"song_spot=\\\"F\\\" spotInstanceId=\\\"55193\\\" "
                    + "amgArtworkURL=\\\"null\\\"\"", "Thousands In Prizes!", nil, "Thousands In Prizes!",
                .advert),
        ])
    func lists(_ test: TitleCase) { test.check(title(test.input)) }

    @Test("artwork and length out of a list inside a list")
    func nestedList() {
        let list =
            "title=\"Sun\",artist=\"P\",url=\"song_spot=\\\"M\\\" length=\\\"00:02:34\\\" "
            + "amgArtworkURL=\\\"https://i.example/1?ops=fit(400,400)\\\"\""
        #expect(title(list).details.artwork == "https://i.example/1?ops=fit(400,400)")
        #expect(title(list).details.duration == .seconds(154))
    }

    @Test(
        "documents, fields between tildes, what a web answer left behind",
        arguments: [
            TitleCase(
                "<?xml version=\"1.0\"?><RadioInfo><Table><DB_DALET_ARTIST_NAME>Lon3r J, Plu</DB_DALET_ARTIST_NAME>"
                    + "<DB_DALET_TITLE_NAME>25 de &quot;Abril&quot;</DB_DALET_TITLE_NAME></Table></RadioInfo>",
                "Lon3r J, Plu - 25 de \"Abril\"", "Lon3r J, Plu", "25 de \"Abril\""),
            TitleCase("<?xml version=\"1.0\"?><status>ok</status>", "", nil, nil, .none),
            TitleCase(
                "<!DOCTYPE a [<!ENTITY x \"y\">]><artist>&x;</artist><title>T</title>", "", nil, nil, .none),
            TitleCase("<3 - Song", "<3 - Song", "<3", "Song"),
            TitleCase(
                "{\"status\":1,\"message\":\"Ok\",\"result\":\"Ok\",\"errorCode\":0}\r\n0\r\n\r\n", "", nil,
                nil, .none),
            TitleCase(
                "{\"now\":{\"artist\":\"Bj\\u00f6rk\",\"title\":\"J\\\"\\ud83c\\udfb5\"}}", "Björk - J\"🎵",
                "Björk", "J\"🎵"),
            TitleCase("[live] Band - Song", "[live] Band - Song", "[live] Band", "Song"),
            TitleCase("Artist - Song\r\n0\r\n\r\n", "Artist - Song", "Artist", "Song"),
            TitleCase("News\nat ten\r\n", "News at ten", nil, nil, .talk),
            TitleCase(
                "ELODIA~Guarana~~~~~2020-08-13T08:11:53.252527~2020-08-13T08:11:53.252527~United Test +\n",
                "ELODIA - Guarana", "ELODIA", "Guarana"),
            TitleCase("~~~ Jazz ~~~ Night", "Jazz ~~~ Night", nil, nil),
        ])
    func documents(_ test: TitleCase) { test.check(title(test.input)) }

    @Test("hints in the link, cut short or relative")
    func links() {
        let got = read(
            "StreamTitle='Dead Band - 1992-05-24  Many Roads';StreamUrl='http://www.dead.example?&artist=Dead%20Band"
                + "&title=1992%2D05%2D24%20%20Many%20Roads&album=Shoreline&duration=423288&songtype=S&overlay=no&buycd=http';"
        )
        TitleCase("", "Dead Band - 1992-05-24 Many Roads", "Dead Band", "1992-05-24 Many Roads").check(got)
        #expect(got.details == TitleDetails(duration: .milliseconds(423_288), album: "Shoreline"))
        let relative = read(
            "StreamTitle='A / B - C';StreamUrl='&artist=A%20%2F%20B&title=C&duration=&picture=az_1.jpg';")
        TitleCase("", "A / B - C", "A / B", "C").check(relative)
        #expect(relative.details == TitleDetails())
        #expect(
            read("StreamTitle='A - B';StreamUrl='http://img.example/c/1.JPG?x=1';").details.artwork != nil)
        #expect(
            read("StreamTitle='A - B';StreamUrl='http://x.example/?a=1&amp;b=2';").details.link
                == "http://x.example/?a=1&b=2")
        #expect(read("StreamTitle='A - B';StreamUrl='javascript:x';").details == TitleDetails())
    }
}

@Suite("Titles: entities, controls, lengths")
struct TitleCleaningTests {
    @Test(
        "decodes each entity once, and leaves alone what only looks like one",
        arguments: [
            ("THE A &amp; THE B - ONE; TWO", "THE A & THE B - ONE; TWO"),
            (
                "&#924;&#940;&#957;&#945; - Rock &#39;n&#39; Roll &amp;amp; R&B; AT&T",
                "Μάνα - Rock 'n' Roll &amp; R&B; AT&T"
            ),
            ("&eacute;&Eacute;&euro;&#x41;&#150;&apos;&hellip;", "éÉ€A–'…"),
            ("&#0;&#xD800;&#1114112;&nosuch;&;&#;&#x;", "&#0;&#xD800;&#1114112;&nosuch;&;&#;&#x;"),
            ("&amp", "&amp"), ("&#27;[2J", "[2J"), ("a&lt;b", "a<b"),
        ])
    func entities(input: String, expected: String) { #expect(title(input).text == expected) }

    @Test(
        "removes controls, bidi and zero-width marks, and joins blanks",
        arguments: [
            ("A\u{1B}]0;x\u{07}B", "A]0;xB"), ("A\0B", "AB"), ("\u{202E}evil\u{2066}", "evil"),
            ("a\u{200B}b\u{FEFF}", "ab"),
            ("a\u{85}b\u{2028}c\u{3000}d", "a b c d"), ("\u{FFFD}A\u{FFFE}", "A"),
            ("👩\u{200D}🚀", "👩\u{200D}🚀"),
            ("می\u{200C}خواهم", "می\u{200C}خواهم"),
        ])
    func controls(input: String, expected: String) { #expect(TitleCleaner.cleaned(input) == expected) }

    @Test("keeps the longest title there can be, cuts beyond it between characters, and piles up no marks")
    func lengths() {
        #expect(title(String(repeating: "x", count: 4064)).text.count == 4064)
        #expect(TitleCleaner.cleaned(String(repeating: "日", count: 3000)).utf8.count == 4080)
        #expect(
            TitleCleaner.cleaned("Z" + String(repeating: "\u{301}", count: 500)).unicodeScalars.count == 7)
    }

    @Test("leaves clean text as it is, whatever it was before", arguments: 1...150)
    func idempotent(seed: UInt64) {
        var random = Seeded(seed)
        let raw = RawTitle(source: .icy, text: random.bytes(Int.random(in: 0...600, using: &random)))
        for charset in [nil, "windows-1251", "koi8-r", "windows-1256"] {
            let got = TitleReader(charset: charset).read(raw)
            #expect(TitleCleaner.cleaned(got.text) == got.text)
            #expect(got.text.utf8.count <= 4080)
            #expect(!got.text.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) })
        }
    }
}

@Suite("Titles: charset")
struct TitleCharsetTests {
    @Test(
        "reads UTF-8 where it is UTF-8, else Windows-1252",
        arguments: [
            ("SIGLA PUBBLICIT\u{C0} - Caf\u{E9} \u{93}quoted\u{94}", "SIGLA PUBBLICITÀ - Café “quoted”"),
            (
                "Tim - \u{EF}\u{BD}\u{99}\u{EF}\u{BD}\u{8F} \u{E6}\u{97}\u{A5} \u{F0}\u{9F}\u{8E}\u{B5}",
                "Tim - ｙｏ 日 🎵"
            ),
            ("Bj\u{F6}rk - J\u{F3}ga", "Björk - Jóga"), ("Caf\u{E9}", "Café"),
            ("\u{EF}\u{BB}\u{BF}A - B", "A - B"),
            ("Caf\u{C3}\u{A9} - \u{C3}", "Café"), ("A\u{81}\u{8D}B", "AB"),
        ])
    func guessless(input: String, expected: String) {
        #expect(TitleReader().read(RawTitle(source: .icy, text: bytes(input))).text == expected)
    }

    @Test("drops a character that the largest block cut in half")
    func cutCharacter() {
        let text = String(repeating: "x", count: 4060)
        let block = bytes("StreamTitle='\(text)\u{C3}") + bytes(String(repeating: "\0", count: 6))
        var reader = IcyBlockReader()
        let raw = reader.read(block)
        #expect(raw.map { TitleReader().read($0).text } == text)
    }

    @Test(
        "goes by the station's setting, then by what was learned; never against UTF-8",
        arguments: [
            (
                "\u{C0}\u{F0}\u{F2}\u{E8}\u{F1}\u{F2} - \u{CF}\u{E5}\u{F1}\u{ED}\u{FF}", "windows-1251",
                "Артист - Песня"
            ),
            (
                "\u{E1}\u{D2}\u{D4}\u{C9}\u{D3}\u{D4} - \u{F0}\u{C5}\u{D3}\u{CE}\u{D1}", "KOI8-R",
                "Артист - Песня"
            ),
            (
                "\u{D0}\u{F3}\u{F1}\u{FC} - \u{D1}\u{F3}\u{E4}\u{E0}\u{F0}\u{FB}\u{ED}\u{FF}", "cp1251",
                "Русь - Сударыня"
            ),
            ("\u{D0}\u{90}\u{D1}\u{80}\u{D1}\u{82}", "koi8-r", "Арт"),
            ("Bj\u{F6}rk", "windows-1252", "Björk"),
            ("\u{B3}\u{F3}d\u{9F}", "Windows_1250", "łódź"),
        ])
    func settings(input: String, charset: String, expected: String) {
        let raw = RawTitle(source: .icy, text: bytes(input))
        #expect(TitleReader(charset: charset).read(raw).text == expected)
        #expect(TitleReader().read(raw, learned: charset).text == expected)
        #expect(TitleReader(charset: charset).read(raw, learned: "iso-8859-7").text == expected)
    }

    @Test(
        "undoes double encoding",
        arguments: [
            ("CafÃ© - DÃ©jÃ\u{A0} vu", nil, "Café - Déjà vu"), ("â€œquotedâ€\u{9D}", nil, "“quoted”"),
            ("РђСЂС‚РёСЃС‚ - РџРµСЃРЅСЏ", nil, "Артист - Песня"),
            ("Àðòèñò - Ïåñíÿ", "windows-1251", "Артист - Песня"),
            ("Beyoncé - Déjà Vu", "windows-1251", "Beyoncé - Déjà Vu"), ("Ã", nil, "Ã"), ("Раз", nil, "Раз"),
        ] as [(String, String?, String)])
    func doubleEncoding(input: String, charset: String?, expected: String) {
        #expect(
            TitleReader(charset: charset).read(RawTitle(source: .icy, text: Array(input.utf8))).text
                == expected)
    }

    @Test("reads UTF-16 with and without a mark")
    func utf16() {
        #expect(read("StreamTitle='\u{FF}\u{FE}A\0 \0-\0 \0B\0';").text == "A - B")
        let big = RawTitle(source: .id3, encoding: .utf16, text: [0, 0x41, 0x04, 0x10, 0])
        #expect(TitleReader().read(big).text == "AА")
    }

    @Test("asks outside for the charsets it has no table for")
    func outside() {
        let reader = TitleReader(charset: "Shift_JIS", decoder: { bytes, name in "\(name) \(bytes.count)" })
        #expect(reader.read(RawTitle(source: .icy, text: [0x93, 0xFA])).text == "Shift_JIS 2")
    }
}

@Suite("Titles: class")
struct TitleClassTests {
    @Test(
        "knows what is no track",
        arguments: [
            ("9999999 - 9999999", .none), ("Traffic - Traffic", .talk), ("*** Werbung in SWRx ***", .advert),
            ("Now Playing info goes here", .none), ("unknown", .none), ("n/a", .none), ("no desc", .none),
            ("Unknown Artist - Unknown Title", .none), ("...", .none), ("Black - Black", .ident),
            ("THIS STATION WILL CONTINUE AFTER THIS BREAK", .advert), ("Advertisement", .advert),
            ("Radio X - Werbung", .advert),
            ("Jingle", .ident), ("Radio X - Station ID", .ident), ("You are listening to the best", .ident),
            ("Nachrichten um zwölf", .talk), ("http://www.station.example", .ident),
            ("www.station.example", .ident),
            ("Dire Band - News", .track), ("Weather Band - Birdland", .track), ("Artist - A.D.", .track),
            ("1979", .track), ("A Song Without Artist", .track), ("★", .track),
        ] as [(String, TitleClass)])
    func words(input: String, kind: TitleClass) { #expect(title(input).kind == kind) }

    @Test(
        "knows control marks, and the length in them",
        arguments: [
            ("START_AD_BREAK_6000", .advert, 6000), ("STOP ADBREAK 1", .none, nil), ("AD 2", .advert, nil),
            ("Advertisement_Start_Length=00:00:29.960", .advert, 29_960), ("Advertisement_Stop", .none, nil),
            ("STOP_AD_BREAK", .none, nil), ("HOOK_2024_X", .ident, nil), ("Spot On", .track, nil),
            ("Ad Astra", .track, nil),
        ] as [(String, TitleClass, Int?)])
    func markers(input: String, kind: TitleClass, milliseconds: Int?) {
        let got = title(input)
        #expect(got.kind == kind && got.details.duration == milliseconds.map { .milliseconds($0) })
    }

    @Test("an ad server's block is an advert with its length, without a title too")
    func adBlock() {
        let got = read(
            "StreamTitle='';StreamUrl='';adw_ad='true';durationMilliseconds='30024';adId='232764';"
                + "insertionType='preroll';")
        #expect(
            got == TitleText(text: "", kind: .advert, details: TitleDetails(duration: .milliseconds(30_024))))
    }

    @Test(
        "knows the station's own name",
        arguments: [
            ("Radio New - The best at last!", .ident), ("RADIO NEW!", .ident),
            ("The best mix - radio new", .ident),
            ("Radio Newton - Song", .track), ("Radio New is the best", .ident), ("Somebody - Radio", .track),
        ] as [(String, TitleClass)])
    func stationName(input: String, kind: TitleClass) {
        #expect(title(input, names: ["Radio New | 101.5 FM"]).kind == kind)
        #expect(title(input, names: ["Other", "Radio New"]).kind == kind)
    }

    @Test("a segment's title that is just the name of the stream says nothing")
    func extinf() {
        let raw = RawTitle(source: .extinf, text: Array("radio".utf8))
        #expect(TitleReader(names: ["Radio"]).read(raw).kind == .none)
    }

    @Test("goes by the station's rules first")
    func rules() {
        var rules = TitleRules()
        rules.adverts = ["*spot*"]
        rules.idents = ["the sound of"]
        rules.talk = ["Late Show*"]
        rules.nothing = ["coming up"]
        rules.tracks = ["Band - Spot *"]
        let kinds = [
            "A spot B", "This is The Sound Of X", "late show with X", "Coming Up: Z", "Band - Spot on",
            "Jingle",
        ]
        .map { title($0, rules: rules).kind }
        #expect(kinds == [.advert, .ident, .talk, .none, .track, .ident])
        rules.usesBuiltInWords = false
        #expect(title("Jingle", rules: rules).kind == .track)
    }

    @Test("compares patterns without case, `*` for anything, in bounded time")
    func patterns() {
        #expect(TextPattern.matches("The Late Show", "late") && TextPattern.matches("abcd", "A*C*"))
        #expect(
            !TextPattern.matches("abcd", "b*") && !TextPattern.matches("ab", "a*b*b")
                && !TextPattern.matches("x", ""))
        #expect(!TextPattern.matches("aa", "aa*a") && TextPattern.matches("aXbXc", "a*b*c"))
        #expect(
            !TextPattern.matches(
                String(repeating: "a", count: 2000), String(repeating: "a*", count: 100) + "b"))
    }
}

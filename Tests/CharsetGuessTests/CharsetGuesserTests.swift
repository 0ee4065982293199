import CharsetGuess
import StreamFormats
import Testing

/// One language's titles, in the charsets that its stations use.
struct Station: Sendable, CustomTestStringConvertible {
    var name: String
    var charsets: [String]
    var country: String?
    var titles: [String]
    var testDescription: String { name }

    init(_ name: String, _ charsets: [String], country: String? = nil, _ titles: String...) {
        self.name = name
        self.charsets = charsets
        self.country = country
        self.titles = titles
    }
}

@Suite("Charset guess")
struct CharsetGuesserTests {
    // None of these was used to set the numbers of the guess.
    private static let foreign = [
        Station(
            "Russian", ["windows-1251", "koi8-r"], "Мельница - Дорога сна", "Король и Шут - Лесник",
            "Сектор Газа - Лирика",
            "ВИКТОР ЦОЙ - КУКУШКА", "Погода на завтра", "Алсу - Зимний сон"),
        Station(
            "Ukrainian", ["windows-1251"], "Христина Соловій - Тримай", "Антитіла - Одинак",
            "Жадан і Собаки - Мадонна"),
        Station("Bulgarian", ["windows-1251"], "Емил Димитров - Ако си дал", "Мария Илиева - Лунен сън"),
        Station(
            "Greek", ["windows-1253", "iso-8859-7"], "Σταμάτης Σπανουδάκης - Ήχος",
            "Δήμητρα Γαλάνη - Μαμά γερνάω"),
        Station("Hebrew", ["windows-1255"], "גידי גוב - שלל שרב", "כוורת - המגפה שלי"),
        Station("Arabic", ["windows-1256"], "وردة الجزائرية - بتونس بيك", "كاظم الساهر - زيديني عشقا"),
    ]

    private static let western = [
        Station(
            "French", ["windows-1252"], "Jeanne Cherhal - L'échappé",
            "Bérurier Noir - Vivre libre ou mourir, là", "Ça ira"),
        Station(
            "German", ["windows-1252"], "Element of Crime - Weißes Papier",
            "Wir sind Helden - Müssen nur wollen", "Übergänge"),
        Station(
            "Spanish", ["windows-1252"], "Los Piratas - Años 80", "Amaral - Sin ti no soy nada (acústico)"),
        Station(
            "Portuguese", ["windows-1252"], "Ana Moura - Desfado, canção",
            "Os Mutantes - Balada do louco à mão"),
        Station(
            "Danish", ["windows-1252"], "Gnags - Når jeg bli'r gammel",
            "tv-2 - Hele verden fra forstanden på øen"),
        Station("Icelandic", ["windows-1252"], "Ólafur Arnalds - Þú ert jörðin", "Of Monsters - Kónguló"),
        Station("one word", ["windows-1252"], "Motörhead - Ace of Spades"),
        Station("symbols", ["windows-1252"], "Prince – “Kiss” ©1986 …", "Nº 1 – 20° ½"),
    ]

    private static let central = [
        Station(
            "Polish", ["windows-1250", "iso-8859-2"], country: "PL", "Kayah - Śpij kochany, śpij",
            "Varius Manx - Orła cień",
            "Raz Dwa Trzy - Trudno nie wierzyć w nic, gdzieś tłum"),
        Station(
            "Czech", ["windows-1250"], country: "CZ", "Wanastowi Vjecy - Kolik je na světě očí",
            "Tři sestry - Průša",
            "Buty - František, ještěr"),
        Station(
            "Hungarian", ["windows-1250"], country: "HU", "Kispál és a Borz - Ha az életben, erdő",
            "Quimby - Autó egy szerpentinen, fűben"),
        Station(
            "Turkish", ["windows-1254"], country: "TR", "Cem Karaca - Islak Ilık, ağlaşır",
            "Erkin Koray - Şaşkın çöpçüler"),
        Station(
            "Lithuanian", ["windows-1257"], country: "LT", "Antis - Mažūra, šėlsmas",
            "Hiperbolė - Tavęs laukiu ąžuole"),
    ]

    private func check(_ station: Station, samples count: Int, country: String? = nil) {
        for name in station.charsets {
            guard let charset = SingleByteCharset(name: name) else {
                Issue.record("no table \(name)"); continue
            }
            let samples = station.titles.prefix(count).compactMap(charset.encode)
            let guess = CharsetGuesser.guess(samples, country: country)
            let read = samples.map { CharsetDecision(learned: guess).decode($0) }
            #expect(read == Array(station.titles.prefix(count)), "\(name) taken for \(guess ?? "nothing")")
        }
    }

    @Test("tells the scripts that are not Latin, and their charsets, after two titles", arguments: foreign)
    func foreignScripts(station: Station) {
        for count in 2...max(2, station.titles.count) { check(station, samples: count) }
    }

    @Test("takes Latin-1 for nothing else, after any number of titles", arguments: western)
    func latin(station: Station) {
        for count in 1...station.titles.count { check(station, samples: count) }
    }

    @Test(
        "knows central Europe, Turkey and the Baltic by the country, or else by enough letters",
        arguments: central)
    func centralEurope(station: Station) {
        check(station, samples: 2, country: station.country)
        // Hungarian's letters in a few titles may as well be Portuguese.
        if station.name != "Hungarian" { check(station, samples: 3) }
    }

    @Test(
        "asks uchardet for the charsets of East Asia",
        arguments: [
            (
                "Shift_JIS",
                [
                    ("894691bd93638371834a838b202d208cf5", "宇多田ヒカル - 光"),
                    ("95c492c38cba8e74202d2091c58fe389d489ce", "米津玄師 - 打上花火"),
                    ("9286938782dd82e482ab202d208e8582c68e9e91e3", "中島みゆき - 糸と時代"),
                ]
            ),
            (
                "EUC-KR",
                [
                    ("bec6c0ccc0af202d20b9e3c6edc1f6", "아이유 - 밤편지"),
                    ("c0ccb9aebcbc202d20b1a4c8adb9ae20bfacb0a1", "이문세 - 광화문 연가"),
                    ("b4babdbabfcd20b3afbebe", "뉴스와 날씨"),
                ]
            ),
            (
                "GB18030",
                [
                    ("d6dcbddcc2d7202d20c7e7ccec", "周杰伦 - 晴天"),
                    ("b5cbc0f6befd202d20ccf0c3dbc3db", "邓丽君 - 甜蜜蜜"),
                    ("d0c2cec5bacdccecc6f8d4a4b1a8", "新闻和天气预报"),
                ]
            ),
            (
                "Big5",
                [
                    ("be48c452a767202d20a470abb0ac47a8c6", "鄧麗君 - 小城故事"),
                    ("c3b9a46aa6f6202d20b5a3a67e", "羅大佑 - 童年"), ("b773bb44bb50a4d1aef0", "新聞與天氣"),
                ]
            ),
        ])
    func eastAsia(charset: String, titles: [(bytes: String, text: String)]) {
        let samples = titles.map { bytes(hex: $0.bytes) }
        let guess = CharsetGuesser.guess(samples)
        let read = samples.map { CharsetDecision(learned: guess, decoder: CharsetGuesser.decode).decode($0) }
        #expect(read == titles.map(\.text), "taken for \(guess ?? "nothing")")
    }

    @Test("says nothing where there is nothing to go by")
    func nothing() {
        #expect(CharsetGuesser.guess([]) == nil)
        #expect(CharsetGuesser.guess([Array("ASCII".utf8)]) == nil)
        #expect(CharsetGuesser.guess([[UInt8](repeating: 0xFF, count: 400)]) != "windows-1251")
    }

    @Test("reads charsets of two bytes a character, and leaves out a character that was cut off")
    func multiByte() {
        #expect(CharsetGuesser.decode([0x93, 0xFA, 0x96, 0x7B, 0x8C], "Shift_JIS") == "日本")
        #expect(CharsetGuesser.decode([0x41], "no-such-charset") == nil)
        #expect(CharsetGuesser.decode([0x41, 0xFF, 0x41, 0x41, 0x41, 0x41], "Shift_JIS") == nil)
        #expect(CharsetGuesser.decode([], "EUC-KR") == "")
    }

    @Test("a station's history is read right once it is known, with no setting")
    func history() {
        let titles = ["Мельница - Дорога сна", "Король и Шут - Лесник"]
        let raw = titles.map {
            RawTitle(source: .icy, text: SingleByteCharset(name: "cp1251")?.encode($0) ?? [])
        }
        var history = CharsetHistory()
        #expect(raw.map { history.add($0) } == [true, true])
        let learned = CharsetGuesser.guess(history.samples)
        #expect(raw.map { TitleReader().read($0, learned: learned).text } == titles)
    }

    @Test("knows text that a server took for Latin-1 and made UTF-8 of")
    func encodedTwice() {
        let raw = ["Ìåëüíèöà - Äîðîãà ñíà", "Êîðîëü è Øóò - Ëåñíèê"].map {
            RawTitle(source: .icy, text: Array($0.utf8))
        }
        var history = CharsetHistory()
        for title in raw { _ = history.add(title) }
        let learned = CharsetGuesser.guess(history.samples)
        #expect(
            raw.map { TitleReader().read($0, learned: learned).text } == [
                "Мельница - Дорога сна", "Король и Шут - Лесник",
            ])
    }
}

private func bytes(hex: String) -> [UInt8] {
    let digits = hex.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

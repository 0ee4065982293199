/// Rules as people write them: one a line, a word and what it is about.
extension TitleRules {
    /// A line that is no rule. Says what is wrong and what would be right.
    package struct Mistake: Error, Sendable, Hashable, CustomStringConvertible {
        package var description: String
    }

    /// Most lines that a station may have.
    package static let mostLines = 200
    private static let longestLine = 300
    private static let longestOffset = 600.0

    /// Every word and what it does, for documentation and for the answer to a wrong one.
    package static let words: [(word: String, meaning: String)] = [
        ("strip-start TEXT", "takes TEXT off the front of each title"),
        ("strip-end TEXT", "takes TEXT off the end of each title"),
        ("separator TEXT", "parts artist and title at TEXT instead of at a dash between blanks"),
        ("swap", "the station sends title first, artist second"),
        ("whole", "the station sends no artist: titles are not parted"),
        ("track PATTERN", "is a track, whatever else is found in it"),
        ("advert PATTERN", "is an advert"),
        ("ident PATTERN", "is the station speaking of itself"),
        ("talk PATTERN", "is talk: news, traffic, a show"),
        ("nothing PATTERN", "says nothing: counts as no title"),
        ("no-word-list", "leaves the built-in words out of account"),
        ("offset SECONDS", "titles come so many seconds before the audio; a minus sign: after it"),
    ]

    /// Reads rules, one a line. Blanks around the word are not looked at; to begin or end TEXT with a blank, put it into
    /// double quotes.
    package init(lines: [String]) throws(Mistake) {
        self.init()
        guard lines.count <= Self.mostLines else {
            throw Mistake(description: "more than \(Self.mostLines) rules")
        }
        var separators: [String] = []
        for line in lines {
            let (word, text) = try Self.parts(of: line)
            if word == "separator" {
                separators.append(try Self.needed(text, line))
            } else {
                try take(word, text, line)
            }
        }
        if !separators.isEmpty { self.separators = separators }
    }

    private mutating func take(_ word: String, _ text: String, _ line: String) throws(Mistake) {
        switch word {
        case "strip-start": stripPrefixes.append(try Self.needed(text, line))
        case "strip-end": stripSuffixes.append(try Self.needed(text, line))
        case "track": tracks.append(try Self.needed(text, line))
        case "advert": adverts.append(try Self.needed(text, line))
        case "ident": idents.append(try Self.needed(text, line))
        case "talk": talk.append(try Self.needed(text, line))
        case "nothing": nothing.append(try Self.needed(text, line))
        case "swap": swapsArtistAndTitle = true
        case "whole": keepsWhole = true
        case "no-word-list": usesBuiltInWords = false
        case "offset": offset = try Self.seconds(text, line)
        default:
            let known = Self.words.map { $0.word.split(separator: " ")[0] }.joined(separator: ", ")
            throw Mistake(
                description: "\"\(TitleCleaner.cleaned(word))\" is no rule for titles; write one of \(known)")
        }
    }

    private static func parts(of line: String) throws(Mistake) -> (word: String, text: String) {
        guard line.utf8.count <= longestLine else {
            throw Mistake(description: "a rule is longer than \(longestLine) bytes")
        }
        let words = line.drop { $0 == " " }.split(separator: " ", maxSplits: 1).map(String.init)
        guard let word = words.first else { throw Mistake(description: "a rule is empty") }
        return (word.lowercased(), words.count == 2 ? unquoted(words[1]) : "")
    }

    private static func unquoted(_ text: String) -> String {
        let text = String(decoding: ASCII.trimmed(Array(text.utf8)), as: UTF8.self)
        let isQuoted = text.utf8.count > 1 && text.hasPrefix("\"") && text.hasSuffix("\"")
        return isQuoted ? String(text.dropFirst().dropLast()) : text
    }

    private static func needed(_ text: String, _ line: String) throws(Mistake) -> String {
        guard !text.isEmpty else {
            throw Mistake(description: "\"\(TitleCleaner.cleaned(line))\" says nothing to look for")
        }
        return text
    }

    private static func seconds(_ text: String, _ line: String) throws(Mistake) -> Duration {
        guard let number = Double(text), number.isFinite, abs(number) <= longestOffset else {
            throw Mistake(
                description:
                    "\"\(TitleCleaner.cleaned(line))\" needs a number of seconds between -600 and 600")
        }
        return .seconds(number)
    }

    /// The rules as lines; read again, they are the same.
    package var lines: [String] {
        let lists = [
            ("strip-start", stripPrefixes), ("strip-end", stripSuffixes),
            ("separator", separators == TitleRules().separators ? [] : separators), ("track", tracks),
            ("advert", adverts), ("ident", idents), ("talk", talk), ("nothing", nothing),
        ]
        var lines = lists.flatMap { word, texts in texts.map { "\(word) \(Self.quoted($0))" } }
        if swapsArtistAndTitle { lines.append("swap") }
        if keepsWhole { lines.append("whole") }
        if !usesBuiltInWords { lines.append("no-word-list") }
        if offset != .zero { lines.append("offset \(offset / .seconds(1))") }
        return lines
    }

    private static func quoted(_ text: String) -> String {
        let isPlain = text == unquoted(text) && text.utf8.first != 0x20 && text.utf8.last != 0x20
        return isPlain ? text : "\"\(text)\""
    }
}

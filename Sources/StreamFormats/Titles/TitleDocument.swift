/// A whole document put where a title should be.
enum TitleDocument {
    static func isXML(_ text: String) -> Bool {
        let text = Array(text.utf8)
        return ASCII.firstIndex(of: "<?xml", in: text.prefix(64)) != nil
            || ASCII.firstIndex(of: "</", in: text[...]) != nil
    }

    /// Artist and title by the names of their elements, whatever stands around them: `DB_DALET_ARTIST_NAME`.
    static func xml(_ text: String) -> TitleFields? {
        var fields = TitleFields()
        var name = ""
        for token in XMLTokens(Array(text.utf8)).all {
            switch token {
            case .open(let element, _): name = element
            case .close: name = ""
            case .text(let text): take(text, named: name, into: &fields)
            }
        }
        return fields.artist == nil && fields.title == nil ? nil : fields
    }

    static func isJSON(_ text: String) -> Bool {
        guard let last = text.unicodeScalars.last(where: { !$0.properties.isWhitespace && $0 != "\0" }) else {
            return false
        }
        return last == "}" || last == "]"
    }

    /// Artist and title by their keys, at any depth. Only strings are looked at.
    static func json(_ text: String) -> TitleFields? {
        var fields = TitleFields()
        var strings = JSONStrings(Array(text.utf8))
        while let (key, value) = strings.nextPair() { take(value, named: key, into: &fields) }
        return fields.artist == nil && fields.title == nil ? nil : fields
    }

    /// The first value of a kind that holds anything counts.
    private static func take(_ value: String, named name: String, into fields: inout TitleFields) {
        let name = name.lowercased()
        guard !TitleCleaner.cleaned(value).isEmpty else { return }
        if name.contains("album") {
            fields.album = fields.album ?? value
        } else if name.contains("artist") || name == "interpret" {
            fields.artist = fields.artist ?? value
        } else if name.contains("title")
            || ["song", "songname", "track", "now_playing", "nowplaying"].contains(name)
        {
            fields.title = fields.title ?? value
        }
    }
}

/// Walks over a JSON text and finds the strings that have a key. It cares for nothing else and so reads broken ones too.
private struct JSONStrings {
    private let text: [UInt8]
    private var index = 0

    init(_ text: [UInt8]) { self.text = text }

    mutating func nextPair() -> (key: String, value: String)? {
        while let key = nextString() {
            skipBlanks()
            guard index < text.count, text[index] == UInt8(ascii: ":") else { continue }
            index += 1
            skipBlanks()
            guard index < text.count, text[index] == UInt8(ascii: "\"") else { continue }
            guard let value = nextString() else { return nil }
            return (key, value)
        }
        return nil
    }

    private mutating func skipBlanks() {
        while index < text.count, ASCII.isBlank(text[index]) { index += 1 }
    }

    /// The next string from here on, its escapes resolved.
    private mutating func nextString() -> String? {
        guard let start = text[index...].firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        index = start + 1
        var bytes: [UInt8] = []
        while index < text.count, text[index] != UInt8(ascii: "\"") {
            if text[index] == UInt8(ascii: "\\"), index + 1 < text.count {
                index += 1
                bytes += escape()
            } else {
                bytes.append(text[index])
            }
            index += 1
        }
        guard index < text.count else { return nil }
        index += 1
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What the letter behind a backslash stands for; a lone half of a surrogate pair is left out.
    private mutating func escape() -> [UInt8] {
        switch text[index] {
        case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "b"), UInt8(ascii: "f"):
            return [0x20]
        case UInt8(ascii: "u"):
            guard let first = unit() else { return [] }
            guard UTF16.isLeadSurrogate(first), index + 2 < text.count, text[index + 1] == UInt8(ascii: "\\")
            else {
                return UTF16.isSurrogate(first) ? [] : Array(String(decoding: [first], as: UTF16.self).utf8)
            }
            index += 2
            guard let second = unit(), UTF16.isTrailSurrogate(second) else { return [] }
            return Array(String(decoding: [first, second], as: UTF16.self).utf8)
        default: return [text[index]]
        }
    }

    /// The four hexadecimal digits behind a `u`; the place moves onto the last one.
    private mutating func unit() -> UInt16? {
        guard index + 4 < text.count else { return nil }
        let digits = String(decoding: text[(index + 1)...(index + 4)], as: UTF8.self)
        guard digits.allSatisfy(\.isHexDigit), let unit = UInt16(digits, radix: 16) else { return nil }
        index += 4
        return unit
    }
}

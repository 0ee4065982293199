/// A list of attributes inside a title: `Band - text="Song" song_spot="M" …` or `title="Song",artist="Band",url="…"`.
///
/// Quotes stand inside the values. A value ends at a quote that is followed by the next `key="` or by the end, so that
/// `text="Dyna "Mite"" song_spot="M"` is `Dyna "Mite"`. A list inside a value is read as if it stood outside.
struct TitleAttributes {
    /// Any of these at the start of a word makes a title a list. Others (`subtitle="x"`) are just text.
    private static let known: Set<String> = ["text", "title", "artist", "song_spot", "songtitle", "url"]

    private var values: [String: String] = [:]
    private var head = ""

    init?(_ text: String) {
        var text = Array(text.replacing("\\\"", with: "\"").utf8)
        guard let start = Self.firstKnownKey(in: text) else { return nil }
        head = String(decoding: text[..<start], as: UTF8.self)
        var next: Int? = start
        while let index = next, let (key, value) = Self.key(in: text, at: index) {
            if Self.key(in: text, at: value) != nil {
                // The last quote closes this outer value.
                if text.last == Self.quote { text.removeLast() }
                next = value
                continue
            }
            let end = Self.end(in: text, from: value)
            if values[key] == nil { values[key] = String(decoding: text[value..<end.value], as: UTF8.self) }
            next = end.next
        }
    }

    /// The fields, and what they say of the kind. iHeart marks music with `song_spot="M"`.
    var fields: TitleFields {
        var fields = TitleFields()
        let before = Self.trimmedHead(head)
        fields.title = values["text"] ?? values["title"] ?? values["songtitle"]
        fields.artist = values["artist"] ?? (before.isEmpty ? nil : before)
        fields.duration = values["length"].flatMap { TitleTime.clock($0) }
        fields.artwork = values["amgartworkurl"]
        fields.told = told(artist: fields.artist)
        return fields
    }

    private func told(artist: String?) -> TitleClass? {
        guard let spot = values["song_spot"] else { return nil }
        if spot == "M" || !(artist ?? "").isEmpty || isInCatalogue { return .track }
        return .advert
    }

    private var isInCatalogue: Bool {
        ["mediabaseid", "tpid", "cartcutid"].contains { key in
            values[key].flatMap { ASCII.number(Array($0.utf8)) }.map { $0 > 0 } ?? false
        }
    }

    private static func trimmedHead(_ head: String) -> String {
        var words = TitleCleaner.cleaned(head)
        while let last = words.last, "-–,".contains(last) || last == " " { words.removeLast() }
        return words
    }
}

extension TitleAttributes {
    private static let quote = UInt8(ascii: "\"")

    private static func firstKnownKey(in text: [UInt8]) -> Int? {
        text.indices.first { index in
            guard index == 0 || isGap(text[index - 1]), let (key, _) = key(in: text, at: index) else {
                return false
            }
            return known.contains(key)
        }
    }

    private static func isGap(_ byte: UInt8) -> Bool { ASCII.isBlank(byte) || byte == UInt8(ascii: ",") }

    /// `key="` at this place: the key in lower case, and where its value starts.
    private static func key(in text: [UInt8], at start: Int) -> (String, Int)? {
        var index = start
        while index < text.count, index - start < 40,
            ASCII.isLetter(text[index]) || ASCII.isDigit(text[index]) || text[index] == 0x5F
        {
            index += 1
        }
        guard index > start, index + 1 < text.count, text[index] == UInt8(ascii: "="),
            text[index + 1] == quote
        else {
            return nil
        }
        return (String(decoding: ASCII.lowered(text[start..<index]), as: UTF8.self), index + 2)
    }

    /// Where the value from here ends, and where the next key starts.
    private static func end(in text: [UInt8], from start: Int) -> (value: Int, next: Int?) {
        var index = start
        while index < text.count {
            if text[index] == quote {
                var next = index + 1
                while next < text.count, isGap(text[next]) { next += 1 }
                if next == text.count { return (index, nil) }
                if next > index + 1, key(in: text, at: next) != nil { return (index, next) }
            }
            index += 1
        }
        return (text.count, nil)
    }
}

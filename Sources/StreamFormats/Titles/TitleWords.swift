/// What one title says, whatever form it came in.
struct TitleWords: Sendable {
    /// What is shown.
    var text: String
    var artist: String?
    var title: String?
    var album: String?
    var duration: Duration?
    var artwork: String?
    /// The form itself says whether it is music.
    var told: TitleClass?

    init(text: String) { self.text = text }

    /// Fields that the carrier keeps apart: never split, but joined ones (`title` starts with the artist) are parted.
    init?(artist: String, title: String) {
        if artist.isEmpty && title.isEmpty { return nil }
        self.artist = artist.isEmpty ? nil : artist
        self.title = title.isEmpty ? nil : Self.without(artist, in: title)
        text = [self.artist, self.title].compactMap(\.self).joined(separator: " - ")
    }

    init(marker: TitleMarker) {
        text = marker.text
        told = marker.kind
        duration = marker.duration
    }

    /// `A - B` by `A` is `B`.
    private static func without(_ artist: String, in title: String) -> String {
        let joined = artist + " - "
        guard !artist.isEmpty, title.count > joined.count, title.lowercased().hasPrefix(joined.lowercased())
        else {
            return title
        }
        return String(title.dropFirst(joined.count))
    }
}

extension TitleWords {
    /// From the fields of a blob or an attribute list; nil when they name neither artist nor title.
    init?(fields: TitleFields, clean: (String) -> String) {
        let artist = fields.artist.map(clean) ?? ""
        let title = fields.title.map(clean) ?? ""
        guard !Self.isAddress(title), let words = TitleWords(artist: artist, title: title) else { return nil }
        self = words
        album = fields.album.map(clean).flatMap { $0.isEmpty ? nil : $0 }
        duration = fields.duration
        artwork = fields.artwork.flatMap(WebAddress.checked)
        told = fields.told
    }

    /// The address of an interface put where a title should be.
    static func isAddress(_ text: String) -> Bool {
        !text.contains(" ")
            && (ASCII.hasPrefix(text.utf8, "http://") || ASCII.hasPrefix(text.utf8, "https://"))
    }
}

/// An address in a title. It is shown or kept, and never fetched because a title says so.
enum WebAddress {
    /// The address when it is http or https and holds neither blank nor control.
    static func checked(_ text: String) -> String? {
        guard ASCII.hasPrefix(text.utf8, "http://") || ASCII.hasPrefix(text.utf8, "https://"),
            text.utf8.count > 8,
            text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { return nil }
        return text
    }

    /// True when the path ends like a picture's.
    static func isPicture(_ address: String) -> Bool {
        let path = ASCII.lowered(address.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
        return [".jpg", ".jpeg", ".png", ".webp", ".gif"].contains { path.ends(with: $0.utf8) }
    }
}

extension Collection where Element: Equatable {
    fileprivate func ends(with tail: some Collection<Element>) -> Bool {
        count >= tail.count && dropFirst(count - tail.count).elementsEqual(tail)
    }
}

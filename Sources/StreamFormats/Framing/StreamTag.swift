/// Tags of music files that turn up between the frames of a stream: ID3v2, ID3v1, APE, Lyrics3.
enum StreamTag: Equatable {
    case id3(length: Int)
    /// A tag that we do not read.
    case other(length: Int)

    enum Reading: Equatable {
        case tag(StreamTag)
        case none
        case needsMore
    }

    /// A tag that says it is longer is not believed: a lie would swallow minutes of sound.
    static let longest = 1 << 20
    private static let longestLyrics = 1 << 16

    var length: Int {
        switch self {
        case .id3(let length), .other(let length): length
        }
    }

    /// True where the bytes at `index` can only be the begin of a tag; nil while it may become one.
    static func begins(_ window: borrowing ByteWindow, at index: Int, atEnd: Bool) -> Bool? {
        if ID3Tag.announcedLength(window, at: index) != nil || window.has("TAG", at: index)
            || window.has("APETAGEX", at: index) || window.has("LYRICSBEGIN", at: index)
        {
            return true
        }
        return !atEnd && mayBegin(window, at: index) ? nil : false
    }

    /// Looks for a tag at `index` and its length.
    static func read(_ window: borrowing ByteWindow, at index: Int, atEnd: Bool) -> Reading {
        if let length = ID3Tag.announcedLength(window, at: index) { return believed(.id3(length: length)) }
        if window.has("TAG", at: index) {
            return .tag(.other(length: window.has("TAG+", at: index) ? 227 : 128))
        }
        if window.has("APETAGEX", at: index), window.count - index >= 32 { return apeTag(window, at: index) }
        if window.has("LYRICSBEGIN", at: index) { return lyrics(window, at: index, atEnd: atEnd) }
        return !atEnd && mayBegin(window, at: index) ? .needsMore : .none
    }

    private static func mayBegin(_ window: borrowing ByteWindow, at index: Int) -> Bool {
        let left = window.count - index
        return (left < 10 && window.mayHave("ID3", at: index))
            || (left < 4 && window.mayHave("TAG", at: index))
            || (left < 32 && window.mayHave("APETAGEX", at: index))
            || (left < 11 && window.mayHave("LYRICSBEGIN", at: index))
    }

    private static func believed(_ tag: StreamTag) -> Reading {
        tag.length <= longest ? .tag(tag) : .none
    }

    /// The size does not count the header.
    private static func apeTag(_ window: borrowing ByteWindow, at index: Int) -> Reading {
        let size =
            Int(window[index + 12]) | Int(window[index + 13]) << 8 | Int(window[index + 14]) << 16
            | Int(window[index + 15]) << 24
        return believed(.other(length: 32 + size))
    }

    private static func lyrics(_ window: borrowing ByteWindow, at index: Int, atEnd: Bool) -> Reading {
        var place = index + 11
        while place + 9 <= window.count, place - index < longestLyrics {
            if window.has("LYRICS200", at: place) || window.has("LYRICSEND", at: place) {
                return .tag(.other(length: place + 9 - index))
            }
            place += 1
        }
        return atEnd || place - index >= longestLyrics ? .none : .needsMore
    }
}

/// A title as it came, before anybody guessed its charset.
///
/// The bytes are kept so that history can be decoded again once a station's charset has been learned.
package struct RawTitle: Sendable, Hashable {
    package enum Source: String, Sendable, Hashable {
        case icy, ogg, id3, extinf, flac, statusPage = "status-page", source
    }

    /// What the carrier says of the bytes' charset; ICY says nothing.
    package enum Encoding: String, Sendable, Hashable {
        case unknown, utf8, latin1, utf16
    }

    package var source: Source
    package var encoding: Encoding
    /// The whole title: the value of `StreamTitle`, of `TIT2`, of `EXTINF`. Empty says "no title".
    package var text: [UInt8]
    /// The artist where the carrier has a field for it (`ARTIST=`, `TPE1`).
    package var artist: [UInt8]?
    /// The value of `StreamUrl`, `WXXX` and the like.
    package var url: [UInt8]?
    /// The carrier marked an advert (`adw_ad='true'`, `StreamUrl` of an ad server).
    package var isAdvert: Bool
    /// The whole block as it came (an ICY block without its padding), for those who want to look again.
    package var block: [UInt8]

    package init(
        source: Source, encoding: Encoding = .unknown, text: [UInt8], artist: [UInt8]? = nil,
        url: [UInt8]? = nil,
        isAdvert: Bool = false, block: [UInt8] = []
    ) {
        self.source = source
        self.encoding = encoding
        self.text = text
        self.artist = artist
        self.url = url
        self.isAdvert = isAdvert
        self.block = block
    }
}

/// What a title turned out to be.
package enum TitleClass: String, Sendable, Hashable {
    case track, advert, ident, talk, none
}

/// What a title tells beside its words, where it does.
package struct TitleDetails: Sendable, Hashable {
    /// Of the track or the advert.
    package var duration: Duration?
    package var album: String?
    /// An http or https address of a picture.
    package var artwork: String?
    /// Any other http or https address. Nothing is ever fetched because a title says so.
    package var link: String?

    package init(duration: Duration? = nil, album: String? = nil, artwork: String? = nil, link: String? = nil)
    {
        self.duration = duration
        self.album = album
        self.artwork = artwork
        self.link = link
    }
}

/// A title as people read it.
package struct TitleText: Sendable, Hashable {
    /// The whole title, cleaned, at most 4080 bytes of UTF-8: what the largest title block holds.
    package var text: String
    package var artist: String?
    package var title: String?
    package var kind: TitleClass
    package var details: TitleDetails

    package init(
        text: String, artist: String? = nil, title: String? = nil, kind: TitleClass,
        details: TitleDetails = TitleDetails()
    ) {
        self.text = text
        self.artist = artist
        self.title = title
        self.kind = kind
        self.details = details
    }

    /// Nothing is announced.
    package static let none = TitleText(text: "", kind: .none)
}

/// The words by which titles that are no tracks are known without any rule of the station's.
///
/// Everything is compared folded (letters and digits, lower case), so `N/A` is `na` and `No desc.` is `nodesc`.
package enum TitleWordTable {
    /// A whole title of these says nothing.
    static let nothing: Set<String> = [
        "unknown", "unknownunknown", "unknownartist", "unknowntitle", "unknownartistunknowntitle",
        "unknownartistunknowntrack", "na", "none", "null", "nan", "undefined", "untitled", "notitle",
        "notitleavailable",
        "notavailable", "nodesc", "nodescription", "noname",
        "nowplayinginfogoeshere", "nowplaying", "currentsong", "nometadata", "noinformation", "noinfo",
        "unbekannt",
        "inconnu", "desconocido", "desconhecido", "sconosciuto", "неизвестно", "nullnull", "nana",
    ]

    /// A whole title, or one side of it, that is just this.
    static let advert: Set<String> = [
        "ad", "ads", "advert", "adverts", "advertisement", "advertisements", "advertising", "adbreak",
        "commercial",
        "commercials", "commercialbreak", "sponsor", "spotblock", "spotblockstart", "spotblockend", "werbung",
        "werbeblock", "werbepause", "reklame", "publicité", "pub", "pagedepublicité", "publicidad",
        "pautapublicitaria",
        "pubblicità", "pubblicita", "siglapubblicità", "publicidade", "anúncio", "anúncios", "reclame",
        "reclameblok", "reklam",
        "reklama", "reklamy", "reklamblok", "mainos", "mainoksia", "mainostauko", "реклама", "διαφημίσεις",
    ]

    /// Words that make a title without sides an advert wherever they stand in it.
    static let advertInside: Set<String> = [
        "advertisement", "commercialbreak", "adbreak", "werbung", "werbeblock", "werbepause", "publicité",
        "publicidad",
        "pubblicità", "publicidade", "reklama", "реклама", "reclame",
    ]

    /// Starts of titles that tell of a break.
    static let advertPhrases = [
        "this station will continue after", "we'll be right back", "we will be right back",
        "your station will be back",
        "gleich geht es weiter", "gleich geht's weiter",
    ]

    static let ident: Set<String> = [
        "jingle", "jingles", "stationid", "stationident", "stationidentification", "ident", "idents",
        "sweeper", "sweepers",
        "liner", "promo", "promos", "trailer", "opener", "bumper", "stinger", "toth", "topofthehour", "drop",
        "джингл", "dżingiel",
    ]

    /// One side of a title that is just this. The shorter words above are names of songs too.
    static let identSides: Set<String> = [
        "jingle", "jingles", "stationid", "stationident", "stationidentification", "ident", "sweeper",
        "promo", "джингл",
    ]

    /// Starts of titles in which a station speaks of itself.
    static let identPhrases = [
        "you are listening to", "you're listening to", "you are tuned", "thank you for listening",
        "thanks for listening", "sie hören", "ihr hört", "du hörst", "vous écoutez", "estás escuchando",
        "estas escuchando", "ascolti", "stai ascoltando", "je luistert naar", "u luistert naar", "słuchasz",
        "вы слушаете", "listen live", "visit us at", "follow us on",
    ]

    static let talk: Set<String> = [
        "news", "newsflash", "headlines", "traffic", "trafficnews", "weather", "weatherforecast", "sports",
        "sportsnews",
        "talk", "interview", "liveshow", "nachrichten", "verkehr", "verkehrsfunk", "wetter", "moderation",
        "presse",
        "infos", "info", "journal", "flashinfo", "météo", "noticias", "notícias", "tráfico", "notizie",
        "giornaleradio",
        "meteo", "nieuws", "verkeer", "weer", "nyheter", "nyheder", "uutiset", "wiadomości", "zprávy",
        "новости", "погода",
        "ειδήσεις", "hírek", "haber", "haberler",
    ]

    /// First words of a title without sides: `News at ten`.
    static let talkStarts: Set<String> = [
        "news", "headlines", "traffic", "weather", "nachrichten", "verkehr", "verkehrsnachrichten", "wetter",
        "noticias",
        "notícias", "notizie", "nieuws", "nyheter", "nyheder", "uutiset", "wiadomości", "zprávy", "новости",
        "hírek",
    ]

    /// What the words say; nil when they say nothing against a track.
    static func kind(of text: TitleText) -> TitleClass? {
        let whole = TextPattern.folded(text.text)
        if whole.isEmpty { return isNothing(text.text) ? TitleClass.none : nil }
        if nothing.contains(whole) { return TitleClass.none }
        if advert.contains(whole) { return .advert }
        if ident.contains(whole) { return .ident }
        let lowered = text.text.lowercased()
        if advertPhrases.contains(where: lowered.hasPrefix) { return .advert }
        if identPhrases.contains(where: lowered.hasPrefix) { return .ident }
        if let artist = text.artist, let title = text.title { return sides(artist, title) }
        if talk.contains(whole) { return .talk }
        let words = text.text.split { !$0.isLetter && !$0.isNumber }.map { TextPattern.folded(String($0)) }
        if words.contains(where: advertInside.contains) { return .advert }
        return words.first.map(talkStarts.contains) ?? false ? .talk : nil
    }

    private static func sides(_ artist: String, _ title: String) -> TitleClass? {
        let sides = [TextPattern.folded(artist), TextPattern.folded(title)]
        if sides.allSatisfy(nothing.contains) { return TitleClass.none }
        // `A.D.` and `Pub` are songs; the longer words are none.
        if sides.contains(where: { $0.count > 5 && advert.contains($0) }) { return .advert }
        return sides.contains(where: identSides.contains) ? .ident : nil
    }

    /// Nothing but ASCII marks: `-`, `_`, `...`. A title of symbols (`★`) is somebody's.
    private static func isNothing(_ text: String) -> Bool { text.unicodeScalars.allSatisfy(\.isASCII) }
}

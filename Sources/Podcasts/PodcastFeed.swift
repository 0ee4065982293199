internal import HTTPWire
package import JSONText
internal import Platform
internal import StreamFormats

/// Writes shows for podcast apps: RSS 2.0 with the iTunes and podcast-namespace elements, chapters as JSON, a list of all
/// feeds as OPML. Pure. Sources: RSS 2.0; podcastindex.org/namespace/1.0; OPML 2.0.
package struct PodcastFeed: Sendable {
    /// `http://radio.local:2472`, as the caller reached us.
    private let root: String

    package init(root: String) { self.root = root }

    /// `http://…/api/v1/feeds/show:NAME.xml`
    package func address(of show: PodcastShow) -> String {
        "\(root)/api/v1/feeds/\(Self.segment(show.key)).xml"
    }

    // MARK: RSS

    package func rss(_ show: PodcastShow) -> String {
        let own = address(of: show)
        let image =
            show.pictured.map { "\(root)/api/v1/stations/\(Self.segment($0))/artwork" }
            ?? "\(root)/player/icons/mark-512.png"
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" \
            xmlns:atom="http://www.w3.org/2005/Atom" xmlns:podcast="https://podcastindex.org/namespace/1.0">
            <channel>
              <title>\(Self.escaped(show.title))</title>
              <link>\(Self.escaped("\(root)/player/recordings/show/\(Self.segment(show.key))"))</link>
              <description>\(Self.escaped(show.about ?? "Recorded from \(show.station) by aircheck."))</description>
              <language>\(Self.escaped(Self.language(show.language)))</language>
              <generator>aircheck</generator>
              <atom:link href="\(Self.escaped(own))" rel="self" type="application/rss+xml"/>
              <image><url>\(Self.escaped(image))</url><title>\(Self.escaped(show.title))</title>\
            <link>\(Self.escaped(root + "/player/"))</link></image>
              <itunes:image href="\(Self.escaped(image))"/>
              <itunes:author>\(Self.escaped(show.station))</itunes:author>
              <itunes:explicit>false</itunes:explicit>
              <itunes:block>Yes</itunes:block>
              <podcast:locked>yes</podcast:locked>

            """
        if let genre = show.genre { text += "  <category>\(Self.escaped(genre))</category>\n" }
        if let newest = show.episodes.first {
            text += "  <lastBuildDate>\(Self.date(newest.published))</lastBuildDate>\n"
        }
        for episode in show.episodes { text += item(episode) }
        return text + "</channel>\n</rss>\n"
    }

    private func item(_ episode: PodcastEpisode) -> String {
        let place = "\(root)/api/v1/recordings/\(Self.segment(episode.recording))"
        let file = episode.file.map { "?file=\($0)" } ?? ""
        var text = """
              <item>
                <title>\(Self.escaped(episode.title))</title>
                <link>\(Self.escaped("\(root)/player/recordings/\(Self.segment(episode.recording))"))</link>
                <guid isPermaLink="false">\(Self.escaped(episode.id))</guid>
                <pubDate>\(Self.date(episode.published))</pubDate>
                <description>\(Self.escaped(episode.summary))</description>
                <enclosure url="\(Self.escaped(place + "/audio" + file))" length="\(episode.bytes)" \
            type="\(Self.escaped(episode.type))"/>
                <itunes:duration>\(Int(bounded: episode.seconds.rounded()))</itunes:duration>

            """
        if !episode.chapters.isEmpty {
            text +=
                "    <podcast:chapters url=\"\(Self.escaped(place + "/chapters.json" + file))\" type=\"application/json+chapters\"/>\n"
        }
        if let type = episode.captionsType {
            text +=
                "    <podcast:transcript url=\"\(Self.escaped(place + "/captions"))\" type=\"\(Self.escaped(type))\"/>\n"
        }
        return text + "  </item>\n"
    }

    // MARK: Chapters, lists

    /// Chapters as podcast apps read them. Source: podcastindex.org, JSON Chapters 1.2.
    package static func chapters(_ episode: PodcastEpisode) -> JSONValue {
        [
            "version": "1.2.0", "title": .string(episode.title),
            "chapters": .array(
                episode.chapters.map {
                    ["startTime": .number(($0.start * 1000).rounded() / 1000), "title": .string($0.title)]
                }),
        ]
    }

    /// All feeds, for apps that take a list.
    package func opml(_ shows: [PodcastShow]) -> String {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <opml version="2.0">
            <head><title>aircheck: recordings</title></head>
            <body>

            """
        for show in shows {
            let title = Self.escaped(show.title)
            text +=
                "  <outline type=\"rss\" text=\"\(title)\" title=\"\(title)\" xmlUrl=\"\(Self.escaped(address(of: show)))\"/>\n"
        }
        return text + "</body>\n</opml>\n"
    }

    // MARK: Words

    private static func escaped(_ text: String) -> String { XMLText.escaped(text) }
    private static func segment(_ text: String) -> String { PercentCoding.encode(text) }

    private static func date(_ wall: WallTime) -> String {
        HTTPDate.text(secondsSince1970: wall.nanoseconds / 1_000_000_000)
    }

    /// A code where the catalogue has one; feeds must name a language.
    private static func language(_ name: String?) -> String {
        let codes = [
            "german": "de", "english": "en", "french": "fr", "dutch": "nl", "spanish": "es", "italian": "it",
            "portuguese": "pt", "polish": "pl", "russian": "ru", "swedish": "sv", "danish": "da",
            "norwegian": "no", "finnish": "fi", "greek": "el", "turkish": "tr", "japanese": "ja",
        ]
        guard let name = name?.lowercased() else { return "en" }
        return codes[name] ?? (name.count == 2 ? name : "en")
    }
}

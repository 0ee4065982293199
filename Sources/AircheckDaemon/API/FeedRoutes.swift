internal import ControlAPI
internal import HTTPWire
internal import JSONText
internal import Platform
internal import Podcasts
internal import Recording
internal import StreamFormats

/// Recordings for podcast apps: a feed a show, chapters, captions, and a list of all feeds.
struct FeedRoutes {
    let rooms: Rooms

    /// Episodes of a feed; older ones are in the page.
    private static let episodeLimit = 300
    private static let captionLimit = 8 << 20
    /// Captions beside `NAME.mp3`, by what is read best.
    private static let captionKinds = [
        ("vtt", "text/vtt; charset=utf-8"), ("srt", "application/x-subrip; charset=utf-8"),
        ("lrc", "application/x-lrc; charset=utf-8"),
    ]

    var all: [APIRoute] {
        [
            APIRoute(
                "GET", "/api/v1/feeds.opml", .viewer, "every show's feed, as OPML",
                result: .text(["text/x-opml"])
            ) { call in
                .text(feed(call).opml(try shows()), type: "text/x-opml; charset=utf-8")
            },
            APIRoute(
                "GET", "/api/v1/feeds/{show}", .viewer, "a show as a podcast: show:NAME.xml, station:ID.xml",
                result: .text(["application/rss+xml"])
            ) {
                call in
                try show(call)
            },
            APIRoute(
                "GET", "/api/v1/recordings/{id}/chapters.json", .viewer, "chapters, for podcast apps",
                query: [
                    .init("file", .integer, "those of the n-th of several files, from its start; of all")
                ],
                result: .file
            ) { try chapters($0) },
            APIRoute(
                "GET", "/api/v1/recordings/{id}/captions", .viewer,
                "captions that lie beside a recording: WebVTT, SubRip or LRC", result: .file
            ) { call in try captions(call) },
        ]
    }

    private func feed(_ call: APIRequest) -> PodcastFeed {
        let root = call.caller.root.isEmpty ? rooms.addresses.withLock { $0.control } : call.caller.root
        return PodcastFeed(root: root)
    }

    private func show(_ call: APIRequest) throws -> APIAnswer {
        let name = call.name("show")
        guard name.hasSuffix(".xml"),
            let show = try shows(only: String(name.dropLast(".xml".count))).first
        else {
            throw APIFailure(.notFound, "there is no show of that name with recordings")
        }
        return .text(feed(call).rss(show), type: "application/rss+xml; charset=utf-8")
    }

    /// Shows with recordings that can be heard.
    /// - Parameter key: of one show, which comes with its episodes; nil for all without them.
    private func shows(only key: String? = nil) throws -> [PodcastShow] {
        var found: [String: PodcastShow] = [:]
        var episodes: [RecordingID] = []
        for facts in try rooms.library.summaries()
        where facts.state != .recording && facts.state != .failed && facts.fileName != nil {
            let own = facts.show.map { "show:\($0)" } ?? "station:\(facts.stationID)"
            guard key == nil || key == own else { continue }
            if key != nil, episodes.count < Self.episodeLimit { episodes.append(facts.id) }
            guard found[own] == nil else { continue }
            let station = rooms.catalogue.station(facts.stationID)?.station
            found[own] = PodcastShow(
                key: own, title: facts.show ?? facts.stationName, station: facts.stationName,
                genre: station?.genre, language: station?.language, about: rooms.descriptions[own],
                pictured: station.flatMap { rooms.artwork.fileAtHand(of: $0) != nil ? $0.id : nil },
                episodes: [])
        }
        if let key { found[key]?.episodes = try rooms.library.recordings(episodes).flatMap(self.episodes) }
        return found.values.sorted { $0.title < $1.title }
    }

    // MARK: Episodes

    /// A recording's episodes, newest first: one for each of its files, as an episode has one.
    private func episodes(_ facts: RecordingFacts) -> [PodcastEpisode] {
        guard facts.parts.count > 1 else { return [episode(facts, nil)] }
        return facts.parts.indices.reversed().map { episode(facts, $0) }
    }

    /// - Parameter index: of one of several files; nil for the whole.
    private func episode(_ facts: RecordingFacts, _ index: Int?) -> PodcastEpisode {
        let part = index.map { facts.parts[$0] }
        let chapters = chapters(facts, part)
        let day = LocalTime.iso(facts.started).prefix(16).replacing("T", with: " ")
        let place = index.map { " (\($0 + 1) of \(facts.parts.count))" } ?? ""
        let heard = chapters.prefix(50).map(\.title).joined(separator: "\n")
        let about = rooms.descriptions[facts.id.text]
        return PodcastEpisode(
            recording: facts.id.text, file: index.map { $0 + 1 },
            title: "\(facts.show ?? facts.stationName), \(day)\(place)",
            summary: about ?? (heard.isEmpty ? "Recorded from \(facts.stationName)." : heard),
            published: facts.started.advanced(bySeconds: part?.startSeconds ?? 0),
            seconds: part?.seconds ?? facts.seconds, bytes: part?.bytes ?? facts.bytes,
            type: MediaType.forFile(part?.name ?? facts.fileName ?? ""), chapters: chapters,
            // They lie beside the first.
            captionsType: index ?? 0 == 0
                ? captionFile(facts).map { String($0.type.prefix { $0 != ";" }) } : nil)
    }

    /// What aired in a file, counted from its start, with what was airing when it began; of the whole without one.
    private func chapters(_ facts: RecordingFacts, _ part: RecordingPart?) -> [PodcastEpisode.Chapter] {
        let all = facts.titles.filter { $0.text.kind != .none && !$0.text.text.isEmpty }
            .map { PodcastEpisode.Chapter(start: $0.cutSeconds ?? $0.seconds, title: $0.text.text) }
        guard let part else { return all }
        let end = part.startSeconds + part.seconds
        let before = all.last { $0.start <= part.startSeconds }.map { [$0] } ?? []
        return (before + all.filter { $0.start > part.startSeconds && $0.start < end }).map {
            PodcastEpisode.Chapter(start: max(0, $0.start - part.startSeconds), title: $0.title)
        }
    }

    private func chapters(_ call: APIRequest) throws -> APIAnswer {
        let facts = try stored(call.name("id"))
        var index: Int?
        if call.query["file"] != nil {
            let file = try call.number("file", standard: 1, in: 1...1_000_000)
            guard facts.parts.indices.contains(file - 1) else {
                throw APIFailure(.notFound, "this recording has \(facts.parts.count) files")
            }
            index = file - 1
        }
        return .text(
            PodcastFeed.chapters(episode(facts, index)).text(), type: "application/json+chapters")
    }

    private func stored(_ id: String) throws -> RecordingFacts {
        guard let facts = try rooms.library.recording(RecordingID(id)) else {
            throw APIFailure(.notFound, "there is no recording of that id")
        }
        return facts
    }

    // MARK: Captions

    private func captionFile(_ facts: RecordingFacts) -> (path: String, type: String)? {
        guard let path = facts.path, let dot = path.lastIndex(of: ".") else { return nil }
        for (end, type) in Self.captionKinds where Files.exists("\(path[..<dot]).\(end)") {
            return ("\(path[..<dot]).\(end)", type)
        }
        return nil
    }

    private func captions(_ call: APIRequest) throws -> APIAnswer {
        guard let file = captionFile(try stored(call.name("id"))) else { return .nothing }
        guard let bytes = try? Files.read(file.path, limit: Self.captionLimit) else {
            throw APIFailure(.notFound, "the captions of this recording cannot be read")
        }
        return .text(String(decoding: bytes, as: UTF8.self), type: file.type)
    }
}

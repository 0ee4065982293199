package import Feed
package import Platform

/// What of the past is to be kept.
package enum KeepSpan: Sendable, Hashable {
    /// The song that is on, from its start to its end, cut as a track is cut.
    case song
    /// The one before it.
    case previousSong
    /// The last so many seconds, up to now.
    case last(seconds: Double)
    /// What was on the air since then, up to now.
    case since(WallTime)
}

/// Where and how the past is kept.
package struct KeepRequest: Sendable {
    package var span: KeepSpan
    /// Where it goes, named by the template.
    package var folder: String
    /// Nil for the usual one.
    package var template: NameTemplate?
    /// Retention never deletes it.
    package var isProtected = false
    /// Name of the programme, for file names and tags.
    package var show: String?
    package var rules = TrackRules()

    package init(_ span: KeepSpan, folder: String) {
        self.span = span
        self.folder = folder
    }
}

extension Recorder {
    /// A song longer than this is a station that changes no titles.
    private static let songSeconds = 3 * 3600.0

    /// Keeps what has been on the air, from the feed's memory or from the window on the disk.
    ///
    /// A song that is still on is kept to its end; the other spans are written at once. Blocks while folders are read.
    /// - Parameter window: what is held on the disk; nil for the feed's memory alone.
    /// - Throws: `other` where nothing of it is held.
    package func keep(
        _ request: KeepRequest, of feed: Feed, window: WindowStore? = nil
    ) throws(RecordingError) -> RecordingID {
        switch request.span {
        case .song: try keepSong(0, request, of: feed, window)
        case .previousSong: try keepSong(1, request, of: feed, window)
        case .last(let seconds):
            try keep(since: wallNow.advanced(bySeconds: -seconds), request, of: feed, window)
        case .since(let wall): try keep(since: wall, request, of: feed, window)
        }
    }

    /// - Parameter back: how many songs before the one that is on.
    private func keepSong(
        _ back: Int, _ wanted: KeepRequest, of feed: Feed, _ window: WindowStore?
    ) throws(RecordingError) -> RecordingID {
        let songs = SongHistory(feed.titles, edge: feed.position.seconds, rules: wanted.rules).songs
        guard songs.count > back else {
            throw .other(
                back == 0
                    ? "\(feed.station.name) has not said what is on"
                    : "\(feed.station.name) has had no song before this one while it was connected")
        }
        var tracks = TrackRequest(
            folder: wanted.folder, template: wanted.template ?? .libraryTrack, rules: wanted.rules)
        tracks.only = songs[songs.count - 1 - back].position
        var request = RecordingRequest(target: nil, tracks: tracks)
        // As much before the title as the cut may lie before it.
        let start = songs[songs.count - 1 - back].position.earlier(bySeconds: 2 * tracks.rules.searchSeconds)
        request.start = .position(start)
        request.limit = .seconds(Self.songSeconds)
        (request.keep, request.show) = (wanted.isProtected, wanted.show)
        return try self.start(
            request, feed: feed, window: window?.open(station: feed.station.id, from: .position(start)))
    }

    private func keep(
        since wall: WallTime, _ wanted: KeepRequest, of feed: Feed, _ window: WindowStore?
    ) throws(RecordingError) -> RecordingID {
        let target = RecordingRequest.Target.library(
            folder: wanted.folder, template: wanted.template ?? .whole)
        var request = RecordingRequest(target: target)
        request.limit = .until(wallNow)
        (request.keep, request.show) = (wanted.isProtected, wanted.show)
        request.giveUpSeconds = 1
        let oldest = window?.oldest(of: feed.station.id)
        guard oldest != nil || feed.heldBytes > 0 else {
            throw .other(
                "nothing of \(feed.station.name) is held: it was neither played nor recorded lately")
        }
        request.since = max(wall, oldest ?? wall)
        let reader = window?.open(station: feed.station.id, from: .wall(wall))
        if reader == nil {
            let seconds = wallNow.secondsSince1970 - wall.secondsSince1970
            request.start = .position(feed.position.earlier(bySeconds: seconds))
        }
        return try start(request, feed: feed, window: reader)
    }
}

extension StreamPosition {
    /// Audio time that much earlier; the byte count says nothing then.
    func earlier(bySeconds seconds: Double) -> StreamPosition {
        StreamPosition(bytes: 0, nanoseconds: max(0, nanoseconds - Nanoseconds.of(seconds)))
    }
}

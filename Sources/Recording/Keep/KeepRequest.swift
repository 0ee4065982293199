package import Feed
package import Platform

/// What of the past is to be kept.
package enum KeepSpan: Sendable, Hashable {
    /// The song that is on, from its start to its end, cut as a track is cut.
    case song
    /// The last so many seconds, up to now.
    case last(seconds: Double)
    /// What was on the air since then, up to now.
    case since(WallTime)
}

extension Recorder {
    /// Keeps what has been on the air, from the feed's memory or from the window on the disk.
    ///
    /// A song that is still on is kept to its end; the other spans are written at once.
    /// - Parameters:
    ///   - folder: where it goes, named by the template.
    ///   - window: what is held on the disk; nil for the feed's memory alone.
    /// - Throws: `other` where nothing of it is held.
    package func keep(
        _ span: KeepSpan, of feed: Feed, in folder: String, template: NameTemplate? = nil,
        window: WindowStore? = nil,
        protected: Bool = false
    ) throws(RecordingError) -> RecordingID {
        switch span {
        case .song: try keepSong(of: feed, in: folder, template, window, protected)
        case .last(let seconds):
            try keep(wallNow.advanced(bySeconds: -seconds), of: feed, in: folder, template, window, protected)
        case .since(let wall): try keep(wall, of: feed, in: folder, template, window, protected)
        }
    }

    private func keepSong(
        of feed: Feed, in folder: String, _ template: NameTemplate?, _ window: WindowStore?, _ protected: Bool
    ) throws(RecordingError) -> RecordingID {
        guard let mark = feed.titles.last(where: { $0.text.kind == .track }) ?? feed.nowAiring else {
            throw .other("\(feed.station.name) has not said what is on")
        }
        var tracks = TrackRequest(folder: folder, template: template ?? .libraryTrack)
        tracks.only = mark.position
        var request = RecordingRequest(target: nil, tracks: tracks)
        // As much before the title as the cut may lie before it.
        let start = mark.position.earlier(bySeconds: 2 * tracks.rules.searchSeconds)
        request.start = .position(start)
        request.keep = protected
        return try self.start(
            request, feed: feed, window: window?.open(station: feed.station.id, from: .position(start)))
    }

    private func keep(
        _ wall: WallTime, of feed: Feed, in folder: String, _ template: NameTemplate?, _ window: WindowStore?,
        _ protected: Bool
    ) throws(RecordingError) -> RecordingID {
        var request = RecordingRequest(target: .library(folder: folder, template: template ?? .whole))
        request.limit = .until(wallNow)
        request.keep = protected
        request.giveUpSeconds = 1
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
        StreamPosition(bytes: 0, nanoseconds: max(0, nanoseconds - Int64(seconds * 1e9)))
    }
}

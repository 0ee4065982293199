internal import Feed
internal import JSONText
internal import Platform
internal import Recording
internal import StreamFormats

/// Feeds and titles as the API writes them.
enum FeedJSON {
    static func title(_ text: TitleText) -> JSONValue {
        [
            "text": .string(text.text), "artist": JSONValue(text.artist), "title": JSONValue(text.title),
            "class": .string(text.kind.rawValue),
        ]
    }

    /// `{"text", "artist", "title", "class", "since"}`, and `"artwork": true` where the station told of a picture.
    static func mark(_ mark: TitleMark) -> JSONValue {
        guard case .object(var members) = title(mark.text) else { return .null }
        // To the millisecond: a page shows a title when its sound is reached.
        members.append(.init("since", .string(WallStamp.text(mark.wall))))
        if mark.text.details.artwork != nil { members.append(.init("artwork", true)) }
        return .object(members)
    }

    /// A title with its station: the event `title`.
    static func airing(_ mark: TitleMark, of station: Station) -> JSONValue {
        ["station": StationJSON.reference(station), "now": Self.mark(mark)]
    }

    static func format(_ format: AudioFormat) -> JSONValue {
        [
            "codec": .string(format.codec.rawValue), "container": .string(format.container.rawValue),
            "sample_rate": .int(Int64(format.sampleRate)), "channels": .int(Int64(format.channels)),
        ]
    }

    /// The event `station`.
    static func brief(_ feed: Feed) -> JSONValue {
        let status = feed.status
        return [
            "id": .string(feed.station.id), "name": .string(feed.station.name),
            "state": .string(status.state.rawValue),
            "reason": JSONValue(status.reason), "arriving": .bool(feed.isArriving),
            "segment_seconds": JSONValue(status.segmentSeconds),
            "retry_at": JSONValue(status.retryAt.map(LocalTime.iso)),
        ]
    }

    /// All that is known of a feed.
    static func full(_ feed: Feed, listeners: Int) -> JSONValue {
        let status = feed.status
        let position = feed.position
        let rate = position.seconds > 1 ? Double(position.bytes) * 8 / position.seconds / 1000 : nil
        return [
            "id": .string(feed.station.id), "name": .string(feed.station.name),
            "state": .string(status.state.rawValue), "reason": JSONValue(status.reason),
            "notice": JSONValue(status.notice), "since": .string(LocalTime.iso(status.since)),
            "retry_at": JSONValue(status.retryAt.map(LocalTime.iso)), "url": JSONValue(status.url),
            "arriving": .bool(feed.isArriving), "segment_seconds": JSONValue(status.segmentSeconds),
            "protocol": JSONValue(status.protocolName), "station_name": JSONValue(status.stationName),
            "genre": JSONValue(status.genre), "homepage": JSONValue(status.homepage),
            "description": JSONValue(status.stationDescription),
            "advertised_kbps": JSONValue(status.advertisedBitrate), "bitrate_kbps": JSONValue(rate),
            "forgiven_faults": .array(status.forgivenFaults.map { .string($0.rawValue) }),
            "metaint": JSONValue(status.metaint), "format": feed.format.map(format) ?? .null,
            "now": feed.nowAiring.map(mark) ?? .null,
            "readers": .array(feed.readerNames.map(JSONValue.string)), "listeners": .int(Int64(listeners)),
            "audio_seconds": .number(position.seconds), "audio_bytes": .int(position.bytes),
            "bytes_received": .int(status.bytesReceived), "held_bytes": .int(Int64(feed.heldBytes)),
            "reconnects": .int(Int64(status.reconnects)), "gaps": .array(feed.gaps.suffix(20).map(gap)),
        ]
    }

    static func gap(_ gap: Gap) -> JSONValue {
        [
            "at_seconds": .number(gap.position.seconds), "from": .string(LocalTime.iso(gap.from)),
            "to": .string(LocalTime.iso(gap.to)), "cause": .string(gap.cause.rawValue),
            "lost_seconds": .number(gap.lostSeconds),
        ]
    }
}

internal import Feed
package import JSONText
internal import Platform
internal import StreamFormats

extension Sidecar {
    /// Reads a sidecar of ours back.
    /// - Returns: nil where it is not one, or of a version that we do not know.
    package static func facts(_ json: JSONValue, folder: String) -> RecordingFacts? {
        guard json["aircheck"]?.int == version, let id = json["id"]?.string,
            let state = json["state"]?.string.flatMap(RecordingFacts.State.init),
            let station = json["station"]
        else { return nil }
        let never = WallTime(nanoseconds: 0)
        return RecordingFacts(
            id: RecordingID(id), state: state, reason: json["reason"]?.string,
            stationID: station["id"]?.string ?? "", stationName: station["name"]?.string ?? "",
            url: station["url"]?.string, homepage: station["homepage"]?.string,
            genre: station["genre"]?.string,
            show: json["show"]?.string, origin: json["origin"]?.string, keep: json["keep"]?.bool ?? false,
            slot: json["slot"].flatMap(slot),
            format: json["format"].flatMap(format), started: wall(json["started"]) ?? never,
            ended: wall(json["ended"]) ?? never, folder: folder,
            parts: (json["files"]?.array ?? []).compactMap(part),
            titles: (json["titles"]?.array ?? []).compactMap(title),
            gaps: (json["gaps"]?.array ?? []).compactMap(gap),
            clock: (json["clock"]?.array ?? []).compactMap(anchor),
            tracks: (json["tracks"]?.array ?? []).compactMap(track),
            trackFolder: json["track_folder"]?.string,
            openTracks: (json["open_tracks"]?.array ?? []).compactMap(track),
            loudness: json["loudness"].flatMap(loudness), learnedOffset: json["learned_offset"]?.double,
            titleLag: json["title_lag"]?.double,
            silences: json["silences"]?.array.map { $0.compactMap(silence) })
    }

    /// A sidecar lies among a person's files, and anybody may have written it: three years either way.
    private static func seconds(_ json: JSONValue?) -> Double? {
        json?.double.map { min(max($0, -1e8), 1e8) }
    }

    /// Bytes or frames: 4 TiB of one file, so that a million of them can be added up.
    private static func amount(_ json: JSONValue?) -> Int64 { min(max(json?.int ?? 0, 0), 1 << 42) }

    private static func silence(_ json: JSONValue) -> RecordedSilence? {
        guard let ends = json.array?.compactMap(seconds), ends.count == 2 else { return nil }
        return RecordedSilence(start: ends[0], end: ends[1])
    }

    private static func slot(_ json: JSONValue) -> LoggerSlot? {
        guard let seconds = json["seconds"]?.int, let series = json["series"]?.string else { return nil }
        return LoggerSlot(seconds: Int(clamping: seconds), series: RecordingID(series))
    }

    private static func format(_ json: JSONValue) -> AudioFormat? {
        guard let codec = json["codec"]?.string.flatMap(Codec.init),
            let container = json["container"]?.string.flatMap(Container.init)
        else { return nil }
        return AudioFormat(
            codec: codec, container: container, sampleRate: whole(json["sample_rate"]),
            channels: whole(json["channels"]))
    }

    private static func part(_ json: JSONValue) -> RecordingPart? {
        guard let name = json["name"]?.string else { return nil }
        var part = RecordingPart(name: name, startSeconds: Self.seconds(json["start_seconds"]) ?? 0)
        part.seconds = Self.seconds(json["seconds"]) ?? 0
        part.bytes = amount(json["bytes"])
        part.audioOffset = amount(json["audio_offset"])
        part.frames = amount(json["frames"])
        part.hash = json["hash"]?.string.flatMap { UInt64($0, radix: 16) } ?? 0
        part.checkpoints = (json["checkpoints"]?.array ?? []).compactMap {
            $0.string.flatMap { UInt64($0, radix: 16) }
        }
        part.fileHash = json["file_hash"]?.string.flatMap { UInt64($0, radix: 16) }
        part.isSuspect = json["suspect"]?.bool ?? false
        return part
    }

    private static func text(_ json: JSONValue) -> TitleText? {
        guard let text = json["text"]?.string else { return nil }
        return TitleText(
            text: text, artist: json["artist"]?.string, title: json["title"]?.string,
            kind: json["class"]?.string.flatMap(TitleClass.init) ?? .track)
    }

    private static func track(_ json: JSONValue) -> RecordedTrack? {
        guard let text = text(json), let start = Self.seconds(json["start_seconds"]),
            let end = Self.seconds(json["end_seconds"])
        else { return nil }
        var track = RecordedTrack(text: text, start: start, end: end)
        track.name = json["name"]?.string
        track.folders = (json["folders"]?.array ?? []).compactMap(\.string)
        track.frames = amount(json["frames"])
        track.cut = json["cut"].flatMap(cut)
        track.isIncomplete = json["incomplete"]?.bool ?? false
        track.refusal = json["refusal"]?.string
        track.hash = json["hash"]?.string.flatMap { UInt64($0, radix: 16) }
        return track
    }

    private static func cut(_ json: JSONValue) -> FoundCut? {
        guard let seconds = Self.seconds(json["seconds"]),
            let way = json["way"]?.string.flatMap(FoundCut.Way.init)
        else {
            return nil
        }
        return FoundCut(
            seconds: seconds, way: way, confidence: json["confidence"]?.double ?? 0,
            onset: Self.seconds(json["onset"]) ?? seconds)
    }

    private static func title(_ json: JSONValue) -> RecordedTitle? {
        guard let seconds = Self.seconds(json["seconds"]), let reading = text(json) else { return nil }
        var title = RecordedTitle(
            seconds: seconds, byte: amount(json["byte"]), part: whole(json["file"]),
            wall: wall(json["wall"]) ?? WallTime(nanoseconds: 0), text: reading,
            raw: bytes(json["raw"]?.string ?? ""))
        title.cutSeconds = Self.seconds(json["cut_seconds"])
        return title
    }

    private static func gap(_ json: JSONValue) -> RecordedGap? {
        guard let seconds = Self.seconds(json["seconds"]), let from = wall(json["from"]),
            let to = wall(json["to"])
        else {
            return nil
        }
        return RecordedGap(
            seconds: seconds, from: from, to: to,
            cause: json["cause"]?.string.flatMap(Gap.Cause.init) ?? .unknown,
            lostSeconds: Self.seconds(json["lost_seconds"]) ?? 0)
    }

    private static func anchor(_ json: JSONValue) -> ClockAnchor? {
        guard let seconds = Self.seconds(json["seconds"]), let wall = wall(json["wall"]) else { return nil }
        return ClockAnchor(seconds: seconds, wall: wall)
    }

    private static func loudness(_ json: JSONValue) -> RecordedLoudness? {
        guard json.members != nil else { return nil }
        return RecordedLoudness(
            integrated: json["integrated_lufs"]?.double, range: json["range_lu"]?.double,
            truePeak: json["true_peak_dbtp"]?.double)
    }

    private static func wall(_ json: JSONValue?) -> WallTime? { json?.string.flatMap(WallStamp.wall) }

    private static func whole(_ json: JSONValue?) -> Int { Int(clamping: json?.int ?? 0) }

    static func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex.utf8)
        return stride(from: 0, to: digits.count - digits.count % 2, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
        }
    }
}

internal import Feed
package import JSONText
package import Platform
internal import StreamFormats

/// The JSON file beside a recording: all that is known of it, and the source of everything that can be rebuilt.
///
/// `docs/recordings.md` describes it. Unknown members are ignored when it is read, so that older programs read newer
/// files.
package enum Sidecar {
    /// Raised when a member changes its meaning.
    static let version: Int64 = 1
    /// A day of checkpoints and titles is far less.
    static let sizeLimit = 16 << 20

    /// `NAME.json` for `NAME.mp3`.
    package static func name(for fileName: String) -> String {
        let name = stem(of: fileName) + ".json"
        return name == fileName ? fileName + ".json" : name
    }

    /// The name without its extension.
    static func stem(of fileName: String) -> String {
        guard let dot = fileName.lastIndex(of: "."), dot != fileName.startIndex else { return fileName }
        return String(fileName[..<dot])
    }

    package static func json(_ facts: RecordingFacts) -> JSONValue {
        [
            "aircheck": .int(version),
            "id": .string(facts.id.text),
            "state": .string(facts.state.rawValue),
            "reason": JSONValue(facts.reason),
            "station": [
                "id": .string(facts.stationID), "name": .string(facts.stationName),
                "url": JSONValue(facts.url), "homepage": JSONValue(facts.homepage),
                "genre": JSONValue(facts.genre),
            ],
            "show": JSONValue(facts.show),
            "origin": JSONValue(facts.origin),
            "keep": .bool(facts.keep),
            "slot": facts.slot.map(json) ?? .null,
            "format": facts.format.map(json) ?? .null,
            "started": json(facts.started),
            "ended": json(facts.ended),
            "seconds": seconds(facts.audioSeconds),
            "bytes": .int(facts.bytes),
            "frames": .int(facts.frames),
            "lost_seconds": seconds(facts.lostSeconds),
            "files": .array(facts.parts.map(json)),
            "titles": .array(facts.titles.map(json)),
            "gaps": .array(facts.gaps.map(json)),
            "clock": .array(facts.clock.map { ["seconds": seconds($0.seconds), "wall": json($0.wall)] }),
            "track_folder": JSONValue(facts.trackFolder),
            "tracks": .array(facts.tracks.map(json)),
            "open_tracks": .array(facts.openTracks.map(json)),
            "loudness": facts.loudness.map(json) ?? .null,
            "title_lag": facts.titleLag.map(seconds) ?? .null,
            "silences": facts.silences.map { .array($0.map { [seconds($0.start), seconds($0.end)] }) }
                ?? .null,
            "learned_offset": facts.learnedOffset.map(seconds) ?? .null,
        ]
    }

    private static func json(_ slot: LoggerSlot) -> JSONValue {
        ["seconds": .int(Int64(slot.seconds)), "series": .string(slot.series.text)]
    }

    private static func json(_ format: AudioFormat) -> JSONValue {
        [
            "codec": .string(format.codec.rawValue), "container": .string(format.container.rawValue),
            "sample_rate": .int(Int64(format.sampleRate)), "channels": .int(Int64(format.channels)),
        ]
    }

    private static func json(_ part: RecordingPart) -> JSONValue {
        [
            "name": .string(part.name), "start_seconds": seconds(part.startSeconds),
            "seconds": seconds(part.seconds), "bytes": .int(part.bytes),
            "audio_offset": .int(part.audioOffset),
            "frames": .int(part.frames), "hash": .string(hex(part.hash)),
            "checkpoint_frames": .int(FrameLedger.checkpointFrames),
            "checkpoints": .array(part.checkpoints.map { .string(hex($0)) }),
            "suspect": .bool(part.isSuspect),
            "file_hash": part.fileHash.map { .string(hex($0)) } ?? .null,
        ]
    }

    private static func json(_ title: RecordedTitle) -> JSONValue {
        [
            "seconds": seconds(title.seconds), "byte": .int(title.byte), "file": .int(Int64(title.part)),
            "wall": json(title.wall), "text": .string(title.text.text),
            "artist": JSONValue(title.text.artist),
            "title": JSONValue(title.text.title), "class": .string(title.text.kind.rawValue),
            "raw": .string(hex(title.raw)), "cut_seconds": title.cutSeconds.map(seconds) ?? .null,
        ]
    }

    private static func json(_ track: RecordedTrack) -> JSONValue {
        [
            "name": JSONValue(track.name), "folders": .array(track.folders.map { .string($0) }),
            "text": .string(track.text.text), "artist": JSONValue(track.text.artist),
            "title": JSONValue(track.text.title), "class": .string(track.text.kind.rawValue),
            "start_seconds": seconds(track.start), "end_seconds": seconds(track.end),
            "frames": .int(track.frames),
            "cut": track.cut.map(json) ?? .null, "incomplete": .bool(track.isIncomplete),
            "hash": track.hash.map { .string(hex($0)) } ?? .null,
            "refusal": JSONValue(track.refusal),
        ]
    }

    private static func json(_ cut: FoundCut) -> JSONValue {
        [
            "seconds": seconds(cut.seconds), "way": .string(cut.way.rawValue),
            "confidence": seconds(cut.confidence),
            "onset": seconds(cut.onset),
        ]
    }

    private static func json(_ gap: RecordedGap) -> JSONValue {
        [
            "seconds": seconds(gap.seconds), "from": json(gap.from), "to": json(gap.to),
            "cause": .string(gap.cause.rawValue), "lost_seconds": seconds(gap.lostSeconds),
        ]
    }

    private static func json(_ loudness: RecordedLoudness) -> JSONValue {
        [
            "integrated_lufs": JSONValue(loudness.integrated), "range_lu": JSONValue(loudness.range),
            "true_peak_dbtp": JSONValue(loudness.truePeak),
        ]
    }

    private static func json(_ wall: WallTime) -> JSONValue { .string(WallStamp.text(wall)) }

    /// Microseconds are enough: a sample at 48 kHz lasts 21.
    private static func seconds(_ value: Double) -> JSONValue { .number((value * 1e6).rounded() / 1e6) }

    static func hex(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    static func hex(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

/// Wall time in sidecars: `2026-11-30T14:00:05.123Z`.
package enum WallStamp {
    package static func text(_ wall: WallTime) -> String {
        let whole = wall.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let thousandths = String(max(0, whole.remainder) / 1_000_000)
        let seconds = LocalTime.iso(WallTime(nanoseconds: whole.quotient * 1_000_000_000)).dropLast()
        return "\(seconds).\(String(repeating: "0", count: 3 - thousandths.count))\(thousandths)Z"
    }

    /// Reads what `text` writes, with or without the fraction; nil for anything else.
    package static func wall(_ text: String) -> WallTime? {
        guard text.hasSuffix("Z") else { return nil }
        let numbers = text.dropLast().split { "-T:.".contains($0) }.map { Int64($0) }
        guard (6...7).contains(numbers.count), !numbers.contains(nil) else { return nil }
        let n = numbers.compactMap { $0 }
        guard (1...9999).contains(n[0]), (1...12).contains(n[1]), (1...31).contains(n[2]) else { return nil }
        guard (0..<24).contains(n[3]), (0..<60).contains(n[4]), (0...60).contains(n[5]) else { return nil }
        let day = CivilDay.number(year: n[0], month: n[1], day: n[2])
        let seconds = day * 86_400 + n[3] * 3600 + n[4] * 60 + n[5]
        let thousandths = n.count == 7 ? min(max(n[6], 0), 999) : 0
        // Years to 9999 go beyond what 64 bits of nanoseconds hold.
        let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? nil : WallTime(nanoseconds: nanoseconds &+ thousandths * 1_000_000)
    }
}

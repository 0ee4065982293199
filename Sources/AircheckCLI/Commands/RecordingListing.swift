internal import JSONText
internal import Platform
internal import Recording

/// Recordings as lines of a terminal.
enum RecordingListing {
    static func row(_ entry: JSONValue) -> [String] {
        let tracks = entry["tracks"]?.int ?? 0
        let marks = [
            tracks > 0 ? "\(tracks) tracks" : "", entry["keep"]?.bool == true ? "kept" : "",
            lost(entry).isEmpty ? "" : lost(entry) + " missing",
        ]
        return [
            text(entry, "id"), text(entry, "state"), time(text(entry, "started"), "%Y-%m-%d %H:%M"),
            DurationText.text(entry["seconds"]?.double ?? 0), entry["station"]?["name"]?.string ?? "",
            marks.filter { !$0.isEmpty }.joined(separator: ", "), text(entry, "path"),
        ]
    }

    static func show(_ entry: JSONValue) {
        for (name, value) in head(entry) where !value.isEmpty {
            let blanks = String(repeating: " ", count: max(1, 10 - name.count))
            Terminal.print(TerminalText.escaped(name + blanks + value))
        }
        let titles = entry["titles"]?.array ?? []
        if !titles.isEmpty {
            Terminal.print("")
            Terminal.table(titles.enumerated().map { chapter($0.offset + 1, $0.element) })
        }
        for gap in entry["gaps"]?.array ?? [] where (gap["lost_seconds"]?.double ?? 0) > 0 {
            Terminal.print(TerminalText.escaped(interruption(gap)))
        }
        let tracks = (entry["tracks"]?.array ?? []) + (entry["open_tracks"]?.array ?? [])
        if !tracks.isEmpty {
            Terminal.print("")
            Terminal.table(tracks.map(track))
        }
    }

    private static func head(_ entry: JSONValue) -> [(String, String)] {
        let (started, ended) = (text(entry, "started"), text(entry, "ended"))
        let format = entry["format"]
        let rate = format?["sample_rate"]?.int.map { ", \($0) Hz" } ?? ""
        return [
            ("recording", text(entry, "id")),
            (
                "state",
                [text(entry, "state"), text(entry, "reason")].filter { !$0.isEmpty }.joined(separator: ": ")
            ),
            ("station", entry["station"]?["name"]?.string ?? ""), ("show", text(entry, "show")),
            ("on air", "\(time(started, "%Y-%m-%d %H:%M:%S")) to \(time(ended, "%H:%M:%S"))"),
            ("length", RecordingListing.clock(entry["seconds"]?.double ?? 0)),
            ("missing", lost(entry)), ("sound", (format?["codec"]?.string ?? "") + rate),
            ("loudness", entry["loudness"]?["integrated_lufs"]?.double.map { "\(tenth($0)) LUFS" } ?? ""),
            ("kept", entry["keep"]?.bool == true ? "never deleted by itself" : ""),
            ("waits for", text(entry, "waits_for")), ("file", text(entry, "path")),
        ]
    }

    private static func chapter(_ number: Int, _ title: JSONValue) -> [String] {
        let place = title["cut_seconds"]?.double ?? title["seconds"]?.double ?? 0
        return [
            "\(number)", clock(place), time(text(title, "wall"), "%H:%M:%S"), text(title, "text"),
        ]
    }

    private static func interruption(_ gap: JSONValue) -> String {
        "at \(clock(gap["seconds"]?.double ?? 0)) \(tenth(gap["lost_seconds"]?.double ?? 0)) s are missing: "
            + text(gap, "cause")
    }

    private static func track(_ track: JSONValue) -> [String] {
        let cut = track["cut"]
        let way = cut?["way"]?.string.map { "cut by \($0)" } ?? "beginning"
        let trust = cut?["confidence"]?.double.map { ", \(Int(bounded: ($0 * 100).rounded())) %" } ?? ""
        let name = track["name"]?.string ?? "not kept: \(track["refusal"]?.string ?? "")"
        return [clock(track["start_seconds"]?.double ?? 0), way + trust, name]
    }

    private static func lost(_ entry: JSONValue) -> String {
        let seconds = entry["lost_seconds"]?.double ?? 0
        return seconds > 0 ? "\(tenth(seconds)) s" : ""
    }

    /// `1:05:09`, `3:07`
    static func clock(_ seconds: Double) -> String { LocalRecording.clock(seconds) }

    private static func tenth(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

    private static func time(_ text: String, _ pattern: String) -> String {
        WallStamp.wall(text).map { LocalTime.text($0, pattern: pattern) } ?? text
    }

    private static func text(_ value: JSONValue, _ key: String) -> String { value[key]?.string ?? "" }
}

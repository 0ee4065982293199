internal import Platform

/// The titles of a recording as a cue sheet. The format ends at 99 tracks: what is beyond is in the sidecar alone.
enum CueSheet {
    static let trackLimit = 99
    /// The first line; a cue sheet without it is somebody else's and is left alone.
    static let mark = "REM GENERATOR aircheck"

    static func name(for fileName: String) -> String { Sidecar.stem(of: fileName) + ".cue" }

    /// Whether there is one of that name that we have written.
    static func isOurs(_ name: String, in folder: any DiskFolder) -> Bool {
        guard let start = try? folder.open(name, forWriting: false).read(mark.utf8.count, at: 0) else {
            return false
        }
        return start.elementsEqual(mark.utf8)
    }

    /// Writes that of a part beside its file. Never over a stranger's.
    static func write(_ facts: RecordingFacts, part index: Int, in folder: any DiskFolder) {
        let name = name(for: facts.parts[index].name)
        if folder.contains(name), !isOurs(name, in: folder) { return }
        try? SidecarFile(folder: folder).write(
            Array(text(facts, part: index).utf8), named: name, durably: false)
    }

    /// Writes it anew where there is one of ours: the file has another name, or its chapters other places.
    static func renew(_ facts: RecordingFacts, part index: Int, in folder: any DiskFolder) {
        if isOurs(name(for: facts.parts[index].name), in: folder) { write(facts, part: index, in: folder) }
    }

    static func text(_ facts: RecordingFacts, part index: Int) -> String {
        let part = facts.parts[index]
        let isMP3 = part.name.hasSuffix(".mp3")
        var lines = [
            mark, "REM DATE \(LocalTime.text(facts.started, pattern: "%Y"))",
            "PERFORMER \(quoted(facts.stationName))", "TITLE \(quoted(facts.show ?? facts.stationName))",
            "FILE \(quoted(part.name)) \(isMP3 ? "MP3" : "WAVE")",
        ]
        let spans = facts.spans(part: index)
        for (number, span) in spans.prefix(trackLimit).enumerated() {
            lines.append("  TRACK \(number < 9 ? "0" : "")\(number + 1) AUDIO")
            lines.append("    TITLE \(quoted(span.text.title ?? span.name(facts.stationName)))")
            if let artist = span.text.artist { lines.append("    PERFORMER \(quoted(artist))") }
            lines.append("    INDEX 01 \(time(span.start))")
        }
        if spans.count > trackLimit {
            lines.append(
                "REM \(spans.count - trackLimit) more titles are in the JSON file: a cue sheet ends at 99")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Minutes may pass 99; 75 frames are a second.
    private static func time(_ seconds: Double) -> String {
        let frames = Int(bounded: (seconds * 75).rounded())
        return [frames / 75 / 60, frames / 75 % 60, frames % 75].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(
            separator: ":")
    }

    /// The format knows no escape: a quotation mark inside becomes an apostrophe, a control character a blank.
    private static func quoted(_ text: String) -> String {
        let safe = text.unicodeScalars.map { scalar -> Character in
            if scalar == "\"" { return "'" }
            return scalar.value < 0x20 || scalar.value == 0x7F ? " " : Character(scalar)
        }
        return "\"\(String(safe))\""
    }
}

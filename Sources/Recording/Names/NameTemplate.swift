package import Platform
package import StreamFormats

/// How a file is named: text, folders and placeholders, as in `{station}/{date} {time} {show|station}`.
///
/// `{name}` is a value, `{a|b}` the first of them that is not empty, `{name?text}` the value and then the text, but
/// nothing where the value is empty; `{start:%H%M}` a time by strftime, `{n:03}` a number with zeros. Every value is
/// one component: a title cannot bring folders in. `docs/recordings.md` lists the names.
package struct NameTemplate: Sendable, Hashable, CustomStringConvertible {
    /// Why a template cannot be used.
    package struct Mistake: Error, Sendable, CustomStringConvertible {
        package var description: String
    }

    private enum Piece: Sendable, Hashable {
        case text(String)
        case value(names: [String], format: String?, suffix: String)
    }

    /// One file or folder name.
    private typealias Component = [Piece]

    /// A recording as one file.
    package static let whole = builtIn("{station}/{start:%Y}/{start:%Y-%m-%d %H%M} {show|station}")
    /// A recording as one file in a folder that somebody named on the command line.
    package static let wholeHere = builtIn("{station} {date} {time}")
    /// A track in a folder of its own.
    package static let track = builtIn("{artist? - }{title}")
    /// A track in the library.
    package static let libraryTrack = builtIn("{station}/{date}/{artist? - }{title}")

    package static let names = [
        "station", "id", "show", "artist", "title", "album", "genre", "codec", "bitrate", "date", "time",
        "start", "year",
        "month", "day", "hour", "minute", "second", "weekday", "n",
    ]
    /// Folders and the file together.
    package static let depthLimit = 6

    package let description: String
    private let components: [Component]

    package init(_ text: String) throws(Mistake) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: true)
        guard !parts.isEmpty else { throw Mistake(description: "the name template is empty") }
        guard parts.count <= Self.depthLimit else {
            throw Mistake(
                description: "the name template has \(parts.count) levels; at most \(Self.depthLimit)")
        }
        var components: [Component] = []
        for part in parts { components.append(try Self.parse(part)) }
        self.components = components
        description = text
    }

    private init(trusted components: [Component], text: String) {
        self.components = components
        description = text
    }

    /// A template of this file, which the tests know to be right.
    private static func builtIn(_ text: String) -> NameTemplate {
        (try? NameTemplate(text))
            ?? NameTemplate(trusted: [[.text(SafeName.untitled)]], text: SafeName.untitled)
    }

    private static func parse(_ text: Substring) throws(Mistake) -> Component {
        var pieces: Component = []
        var rest = text
        while let open = rest.firstIndex(of: "{") {
            if open > rest.startIndex { pieces.append(.text(String(rest[..<open]))) }
            guard let close = rest[open...].firstIndex(of: "}") else {
                throw Mistake(description: "a { without its } in the name template")
            }
            if let piece = try placeholder(rest[rest.index(after: open)..<close]) { pieces.append(piece) }
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { pieces.append(.text(String(rest))) }
        return pieces
    }

    private static func placeholder(_ text: Substring) throws(Mistake) -> Piece? {
        // The extension is always ours; it may be written for readers.
        if text == "ext" { return nil }
        let byCondition = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let byFormat = byCondition[0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let asked = byFormat[0].split(separator: "|").map(String.init)
        guard !asked.isEmpty else {
            throw Mistake(description: "an empty placeholder {} in the name template")
        }
        for name in asked where !names.contains(name) {
            throw Mistake(
                description: "unknown placeholder {\(name)}; known are \(names.joined(separator: ", "))")
        }
        return .value(
            names: asked, format: byFormat.count == 2 ? String(byFormat[1]) : nil,
            suffix: byCondition.count == 2 ? String(byCondition[1]) : "")
    }

    /// The folders and the stem of the file, each a safe component.
    package func path(_ values: NameValues) -> (folders: [String], stem: String) {
        let filled = components.map { component in
            let text = component.map { fill($0, values) }.joined()
            // `{title}.{ext}` leaves its dot behind, which the component then drops.
            return SafeName.component(text)
        }
        return (Array(filled.dropLast()), filled.last ?? SafeName.untitled)
    }

    private func fill(_ piece: Piece, _ values: NameValues) -> String {
        switch piece {
        case .text(let text): return text
        case .value(let names, let format, let suffix):
            for name in names {
                let value = values.text(name, format: format)
                if !value.isEmpty { return value + suffix }
            }
            return ""
        }
    }
}

/// What the placeholders of a template stand for.
package struct NameValues: Sendable, Hashable {
    package var station: String
    package var stationID: String
    package var show: String?
    package var artist: String?
    package var title: String?
    package var album: String?
    package var genre: String?
    package var codec: Codec?
    package var bitrate: Int?
    package var start: WallTime
    package var number: Int

    package init(station: String, stationID: String, start: WallTime, number: Int = 1) {
        self.station = station
        self.stationID = stationID
        self.start = start
        self.number = number
    }

    func text(_ name: String, format: String?) -> String {
        switch name {
        case "station": station
        case "id": stationID
        case "show": show ?? ""
        case "artist": artist ?? ""
        case "title": title.flatMap { $0.isEmpty ? nil : $0 } ?? untitled
        case "album": album ?? ""
        case "genre": genre ?? ""
        case "codec": codec?.rawValue ?? ""
        case "bitrate": bitrate.map(String.init) ?? ""
        case "n": padded(number, format: format)
        default: time(name, format: format)
        }
    }

    /// What a piece without a title is called: never just `.mp3`.
    private var untitled: String { "\(station) \(LocalTime.text(start, pattern: "%Y-%m-%d %H-%M-%S"))" }

    private func time(_ name: String, format: String?) -> String {
        let pattern: String? =
            switch name {
            case "date": "%Y-%m-%d"
            case "time": "%H-%M-%S"
            case "start": format ?? "%Y-%m-%d %H-%M-%S"
            case "year": "%Y"
            case "month": "%m"
            case "day": "%d"
            case "hour": "%H"
            case "minute": "%M"
            case "second": "%S"
            case "weekday": "%A"
            default: nil
            }
        return pattern.map { LocalTime.text(start, pattern: $0) } ?? ""
    }

    private func padded(_ number: Int, format: String?) -> String {
        let width = min(format.flatMap { Int($0) } ?? 0, 9)
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

internal import Platform
internal import StreamFormats

/// Schedules out of a programme guide: XMLTV, an entry for each time that a show of the wanted title is on.
package struct GuideImport {
    /// Longest piece that one programme is, and how many programmes become entries.
    private static let pieceLimit = 64 << 10
    private static let limit = 500

    /// Station, zone, title and time, as for a calendar.
    private let settings: CalendarImport
    /// Only programmes of this channel of the guide; nil for all.
    private let channel: String?

    package init(_ settings: CalendarImport, channel: String?) {
        self.settings = settings
        self.channel = channel
    }

    /// Whether a file is a guide and no calendar.
    package static func isGuide(_ text: String) -> Bool {
        text.utf8.prefix(4096).split(separator: UInt8(ascii: "<")).contains { piece in
            piece.starts(with: "tv".utf8)
                && piece.dropFirst(2).first.map { $0 == 32 || $0 == 62 || $0 == 10 } ?? false
        }
    }

    /// - Throws: `.file` where the station or the title is not said: a guide would fill every minute.
    package func read(_ text: String) throws(ScheduleMistake) -> CalendarImport.Found {
        guard let station = settings.station else {
            throw .file("a guide names channels, not stations; say which station with --station")
        }
        guard let title = settings.title, !title.isEmpty else {
            throw .file("a guide holds everything that is on; say which show with --series")
        }
        guard text.utf8.count <= CalendarLine.fileLimit else { throw .file("the guide is longer than 4 MiB") }
        let zone = try settings.zones.zone(settings.zone)
        var found = CalendarImport.Found()
        for programme in Self.programmes(text) where programme.title.lowercased().contains(title.lowercased())
        {
            guard channel == nil || programme.channel == channel else { continue }
            guard found.entries.count < Self.limit else {
                found.notes.append("only the first \(Self.limit) times were taken")
                break
            }
            do throws(ScheduleMistake) {
                found.entries.append(try entry(programme, station, zone))
            } catch {
                found.notes.append("\(programme.title), \(programme.start): \(error.description)")
            }
        }
        return found
    }

    private func entry(
        _ programme: Programme, _ station: String, _ zone: Zone
    ) throws(ScheduleMistake) -> ScheduleEntry {
        guard let start = Self.instant(programme.start), let end = Self.instant(programme.stop) else {
            throw .time("it has no start, or no stop")
        }
        guard end > start else { throw .time("it ends before it begins") }
        var entry = ScheduleEntry(
            id: "tv-" + CalendarImport.hash("\(station) \(programme.channel) \(start)"), station: station,
            start: zone.local(at: start), zone: settings.zone, length: .elapsed(end - start))
        entry.name = String(programme.title.prefix(200))
        (entry.padBefore, entry.padAfter) = (settings.padBefore, settings.padAfter)
        entry.since = settings.now
        try entry.check(zones: settings.zones, now: settings.now)
        return entry
    }

    // MARK: Reading

    private struct Programme {
        var channel = ""
        var start = ""
        var stop = ""
        var title = ""
    }

    /// Each programme is read by itself, so that neither the length of a guide nor what else is in it matters.
    private static func programmes(_ text: String) -> [Programme] {
        let bytes = Array(text.utf8)
        let opening = Array("<programme".utf8)
        let closing = Array("</programme>".utf8)
        var found: [Programme] = []
        var open: Int?
        for place in bytes.indices where bytes[place] == UInt8(ascii: "<") {
            if bytes[place...].starts(with: opening) {
                open = place
            } else if let start = open, bytes[place...].starts(with: closing) {
                open = nil
                if place - start <= pieceLimit { found.append(programme(Array(bytes[start..<place]))) }
            }
        }
        return found
    }

    private static func programme(_ piece: [UInt8]) -> Programme {
        var programme = Programme()
        var isTitle = false
        for token in XMLTokens(piece).all {
            switch token {
            case .open("programme", let attributes):
                programme.channel = attributes["channel"] ?? ""
                programme.start = attributes["start"] ?? ""
                programme.stop = attributes["stop"] ?? ""
            case .open("title", _): isTitle = programme.title.isEmpty
            case .close("title"): isTitle = false
            case .text(let text): if isTitle { programme.title += text }
            case .open, .close: break
            }
        }
        return programme
    }

    /// `20261201200000 +0100`, without the seconds, and without a distance for UTC; in seconds since 1970.
    private static func instant(_ text: String) -> Int64? {
        let parts = text.split(separator: " ")
        guard let digits = parts.first, (12...14).contains(digits.utf8.count) else { return nil }
        let full = digits + String(repeating: "0", count: 14 - digits.utf8.count)
        guard let local = LocalDateTime("\(full.prefix(8))T\(full.dropFirst(8))") else { return nil }
        guard parts.count > 1 else { return local.seconds }
        let shift = parts[1]
        guard shift.utf8.count == 5, let clock = LocalDateTime.clock(shift.dropFirst() + "00") else {
            return shift == "UTC" || shift == "GMT" ? local.seconds : nil
        }
        return local.seconds - (shift.hasPrefix("-") ? -clock : clock)
    }
}

internal import Platform
internal import StreamFormats

/// The guide beside the playlist: what was, is and will be on each station, as far as we know it.
///
/// Planned and finished recordings come first, since they have names and can be replayed; what the log of titles says
/// fills the time between them.
package enum XMLTVGuide {
    /// - Parameter base: where recordings are reached.
    package static func text(_ stations: [HomeStation], _ programmes: [HomeProgramme], base: String) -> String
    {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE tv SYSTEM "xmltv.dtd">
            <tv generator-info-name="aircheck">

            """
        for station in stations {
            text += "  <channel id=\"\(XMLText.escaped(station.channel))\">"
            text += "<display-name>\(escaped(station.name))</display-name>"
            if let logo = station.logo { text += "<icon src=\"\(XMLText.escaped(logo))\"/>" }
            text += "</channel>\n"
        }
        let byStation = Dictionary(grouping: programmes, by: \.station)
        for station in stations {
            for programme in byStation[station.id] ?? [] {
                text += entry(programme, station, HomeAddress(base: base))
            }
        }
        return text + "</tv>\n"
    }

    private static func entry(
        _ programme: HomeProgramme, _ station: HomeStation, _ address: HomeAddress
    ) -> String {
        var text = "  <programme start=\"\(stamp(programme.start))\" stop=\"\(stamp(programme.stop))\""
        text += " channel=\"\(XMLText.escaped(station.channel))\""
        if let recording = programme.recording {
            text += " catchup-id=\"\(XMLText.escaped(address.recording(recording)))\""
        }
        text += "><title>\(escaped(programme.title))</title>"
        if let about = programme.about { text += "<desc>\(escaped(about))</desc>" }
        if let genre = station.genre { text += "<category>\(escaped(genre))</category>" }
        if let logo = station.logo { text += "<icon src=\"\(XMLText.escaped(logo))\"/>" }
        return text + "</programme>\n"
    }

    private static func escaped(_ text: String) -> String { XMLText.escaped(TitleCleaner.cleaned(text)) }

    /// `20261130140000 +0100`
    private static func stamp(_ wall: WallTime) -> String { LocalTime.text(wall, pattern: "%Y%m%d%H%M%S %z") }

    /// Programmes without overlap: `firm` as they are, cut where one runs into the next; of `loose` what lies between.
    package static func merged(firm: [HomeProgramme], loose: [HomeProgramme]) -> [HomeProgramme] {
        let kept = withoutOverlap(firm)
        let taken = Dictionary(grouping: kept, by: \.station)
        let between = loose.filter { loose in
            loose.start < loose.stop
                && !(taken[loose.station] ?? []).contains { $0.start < loose.stop && loose.start < $0.stop }
        }
        return (kept + withoutOverlap(between)).sorted { ($0.station, $0.start) < ($1.station, $1.start) }
    }

    private static func withoutOverlap(_ programmes: [HomeProgramme]) -> [HomeProgramme] {
        var kept: [HomeProgramme] = []
        for programme in programmes.sorted(by: { ($0.station, $0.start) < ($1.station, $1.start) }) {
            if let last = kept.last, last.station == programme.station, last.stop > programme.start {
                // What is recorded can be heard, so it stays whole.
                if last.recording != nil, programme.recording == nil { continue }
                kept[kept.count - 1].stop = programme.start
                if kept[kept.count - 1].start >= programme.start { kept.removeLast() }
            }
            if programme.start < programme.stop { kept.append(programme) }
        }
        return kept
    }
}

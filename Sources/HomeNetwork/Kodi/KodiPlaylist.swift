internal import StreamFormats

/// The M3U that Kodi's PVR, VLC and TV apps read: every station with group, logo and number.
///
/// Source: the attributes that pvr.iptvsimple documents.
package enum KodiPlaylist {
    /// - Parameters:
    ///   - base: where the mounts are reached, `http://radio.lan:2472`.
    ///   - recordedDays: for the stations that have recordings, how many days back the oldest is.
    package static func text(
        _ stations: [HomeStation], base: String, recordedDays: [String: Int] = [:]
    ) -> String {
        let address = HomeAddress(base: base)
        var text = "#EXTM3U x-tvg-url=\"\(base)/iptv/guide.xml\" url-tvg=\"\(base)/iptv/guide.xml\"\n"
        for (number, station) in zip(1..., stations) {
            text += "#EXTINF:-1 " + attributes(station, number: number, days: recordedDays[station.id])
            text += ",\(line(station.name))\n\(address.mount(station.id))\n"
        }
        return text
    }

    private static func attributes(_ station: HomeStation, number: Int, days: Int?) -> String {
        var words = [
            ("tvg-id", station.channel), ("tvg-name", station.name), ("tvg-chno", "\(number)"),
            ("group-title", groups(station).joined(separator: ";")), ("radio", "true"),
        ]
        if let logo = station.logo { words.insert(("tvg-logo", logo), at: 2) }
        if let days { words += [("catchup", "vod"), ("catchup-days", "\(days)")] }
        return words.map { "\($0)=\"\(value($1))\"" }.joined(separator: " ")
    }

    /// Its groups; without any, what it plays, so that Kodi has something to sort by.
    static func groups(_ station: HomeStation) -> [String] {
        var groups = station.groups.isEmpty ? [station.genre].compactMap { $0 } : station.groups
        if station.isFavourite { groups.append("Favourites") }
        return groups.map { $0.replacing(";", with: ",") }
    }

    private static func line(_ text: String) -> String { TitleCleaner.cleaned(text) }

    /// There is no escaping in these attributes.
    private static func value(_ text: String) -> String { line(text).replacing("\"", with: "'") }
}

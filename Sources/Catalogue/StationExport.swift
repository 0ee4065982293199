internal import JSONText
internal import StreamFormats

/// Stations as a file that others read.
package enum StationFormat: String, Sendable, Hashable, CaseIterable {
    case toml, m3u, pls, xspf, opml, json
    /// PyRadio's `name,url,encoding`.
    case csv

    /// By the ending of a file's name; `m3u8` is M3U, in UTF-8 as we always write it.
    package init?(fileName: String) {
        let ending =
            fileName.lastIndex(of: ".").map { fileName[fileName.index(after: $0)...].lowercased() } ?? ""
        self.init(rawValue: ending == "m3u8" ? "m3u" : ending)
    }

    package var mediaType: String {
        switch self {
        case .toml: "application/toml"
        case .m3u: "audio/x-mpegurl"
        case .pls: "audio/x-scpls"
        case .xspf: "application/xspf+xml"
        case .opml: "text/x-opml"
        case .json: "application/json"
        case .csv: "text/csv"
        }
    }
}

/// Writes stations. Only TOML and JSON carry every field; the others have names and addresses.
package enum StationExport {
    package static func text(_ entries: [StationEntry], as format: StationFormat) -> String {
        let playlist = entries.compactMap { entry in
            entry.station.urls.first.map { Playlist.Entry(url: $0, title: entry.station.name) }
        }
        switch format {
        case .toml: return StationFile.text(entries)
        case .json: return JSONValue.array(entries.map(\.json)).text(pretty: true) + "\n"
        case .m3u: return PlaylistWriter.m3u(playlist)
        case .pls: return PlaylistWriter.pls(playlist)
        case .xspf: return PlaylistWriter.xspf(playlist)
        case .opml: return opml(entries)
        case .csv: return csv(entries)
        }
    }

    /// OPML 2.0, a group an outline; stations of no group stand at the top.
    private static func opml(_ entries: [StationEntry]) -> String {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <opml version="2.0"><head><title>aircheck</title></head><body>

            """
        for entry in entries where entry.station.groups.isEmpty { text += outline(entry, indent: "  ") }
        for group in Set(entries.flatMap(\.station.groups)).sorted() {
            text += "  <outline text=\"\(XMLText.escaped(group))\">\n"
            for entry in entries where entry.station.groups.contains(group) {
                text += outline(entry, indent: "    ")
            }
            text += "  </outline>\n"
        }
        return text + "</body></opml>\n"
    }

    private static func outline(_ entry: StationEntry, indent: String) -> String {
        guard let url = entry.station.urls.first else { return "" }
        return "\(indent)<outline type=\"audio\" text=\"\(XMLText.escaped(entry.station.name))\" "
            + "URL=\"\(XMLText.escaped(url))\"/>\n"
    }

    private static func csv(_ entries: [StationEntry]) -> String {
        var text = ""
        for entry in entries {
            guard let url = entry.station.urls.first else { continue }
            text += "\(field(entry.station.name)),\(field(url)),\(field(entry.station.charset ?? ""))\n"
        }
        return text
    }

    private static func field(_ text: String) -> String {
        let isPlain = !text.contains { $0 == "," || $0 == "\"" || $0 == "#" || $0 == "\n" }
        return isPlain ? text : "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}

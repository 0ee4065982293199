/// Writes playlists for our listeners and for export. What comes from a station is one line of text in all of them.
package enum PlaylistWriter {
    /// `#EXTM3U` with a title a line; UTF-8.
    package static func m3u(_ entries: [Playlist.Entry]) -> String {
        entries.reduce(into: "#EXTM3U\n") { text, entry in
            text += "#EXTINF:-1,\(line(entry.title ?? ""))\n\(address(entry.url))\n"
        }
    }

    /// Version 2, with the count that some radios want.
    package static func pls(_ entries: [Playlist.Entry]) -> String {
        var text = "[playlist]\nNumberOfEntries=\(entries.count)\n"
        for (number, entry) in zip(1..., entries) {
            text += "File\(number)=\(address(entry.url))\n"
            if let title = entry.title { text += "Title\(number)=\(line(title))\n" }
            text += "Length\(number)=-1\n"
        }
        return text + "Version=2\n"
    }

    /// XSPF 1.
    package static func xspf(_ entries: [Playlist.Entry], title: String? = nil) -> String {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <playlist version="1" xmlns="http://xspf.org/ns/0/">

            """
        if let title { text += "  <title>\(XMLText.escaped(line(title)))</title>\n" }
        text += "  <trackList>\n"
        for entry in entries {
            text += "    <track><location>\(XMLText.escaped(address(entry.url)))</location>"
            if let title = entry.title { text += "<title>\(XMLText.escaped(line(title)))</title>" }
            text += "</track>\n"
        }
        return text + "  </trackList>\n</playlist>\n"
    }

    private static func line(_ text: String) -> String { TitleCleaner.cleaned(text) }

    /// An address without anything that could end its line; a blank inside it is written `%20`.
    private static func address(_ url: String) -> String {
        let url = URLReference.withoutBlanks(url)
        guard url.unicodeScalars.contains(where: UTF8Text.isControl) else { return url }
        return String(String.UnicodeScalarView(url.unicodeScalars.filter { !UTF8Text.isControl($0) }))
    }
}

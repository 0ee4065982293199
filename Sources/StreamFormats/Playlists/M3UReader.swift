/// M3U, with and without `#EXTM3U`, and every list that is just addresses (RAM, text).
enum M3UReader {
    static func looksLike(_ lines: [ArraySlice<UInt8>]) -> Bool {
        lines.contains { ASCII.hasPrefix($0, "#EXTM3U") || ASCII.hasPrefix($0, "#EXTINF") }
    }

    /// - Parameter isKnown: the body is known to be a list, so a line may be a relative address. Otherwise every line has
    ///   to be an address by itself, and one that is none says that this is no list: nil.
    static func read(
        _ lines: [ArraySlice<UInt8>], base: String?, _ limits: Playlist.Limits, isKnown: Bool
    ) -> Playlist? {
        var entries = PlaylistEntries(format: .m3u, base: base, limits)
        var title: String?
        for line in lines {
            if line.first == UInt8(ascii: "#") {
                if ASCII.hasPrefix(line, "#EXTINF") { title = extinf(line) ?? title }
                if ASCII.hasPrefix(line, "#PLAYLIST:") {
                    entries.setTitle(PlaylistBody.text(line.dropFirst(10)))
                }
                continue
            }
            let text = PlaylistBody.address(line)
            guard isKnown || text.contains("://") && URLReference.scheme(of: text) != nil else { return nil }
            entries.add(text, title: title)
            title = nil
        }
        return entries.playlist
    }

    /// The text behind the first comma that is not inside quotes; without a comma, what is no number.
    private static func extinf(_ line: ArraySlice<UInt8>) -> String? {
        let value = line.dropFirst(7).drop { $0 == UInt8(ascii: ":") || ASCII.isBlank($0) }
        var isQuoted = false
        for index in value.indices {
            if value[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
            if value[index] == UInt8(ascii: ","), !isQuoted {
                return PlaylistBody.text(value[(index + 1)...])
            }
        }
        let isNumber = value.allSatisfy { ASCII.isDigit($0) || "-+. ".utf8.contains($0) }
        return isNumber ? nil : PlaylistBody.text(value)
    }
}

extension Playlist {
    /// The most bytes that are read of a list.
    package static let longestBody = 256 << 10
    /// The most entries that are kept.
    package static let mostEntries = 256

    /// Reads a list. What it is shows in its content first, then in its media type, last in its address.
    ///
    /// Entries are http or https and absolute; everything else is in `refused` with the reason. A file on this machine
    /// is never one of them, wherever the list came from.
    /// - Parameter url: the address that the bytes came from in the end, after redirects; relative entries start there.
    package static func parse(_ bytes: [UInt8], mediaType: String? = nil, url: String? = nil)
        -> PlaylistReading
    {
        let body = PlaylistBody(Array(bytes.prefix(longestBody)))
        if let reason = body.refusal { return .notAPlaylist(reason) }
        if body.isHLS { return .hls }
        guard var playlist = read(body, mediaType: mediaType, url: url) else {
            return .notAPlaylist(body.isXML && XMLTokens(body.bytes).refusal != nil ? .unsafeXML : .noEntries)
        }
        if bytes.count > longestBody { playlist.isCut = true }
        guard !playlist.entries.isEmpty || !playlist.refused.isEmpty else { return .notAPlaylist(.noEntries) }
        return .list(playlist)
    }

    private static func read(_ body: PlaylistBody, mediaType: String?, url: String?) -> Playlist? {
        if body.isXML { return XMLPlaylist.read(body.utf8, base: url) }
        if PLSReader.looksLike(body.lines) { return PLSReader.read(body.lines, base: url) }
        let isKnown = M3UReader.looksLike(body.lines) || isM3U(mediaType: mediaType, url: url)
        return M3UReader.read(body.lines, base: url, isKnown: isKnown)
    }

    private static func isM3U(mediaType: String?, url: String?) -> Bool {
        let type = mediaType?.lowercased() ?? ""
        if type.contains("mpegurl") || type.contains("pn-realaudio") { return true }
        let path = ASCII.lowered(
            (url ?? "").utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
        return [".m3u", ".m3u8", ".ram"].contains { path.suffix($0.utf8.count).elementsEqual($0.utf8) }
    }
}

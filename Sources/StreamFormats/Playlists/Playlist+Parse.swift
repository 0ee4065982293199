extension Playlist {
    /// How much of a list is read.
    package struct Limits: Sendable, Hashable {
        /// Bytes.
        var body: Int
        /// Entries that are kept.
        package var entries: Int
        /// Tags, and texts between them.
        var tokens: Int

        /// Of a list that an address led to, which ought to name the few streams of one station.
        package static let fetched = Limits(body: 256 << 10, entries: 256, tokens: 20_000)
        /// Of a file that somebody keeps stations in.
        package static let collection = Limits(body: 4 << 20, entries: 20_000, tokens: 400_000)
    }

    /// Reads a list. What it is shows in its content first, then in its media type, last in its address.
    ///
    /// Entries are http or https and absolute; everything else is in `refused` with the reason. A file on this machine
    /// is never one of them, wherever the list came from.
    /// - Parameter url: the address that the bytes came from in the end, after redirects; relative entries start there.
    package static func parse(
        _ bytes: [UInt8], mediaType: String? = nil, url: String? = nil, limits: Limits = .fetched
    ) -> PlaylistReading {
        let body = PlaylistBody(Array(bytes.prefix(limits.body)))
        if let reason = body.refusal { return .notAPlaylist(reason) }
        if body.isHLS { return .hls }
        guard var playlist = read(body, mediaType: mediaType, url: url, limits) else {
            return .notAPlaylist(body.isXML && XMLTokens(body.bytes).refusal != nil ? .unsafeXML : .noEntries)
        }
        if bytes.count > limits.body { playlist.isCut = true }
        guard !playlist.entries.isEmpty || !playlist.refused.isEmpty else { return .notAPlaylist(.noEntries) }
        return .list(playlist)
    }

    private static func read(_ body: PlaylistBody, mediaType: String?, url: String?, _ limits: Limits)
        -> Playlist?
    {
        if body.isXML { return XMLPlaylist.read(body.utf8, base: url, limits) }
        if PLSReader.looksLike(body.lines) { return PLSReader.read(body.lines, base: url, limits) }
        let isKnown = M3UReader.looksLike(body.lines) || isM3U(mediaType: mediaType, url: url)
        return M3UReader.read(body.lines, base: url, limits, isKnown: isKnown)
    }

    private static func isM3U(mediaType: String?, url: String?) -> Bool {
        let type = mediaType?.lowercased() ?? ""
        if type.contains("mpegurl") || type.contains("pn-realaudio") { return true }
        let path = ASCII.lowered(
            (url ?? "").utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
        return [".m3u", ".m3u8", ".ram"].contains { path.suffix($0.utf8.count).elementsEqual($0.utf8) }
    }
}

extension Playlist {
    /// The most bytes that are read of a list.
    package static let longestBody = 256 << 10
    /// The most entries that are kept.
    package static let mostEntries = 256

    /// Reads a list. What it is shows in its content first, then in its media type, last in its address.
    /// - Parameter url: the address that the bytes came from in the end, after redirects; relative entries start there.
    package static func parse(_ bytes: [UInt8], mediaType: String? = nil, url: String? = nil)
        -> PlaylistReading
    {
        guard !bytes.isEmpty else { return .notAPlaylist(.empty) }
        return .notAPlaylist(.noEntries)
    }
}

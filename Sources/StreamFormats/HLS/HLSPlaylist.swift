/// An HLS playlist (RFC 8216), read as loosely as players do.
package enum HLSPlaylist: Sendable, Hashable {
    case master(HLSMaster)
    case media(HLSMedia)

    /// The most bytes that are read.
    package static let longestBody = 1 << 20
    /// The most segments that are kept: the last ones.
    package static let mostSegments = 1000
    /// The most variants and renditions that are kept: the first ones.
    package static let mostVariants = 64

    /// Reads a playlist; nil when the text holds no tag of HLS that says what it is.
    /// - Parameter url: the address it came from in the end; every address in it is made absolute against this one.
    package static func parse(_ bytes: [UInt8], url: String) -> HLSPlaylist? {
        let lines = PlaylistBody(Array(bytes.prefix(longestBody))).lines
        let names = Set(lines.compactMap { HLSTag($0)?.name })
        if names.contains("EXT-X-STREAM-INF") { return .master(HLSMaster(lines: lines, base: url)) }
        guard !names.isDisjoint(with: ["EXT-X-TARGETDURATION", "EXT-X-MEDIA-SEQUENCE", "EXT-X-ENDLIST"])
        else {
            return nil
        }
        return .media(HLSMedia(lines: lines, base: url))
    }
}

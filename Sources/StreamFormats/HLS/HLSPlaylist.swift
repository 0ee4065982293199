/// An HLS playlist (RFC 8216), read as loosely as players do.
package enum HLSPlaylist: Sendable, Hashable {
    case master(HLSMaster)
    case media(HLSMedia)

    /// The most bytes that are read.
    package static let longestBody = 1 << 20
    /// The most segments that are kept: the last ones.
    package static let mostSegments = 1000

    /// Reads a playlist; nil when the text holds no tag of HLS.
    /// - Parameter url: the address it came from in the end; every address in it is made absolute against this one.
    package static func parse(_ bytes: [UInt8], url: String) -> HLSPlaylist? { nil }
}

/// The list of what there is to choose from.
package struct HLSMaster: Sendable, Hashable {
    /// `EXT-X-STREAM-INF` and the address behind it.
    package struct Variant: Sendable, Hashable {
        package var url: String
        /// bit/s; 0 when not told.
        package var bandwidth = 0
        package var averageBandwidth: Int?
        /// As written: `mp4a.40.2`.
        package var codecs: [String] = []
        /// It has a resolution, frame rate or video codec: not for radio if there is another.
        package var hasVideo = false
        /// Group of `EXT-X-MEDIA` that holds the audio, if it is apart.
        package var audioGroup: String?
        package var name: String?
    }

    /// `EXT-X-MEDIA` with `TYPE=AUDIO`.
    package struct Audio: Sendable, Hashable {
        package var group: String
        package var name: String
        package var language: String?
        /// Nil when the audio is inside the variant itself.
        package var url: String?
        package var isDefault = false
        package var isAutoselect = false
    }

    package var variants: [Variant] = []
    package var audio: [Audio] = []

    package init() {}
}

/// The list of what there is to play.
package struct HLSMedia: Sendable, Hashable {
    package struct ByteRange: Sendable, Hashable {
        package var offset: Int
        package var length: Int
    }

    /// `EXT-X-MAP`: what has to be read before the segments.
    package struct Map: Sendable, Hashable {
        package var url: String
        package var range: ByteRange?
    }

    /// `EXT-X-KEY`.
    package struct Key: Sendable, Hashable {
        package enum Method: Sendable, Hashable {
            case aes128
            /// As written, not supported: `SAMPLE-AES`.
            case other(String)
        }

        package var method: Method
        package var url: String?
        /// 16 bytes as told; nil: the segment's sequence number, big-endian.
        package var iv: [UInt8]?
        /// `identity` when not told.
        package var format: String
    }

    package struct Segment: Sendable, Hashable {
        package var url: String
        package var sequence: Int
        package var duration: Duration
        /// The text behind the comma of `EXTINF`; nil when there is none.
        package var title: [UInt8]?
        package var range: ByteRange?
        /// Timestamps, format or source may differ from the segment before.
        package var isDiscontinuity = false
        package var discontinuitySequence: Int
        /// As written; a hint of the wall clock at most.
        package var programDateTime: String?
        /// The server says that it has no such segment.
        package var isGap = false
        package var key: Key?
        package var map: Map?
    }

    package var version: Int?
    /// Longest segment, told; 0 when not.
    package var targetDuration: Duration = .zero
    package var sequence = 0
    package var discontinuitySequence = 0
    package var segments: [Segment] = []
    /// No more segments will come.
    package var isEnded = false

    package init() {}
}

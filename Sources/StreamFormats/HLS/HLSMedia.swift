/// The list of what there is to play.
package struct HLSMedia: Sendable, Hashable {
    package struct ByteRange: Sendable, Hashable {
        package var offset: Int
        package var length: Int

        package init(offset: Int, length: Int) {
            self.offset = offset
            self.length = length
        }
    }

    /// `EXT-X-MAP`: what has to be read before the segments.
    package struct Map: Sendable, Hashable {
        package var url: String
        package var range: ByteRange?
        /// The key that stood before the tag.
        package var key: Key?

        package init(url: String, range: ByteRange? = nil, key: Key? = nil) {
            self.url = url
            self.range = range
            self.key = key
        }
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

        package init(method: Method, url: String?, iv: [UInt8]? = nil, format: String = "identity") {
            self.method = method
            self.url = url
            self.iv = iv
            self.format = format
        }

        /// We know what to do with it.
        package var isSupported: Bool { method == .aes128 && format == "identity" && url != nil }
    }

    package struct Segment: Sendable, Hashable {
        /// Empty when the list has no address here that could be followed; `isGap` is set then.
        package var url: String
        package var sequence: Int
        /// As told; the target duration when it is not told or no number.
        package var duration: Duration
        /// The text behind the comma of `EXTINF`; nil when there is none, which says "unchanged".
        package var title: [UInt8]?
        package var range: ByteRange?
        /// Timestamps, format or source may differ from the segment before.
        package var isDiscontinuity: Bool
        package var discontinuitySequence: Int
        /// As written; a hint of the wall clock at most.
        package var programDateTime: String?
        /// The server says that it has no such segment.
        package var isGap: Bool
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

    init(lines: [ArraySlice<UInt8>], base: String) {
        var reader = HLSMediaReader(base: base)
        // The target duration may stand behind the first segment that needs it.
        for line in lines { reader.readAhead(line) }
        for line in lines { reader.read(line) }
        self = reader.finished
    }
}

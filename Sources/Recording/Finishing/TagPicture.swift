internal import HTTPWire
internal import StreamFormats

/// Whose picture is looked for.
package enum PictureWish: Sendable, Hashable {
    /// Of the station with this id.
    case station(String)
    /// The one whose address a title of that station has told.
    case title(address: String, station: String)
}

/// Where the pictures for the tags of recordings come from. Any thread; never waits for the net, at most reads a file.
package protocol PictureSource: Sendable {
    /// Begins to look for it; cheap where that has been done already.
    /// - Returns: whether there may be one.
    @discardableResult
    func look(for wish: PictureWish) -> Bool
    /// What has been found so far.
    func found(_ wish: PictureWish) -> TagFields.Picture?
}

/// Knows none: then the pictures that the streams carry are all there are.
package struct NoPictures: PictureSource {
    package init() {}
    package func look(for wish: PictureWish) -> Bool { false }
    package func found(_ wish: PictureWish) -> TagFields.Picture? { nil }
}

extension TagFields.Picture {
    /// Bytes of a picture that goes into tags: it stands in front of the sound in every file.
    package static let limit = 256 << 10
    /// In the comments of Ogg, which players read whole before the first sound.
    static let oggLimit = 64 << 10
    /// Kind 3 is the front cover (ID3v2.4 §4.14).
    private static let cover: UInt8 = 3

    /// What the first bytes say it is; nil for what is neither JPEG nor PNG, and for a picture that is too large.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.limit else { return nil }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self.init(mediaType: "image/jpeg", bytes: bytes)
        } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self.init(mediaType: "image/png", bytes: bytes)
        } else {
            return nil
        }
    }

    /// The picture that a title brought along: HLS has it in its ID3 tags.
    init?(in title: RawTitle) {
        guard title.source == .id3, let tag = ID3Tag(title.block[...]) else { return nil }
        let pictures = tag.pictures.sorted { $0.kind == Self.cover && $1.kind != Self.cover }
        guard let picture = pictures.lazy.compactMap({ Self($0.data) }).first else { return nil }
        self = picture
    }

    /// As a block of FLAC's metadata (RFC 9639 §8.8); sizes in pixels are not told.
    var flacBlock: [UInt8] {
        func big(_ value: Int) -> [UInt8] {
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
        }
        let type = Array(mediaType.utf8)
        return big(3) + big(type.count) + type + big(0) + big(0) + big(0) + big(0) + big(0)
            + big(bytes.count) + bytes
    }

    /// The same as the value of the comment `METADATA_BLOCK_PICTURE`; nil where it is too large for one.
    var oggValue: String? { bytes.count <= Self.oggLimit ? Base64.encode(flacBlock) : nil }

    static let oggName = "METADATA_BLOCK_PICTURE"
}

internal import StreamFormats

/// Puts a title into the comment header of a Vorbis, Opus or FLAC stream in Ogg.
enum OggComments {
    private static let vendor = "aircheck"

    /// The station's setup packets with a comment header of ours; nil for a codec without one.
    static func setup(of format: AudioFormat, title: TitleText) -> [[UInt8]]? {
        guard format.setup.count >= 2 else { return nil }
        var comments = ["TITLE=\(title.artist == nil ? title.text : title.title ?? title.text)"]
        if let artist = title.artist { comments.append("ARTIST=\(artist)") }
        var setup = format.setup
        switch format.codec {
        // Vorbis I §5.2.1: packet type and magic before, a framing bit behind.
        case .vorbis: setup[1] = [3] + Array("vorbis".utf8) + list(comments) + [1]
        // RFC 7845 §5.2.
        case .opus: setup[1] = Array("OpusTags".utf8) + list(comments)
        // A metadata block of type 4, RFC 9639 §8.6; the flag of the last block stays as it was.
        case .flac: setup[1] = block(list(comments), lastFlag: (format.setup[1].first ?? 0) & 0x80)
        default: return nil
        }
        return setup
    }

    private static func block(_ content: [UInt8], lastFlag: UInt8) -> [UInt8] {
        let length = [16, 8, 0].map { UInt8(truncatingIfNeeded: content.count >> $0) }
        return [lastFlag | 4] + length + content
    }

    private static func list(_ comments: [String]) -> [UInt8] {
        sized(vendor) + little(comments.count) + comments.flatMap(sized)
    }

    private static func sized(_ text: String) -> [UInt8] { little(text.utf8.count) + Array(text.utf8) }

    private static func little(_ count: Int) -> [UInt8] {
        [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: count >> $0) }
    }
}

/// The comment header of an Ogg stream with room in it, so that what is known at the end of a recording can be written
/// over it without moving a byte of audio.
///
/// Opus allows zeros behind the comments (RFC 7845 §5.2); decoders of Vorbis stop reading at the framing bit.
package struct OggComments: Sendable, Hashable {
    /// The stream's header packets, of which the second holds the comments.
    private let setup: [[UInt8]]
    private let mark: [UInt8]
    /// Vorbis ends its comments with a bit that is set.
    private let end: [UInt8]
    private let comments: VorbisComments
    /// Bytes that the comment packet is made to have.
    private let length: Int

    /// - Parameters:
    ///   - room: bytes that are kept free in it.
    ///   - added: comments of ours, for those whose names the station's do not have.
    /// - Returns: nil for what is neither Vorbis nor Opus in Ogg, and where nothing is to be changed.
    package init?(_ format: AudioFormat, room: Int, added: [(name: String, value: String)] = []) {
        guard room > 0 || !added.isEmpty, let (mark, end) = Self.frame(format) else { return nil }
        (self.mark, self.end) = (mark, end)
        let packet = format.setup[1]
        setup = format.setup
        var comments = VorbisComments(packet.dropFirst(mark.count))
        for (name, value) in added where comments.values(name).isEmpty { comments.add(name, value) }
        self.comments = comments
        length = mark.count + comments.bytes().count + end.count + room
    }

    /// What stands before and behind the comments; nil for what is neither Vorbis nor Opus in Ogg.
    private static func frame(_ format: AudioFormat) -> (mark: [UInt8], end: [UInt8])? {
        guard format.container == .ogg, format.setup.count >= 2 else { return nil }
        let frame: (mark: [UInt8], end: [UInt8])
        switch format.codec {
        case .vorbis: frame = ([3] + Array("vorbis".utf8), [1])
        case .opus: frame = (Array("OpusTags".utf8), [])
        default: return nil
        }
        return format.setup[1].starts(with: frame.mark) ? frame : nil
    }

    /// The names of all comments; none where there are no comments that can be changed.
    static func names(_ format: AudioFormat) -> [String] {
        guard let (mark, _) = frame(format) else { return [] }
        return VorbisComments(format.setup[1].dropFirst(mark.count)).fields.map(\.name)
    }

    /// The packet of comments with others in the place of those whose names begin so, in the same length.
    /// - Returns: nil where they do not fit.
    static func replaced(
        _ format: AudioFormat, namesBeginning start: String, with added: [(name: String, value: String)]
    ) -> [UInt8]? {
        guard let (mark, end) = frame(format) else { return nil }
        let old = format.setup[1]
        var comments = VorbisComments(old.dropFirst(mark.count)).without { $0.hasPrefix(start) }
        for (name, value) in added { comments.add(name, value) }
        let packet = mark + comments.bytes() + end
        guard packet.count <= old.count else { return nil }
        return packet + [UInt8](repeating: 0, count: old.count - packet.count)
    }

    /// Whether the station's comments hold a picture.
    package var hasPicture: Bool { VorbisComments.pictureNames.contains { !comments.values($0).isEmpty } }

    /// The header packets with the station's comments and the room behind them.
    package var padded: [[UInt8]] { packets(adding: []) ?? setup }

    /// The same with further comments, in the same length.
    /// - Returns: nil where they do not fit.
    package func packets(adding added: [(name: String, value: String)]) -> [[UInt8]]? {
        var comments = comments
        for (name, value) in added { comments.add(name, value) }
        let packet = mark + comments.bytes() + end
        guard packet.count <= length else { return nil }
        var packets = setup
        packets[1] = packet + [UInt8](repeating: 0, count: length - packet.count)
        return packets
    }
}

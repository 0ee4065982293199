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

    /// - Parameter room: bytes that are kept free in it.
    /// - Returns: nil for what is neither Vorbis nor Opus in Ogg.
    package init?(_ format: AudioFormat, room: Int) {
        guard format.container == .ogg, format.setup.count >= 2, room > 0 else { return nil }
        switch format.codec {
        case .vorbis: (mark, end) = ([3] + Array("vorbis".utf8), [1])
        case .opus: (mark, end) = (Array("OpusTags".utf8), [])
        default: return nil
        }
        let packet = format.setup[1]
        guard packet.starts(with: mark) else { return nil }
        setup = format.setup
        comments = VorbisComments(packet.dropFirst(mark.count))
        length = mark.count + comments.bytes().count + end.count + room
    }

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

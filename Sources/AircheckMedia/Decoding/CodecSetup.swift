/// What a decoder wants to know beforehand, made from a stream's setup packets.
enum CodecSetup {
    /// The three Vorbis headers in Xiph lacing: count less one, the first two lengths, the packets.
    static func vorbis(_ packets: [[UInt8]]) throws(DecodingError) -> [UInt8] {
        guard packets.count >= 3 else { throw DecodingError(description: "Vorbis headers are missing") }
        var setup: [UInt8] = [2]
        for packet in packets[0..<2] {
            setup += [UInt8](repeating: 255, count: packet.count / 255)
            setup.append(UInt8(packet.count % 255))
        }
        return setup + packets[0] + packets[1] + packets[2]
    }

    /// `OpusHead` as it is (RFC 7845, 5.1).
    static func opus(_ packets: [[UInt8]]) throws(DecodingError) -> [UInt8] {
        guard let head = packets.first, head.count >= 19 else {
            throw DecodingError(description: "the Opus header is missing")
        }
        return head
    }

    /// The 34 bytes of STREAMINFO: they follow `fLaC` and a block header, in Ogg behind a few bytes of mapping.
    static func flac(_ packets: [[UInt8]]) throws(DecodingError) -> [UInt8] {
        let mark = Array("fLaC".utf8)
        guard let head = packets.first,
            let start = (0..<min(16, head.count)).first(where: { head[$0...].starts(with: mark) }),
            head.count >= start + 8 + 34
        else { throw DecodingError(description: "the FLAC header is missing") }
        return Array(head[(start + 8)..<(start + 8 + 34)])
    }
}

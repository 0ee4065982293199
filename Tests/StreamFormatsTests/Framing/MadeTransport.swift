import StreamFormats

/// MPEG-TS by hand: a PAT, a PMT with AAC and timed ID3, and PES packets.
enum MadeTransport {
    private static let map = 0x100
    private static let audio = 0x101
    private static let metadata = 0x102

    /// Ten AAC frames, a tag, ten more.
    static func stream(song: String, artist: String) -> [UInt8] {
        let tag = Made.id3([("TIT2", Made.text(song)), ("TPE1", Made.text(artist))])
        let association: [UInt8] = [0, 0, 1, 0xE0 | UInt8(map >> 8), UInt8(map & 0xFF)]
        let programs = section(0, Array(association.dropFirst()))
        let entries: [UInt8] =
            [0xE1, 0x01, 0xF0, 0]
            + [0x0F, 0xE0 | UInt8(audio >> 8), UInt8(audio & 0xFF), 0xF0, 0]
            + [0x15, 0xE0 | UInt8(metadata >> 8), UInt8(metadata & 0xFF), 0xF0, 0]
        return packets(0, [0] + programs) + packets(map, [0] + section(2, entries))
            + packets(audio, pes(0xC0, Made.adts(10))) + packets(metadata, pes(0xBD, tag))
            + packets(audio, pes(0xC0, Made.adts(10)))
    }

    private static func section(_ table: UInt8, _ body: [UInt8]) -> [UInt8] {
        let length = 5 + body.count + 4
        return [table, 0xB0 | UInt8(length >> 8), UInt8(length & 0xFF), 0, 1, 0xC1, 0, 0] + body + [
            0, 0, 0, 0,
        ]
    }

    private static func pes(_ stream: UInt8, _ body: [UInt8]) -> [UInt8] {
        let length = body.count + 8
        return [0, 0, 1, stream, UInt8(length >> 8), UInt8(length & 0xFF), 0x80, 0x80, 5, 0x21, 0, 1, 0, 1]
            + body
    }

    /// Cut into packets, the last filled up with an adaptation field.
    private static func packets(_ identifier: Int, _ payload: [UInt8]) -> [UInt8] {
        var rest = payload[...]
        var bytes: [UInt8] = []
        var counter: UInt8 = 0
        while !rest.isEmpty {
            let part = rest.prefix(184)
            let start: UInt8 = rest.count == payload.count ? 0x40 : 0
            let head = [0x47, start | UInt8(identifier >> 8), UInt8(identifier & 0xFF)]
            let filling = 184 - part.count
            let field: [UInt8] =
                filling == 0
                ? []
                : [UInt8(filling - 1)] + (filling > 1 ? [0] : [])
                    + [UInt8](repeating: 0xFF, count: max(0, filling - 2))
            bytes += head + [(filling == 0 ? 0x10 : 0x30) | counter] + field + part
            counter = (counter + 1) & 15
            rest = rest.dropFirst(184)
        }
        return bytes
    }
}

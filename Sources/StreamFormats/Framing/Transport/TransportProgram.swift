/// Which packets of a transport stream carry the audio and the timed ID3: read from PAT and PMT (ISO 13818-1 §2.4.4).
struct TransportProgram: Sendable {
    /// How the audio is coded, as far as we read it: both are found by their own headers.
    private static let audioTypes: [UInt8] = [0x0F, 0x03, 0x04]
    private static let timedID3: UInt8 = 0x15
    private static let foreignTypes: [UInt8: String] = [
        0x11: "AAC in LATM", 0x81: "AC-3 in MPEG-TS", 0x87: "E-AC-3 in MPEG-TS", 0xC1: "encrypted AC-3",
        0xCF: "encrypted AAC", 0x1C: "MPEG-4 audio in MPEG-TS",
    ]
    /// A section is at most 1021 bytes behind its length.
    private static let longestSection = 1024

    private(set) var audio: Int?
    private(set) var metadata: Int?
    /// Audio that we cannot read, where there is no other.
    private(set) var foreignName: String?
    private var map: Int?
    private var sections: [Int: [UInt8]] = [:]

    /// Takes a packet in; true where it belonged to a table.
    mutating func take(_ packet: TransportPacket) -> Bool {
        guard packet.identifier == 0 || packet.identifier == map else { return false }
        guard let section = collect(packet) else { return true }
        if packet.identifier == 0 { readAssociation(section) } else { readMap(section) }
        return true
    }

    /// Puts a section together; it comes back when it is whole.
    private mutating func collect(_ packet: TransportPacket) -> ArraySlice<UInt8>? {
        if packet.isStart {
            guard let pointer = packet.payload.first else { return nil }
            sections[packet.identifier] = Array(packet.payload.dropFirst(1 + Int(pointer)))
        } else {
            sections[packet.identifier]?.append(contentsOf: packet.payload)
        }
        guard let bytes = sections[packet.identifier], bytes.count >= 3 else { return nil }
        let length = 3 + (Int(bytes[1] & 0x0F) << 8 | Int(bytes[2]))
        guard length <= Self.longestSection, length >= 3 + 9 else {
            sections[packet.identifier] = nil
            return nil
        }
        guard bytes.count >= length else { return nil }
        sections[packet.identifier] = nil
        return bytes[..<length]
    }

    /// The first program that is none of the network's.
    private mutating func readAssociation(_ section: ArraySlice<UInt8>) {
        guard section.first == 0 else { return }
        var rest = section.dropFirst(8).dropLast(4)
        while rest.count >= 4 {
            let entry = Array(rest.prefix(4))
            rest = rest.dropFirst(4)
            guard entry[0] != 0 || entry[1] != 0 else { continue }
            let identifier = Int(entry[2] & 0x1F) << 8 | Int(entry[3])
            if identifier != map { sections.removeAll() }
            map = identifier
            return
        }
    }

    private mutating func readMap(_ section: ArraySlice<UInt8>) {
        guard section.first == 2, section.count > 16 else { return }
        let start = section.startIndex
        let infoLength = Int(section[start + 10] & 0x0F) << 8 | Int(section[start + 11])
        var rest = section.dropFirst(12 + infoLength).dropLast(4)
        (audio, metadata, foreignName) = (nil, nil, nil)
        while rest.count >= 5 {
            let entry = Array(rest.prefix(5))
            let identifier = Int(entry[1] & 0x1F) << 8 | Int(entry[2])
            let length = Int(entry[3] & 0x0F) << 8 | Int(entry[4])
            take(type: entry[0], identifier, descriptors: rest.dropFirst(5).prefix(length))
            rest = rest.dropFirst(5 + length)
        }
        if audio != nil { foreignName = nil }
    }

    private mutating func take(type: UInt8, _ identifier: Int, descriptors: ArraySlice<UInt8>) {
        if Self.audioTypes.contains(type) {
            audio = audio ?? identifier
        } else if type == Self.timedID3 {
            metadata = metadata ?? identifier
        } else if let name = Self.foreignTypes[type] {
            foreignName = name
        } else if type == 0x06, descriptors.starts(with: [0x05, 4] + "Opus".utf8) {
            foreignName = "Opus in MPEG-TS"
        }
    }
}

/// One packet of MPEG-TS (ISO 13818-1 §2.4.3.2), understood.
struct TransportPacket {
    static let length = 188

    let identifier: Int
    /// A PES packet or a section begins in the payload.
    let isStart: Bool
    let counter: UInt8
    /// Empty where the packet has none.
    let payload: ArraySlice<UInt8>

    /// Nil where the packet says of itself that it is damaged, or has a field that cannot be.
    init?(_ bytes: ArraySlice<UInt8>) {
        let packet = bytes.dropFirst(0)
        let start = packet.startIndex
        guard packet.count == Self.length, packet[start] == 0x47, packet[start + 1] & 0x80 == 0 else {
            return nil
        }
        isStart = packet[start + 1] & 0x40 != 0
        identifier = Int(packet[start + 1] & 0x1F) << 8 | Int(packet[start + 2])
        counter = packet[start + 3] & 15
        let isScrambled = packet[start + 3] & 0xC0 != 0
        var header = 4
        if packet[start + 3] & 0x20 != 0 { header += 1 + Int(packet[start + 4]) }
        guard packet[start + 3] & 0x10 != 0, !isScrambled, header < Self.length else {
            payload = []
            return
        }
        payload = packet[(start + header)...]
    }
}

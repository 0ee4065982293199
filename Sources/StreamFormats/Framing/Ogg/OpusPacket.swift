/// How long an Opus packet sounds, told by its first byte or two (RFC 6716 §3.1).
package enum OpusPacket {
    /// Opus counts in 48 kHz whatever went in.
    package static let sampleRate = 48000
    /// 120 ms: no packet is longer.
    private static let longest = 5760

    /// Samples per channel at 48 kHz; 0 for a packet that is none.
    package static func samples(of packet: ArraySlice<UInt8>) -> Int {
        guard let first = packet.first else { return 0 }
        let total = frameSamples(configuration: Int(first >> 3)) * frames(packet, code: first & 3)
        return total <= longest ? total : 0
    }

    private static func frames(_ packet: ArraySlice<UInt8>, code: UInt8) -> Int {
        switch code {
        case 0: 1
        case 1, 2: 2
        default: packet.count > 1 ? Int(packet[packet.startIndex + 1] & 0x3F) : 0
        }
    }

    /// SILK has 10 to 60 ms, hybrid 10 and 20, CELT 2.5 to 20.
    private static func frameSamples(configuration: Int) -> Int {
        switch configuration {
        case 0..<12: [480, 960, 1920, 2880][configuration & 3]
        case 12..<16: [480, 960][configuration & 1]
        default: 120 << (configuration & 3)
        }
    }
}

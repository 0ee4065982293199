/// Takes the headers off the PES packets of one stream (ISO 13818-1 §2.4.3.6).
struct PESAssembler: Sendable {
    /// The fixed part of the header, its own length included.
    private static let fixedLength = 9

    /// 90 kHz, 33 bits, of the last packet that had one.
    private(set) var timestamp: UInt64?
    /// Bytes that the packet announces behind its header; nil where it leaves that open.
    private(set) var announced: Int?
    private var header: [UInt8]?
    private var isReading = false

    /// The bytes of the stream in one payload. `isStart` where a PES packet begins there.
    mutating func take(_ payload: ArraySlice<UInt8>, isStart: Bool) -> ArraySlice<UInt8> {
        if isStart {
            header = []
            isReading = false
        }
        guard let begun = header else { return isReading ? payload : [] }
        // The header may reach into the next packet.
        let bytes = begun + payload
        guard bytes.count >= Self.fixedLength else {
            header = bytes
            return []
        }
        guard bytes.starts(with: [0, 0, 1]), bytes[6] & 0xC0 == 0x80 else {
            header = nil
            return []
        }
        let length = Self.fixedLength + Int(bytes[8])
        guard bytes.count >= length else {
            header = bytes
            return []
        }
        read(bytes[..<length])
        header = nil
        isReading = true
        return bytes[length...]
    }

    private mutating func read(_ header: ArraySlice<UInt8>) {
        let length = Int(header[4]) << 8 | Int(header[5])
        announced = length == 0 ? nil : max(0, length - 3 - Int(header[8]))
        guard header[7] & 0x80 != 0, header.count >= 14 else { return }
        let high = UInt64(header[9] >> 1 & 7) << 30
        let middle = UInt64(header[10]) << 22 | UInt64(header[11] >> 1) << 15
        timestamp = high | middle | UInt64(header[12]) << 7 | UInt64(header[13] >> 1)
    }
}

/// The fields of a query string, as some stations put them into `StreamUrl`.
enum URLQuery {
    /// More fields than this are not read.
    private static let most = 64

    /// Keys in lower case, values with their percent signs decoded; empty ones are left out. What stands before the
    /// first `?` or `&` is not looked at.
    static func fields(_ url: [UInt8]) -> [String: [UInt8]] {
        guard let start = url.firstIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "&") }) else {
            return [:]
        }
        var fields: [String: [UInt8]] = [:]
        let parts = url[start...].split { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "&") }
        for part in parts.prefix(most) {
            guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let value = percentDecoded(part[(equals + 1)...])
            guard !value.isEmpty else { continue }
            fields[String(decoding: ASCII.lowered(part[..<equals]), as: UTF8.self)] = value
        }
        return fields
    }

    /// `%2F` is `/`, `+` a blank. A percent sign without two digits behind it stands for itself, unless it is the cut
    /// end of the text.
    static func percentDecoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            index += 1
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
                continue
            }
            if bytes.endIndex - index < 2 { break }
            guard let high = hex(bytes[index]), let low = hex(bytes[index + 1]) else {
                decoded.append(byte)
                continue
            }
            decoded.append(high << 4 | low)
            index += 2
        }
        return decoded
    }

    private static func hex(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}

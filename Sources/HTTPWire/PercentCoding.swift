/// Percent-encoding of paths and queries. Source: RFC 3986 §2.1.
package enum PercentCoding {
    /// The octets with `%41` read as `A`; nil when a percent sign is not followed by two hexadecimal digits.
    /// - Parameter plusIsBlank: also reads `+` as a blank, as forms write it.
    package static func decode(_ octets: some Collection<UInt8>, plusIsBlank: Bool) -> [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(octets.count)
        var rest = octets.makeIterator()
        while let octet = rest.next() {
            if octet == Octet.percent {
                guard let high = rest.next().flatMap(Octet.hexValue),
                    let low = rest.next().flatMap(Octet.hexValue)
                else { return nil }
                decoded.append(high << 4 | low)
            } else {
                decoded.append(plusIsBlank && octet == 0x2B ? Octet.space : octet)
            }
        }
        return decoded
    }

    /// The text with everything but unreserved characters encoded, so that it is one path part or one query value.
    package static func encode(_ text: some StringProtocol) -> String {
        var encoded: [UInt8] = []
        let digits = Array("0123456789ABCDEF".utf8)
        for octet in text.utf8 {
            switch octet {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: encoded.append(octet)
            default: encoded += [Octet.percent, digits[Int(octet >> 4)], digits[Int(octet & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}

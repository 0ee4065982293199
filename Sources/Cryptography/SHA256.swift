internal import CCrypto

/// SHA-256 (FIPS 180-4), by OpenSSL.
package enum SHA256 {
    /// The 32 bytes of the digest.
    package static func digest(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        var length: UInt32 = 0
        EVP_Digest(bytes, bytes.count, &digest, &length, EVP_sha256(), nil)
        return digest
    }

    /// The digest in lower-case hexadecimal.
    package static func hex(_ bytes: [UInt8]) -> String { Hexadecimal.text(digest(bytes)) }
}

/// Bytes as two digits each.
package enum Hexadecimal {
    package static func text(_ bytes: [UInt8]) -> String {
        var text = ""
        text.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            let digits = String(byte, radix: 16)
            text += digits.count == 1 ? "0" + digits : digits
        }
        return text
    }

    /// nil for an odd count or anything but hexadecimal digits.
    package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let digits = text.utf8.map { digit -> UInt8? in
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
            default: nil
            }
        }
        let values = digits.compactMap(\.self)
        guard values.count == digits.count, values.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }
}

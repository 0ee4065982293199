internal import CCrypto
internal import CLinux

/// Random secrets, and comparing them without telling how much was right.
package enum Secrets {
    /// Bytes from the kernel's generator.
    package static func random(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes {
                getrandom($0.baseAddress?.advanced(by: filled), count - filled, 0)
            }
            if got > 0 { filled += got }
        }
        return bytes
    }

    /// Takes the same time whatever the two hold; only their lengths may be guessed from it.
    package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }
}

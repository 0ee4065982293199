internal import CCrypto

/// AES-128 in CBC mode with PKCS#7 padding, as HLS encrypts whole segments (RFC 8216, 4.3.2.4).
package enum AES128CBC {
    /// The plain bytes, or nil where key or vector are not 16 bytes, or the padding is wrong.
    package static func decrypt(_ bytes: [UInt8], key: [UInt8], initialVector: [UInt8]) -> [UInt8]? {
        guard key.count == 16, initialVector.count == 16, bytes.count < Int(Int32.max),
            let context = EVP_CIPHER_CTX_new()
        else { return nil }
        defer { EVP_CIPHER_CTX_free(context) }
        guard EVP_DecryptInit_ex(context, EVP_aes_128_cbc(), nil, key, initialVector) == 1 else { return nil }
        var plain = [UInt8](repeating: 0, count: bytes.count + 16)
        var length: Int32 = 0
        var tail: Int32 = 0
        guard EVP_DecryptUpdate(context, &plain, &length, bytes, Int32(bytes.count)) == 1 else { return nil }
        let done = plain.withUnsafeMutableBufferPointer { buffer in
            EVP_DecryptFinal_ex(context, buffer.baseAddress?.advanced(by: Int(length)), &tail)
        }
        guard done == 1 else { return nil }
        return Array(plain.prefix(Int(length + tail)))
    }
}

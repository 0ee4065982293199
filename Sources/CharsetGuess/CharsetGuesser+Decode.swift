import CUchardet

extension CharsetGuesser {
    /// Decodes a charset that the pure room has no table for (Shift_JIS, EUC-KR, GBK, Big5); a `CharsetDecoder`.
    ///
    /// A last character that is cut off is left out; nil when iconv does not know the name or the bytes are not in that
    /// charset. Any thread.
    package static func decode(_ bytes: [UInt8], _ charset: String) -> String? {
        let conversion = iconv_open("UTF-8", charset)
        guard conversion != iconv_t(bitPattern: -1) else { return nil }
        defer { iconv_close(conversion) }
        return convert(bytes, with: conversion)
    }

    private static func convert(_ bytes: [UInt8], with conversion: iconv_t?) -> String? {
        // In no charset does a byte become more than four of UTF-8.
        var input = bytes.map { CChar(bitPattern: $0) }
        var output = [CChar](repeating: 0, count: bytes.count * 4 + 8)
        let used = input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target -> Int? in
                var from = source.baseAddress
                var to = target.baseAddress
                var left = source.count
                var room = target.count
                let result = iconv(conversion, &from, &left, &to, &room)
                // A last character that is cut off leaves its bytes behind; anything earlier is not this charset.
                guard result != -1 || left < 4 else { return nil }
                return target.count - room
            }
        }
        return used.map { String(decoding: output[..<$0].map { UInt8(bitPattern: $0) }, as: UTF8.self) }
    }
}

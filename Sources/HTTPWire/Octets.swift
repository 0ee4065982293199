/// What single octets are in HTTP's grammar (RFC 9110 §5.6, RFC 9112 §3), and a few words built of them.
enum Octet {
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let tab: UInt8 = 0x09
    static let colon: UInt8 = 0x3A
    static let percent: UInt8 = 0x25
    static let slash: UInt8 = 0x2F

    /// A character of a token: method or field name.
    static func isToken(_ octet: UInt8) -> Bool {
        switch octet {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E: true
        default: false
        }
    }

    /// A character of a field value: visible, blank, or of an older charset; no control character but tab.
    static func isFieldValue(_ octet: UInt8) -> Bool { octet == tab || (octet >= 0x20 && octet != 0x7F) }

    static func isDigit(_ octet: UInt8) -> Bool { octet >= 0x30 && octet <= 0x39 }

    static func lowercased(_ octet: UInt8) -> UInt8 { octet >= 0x41 && octet <= 0x5A ? octet | 0x20 : octet }

    /// The value of a hexadecimal digit.
    static func hexValue(_ octet: UInt8) -> UInt8? {
        switch octet {
        case 0x30...0x39: octet - 0x30
        case 0x41...0x46: octet - 0x41 + 10
        case 0x61...0x66: octet - 0x61 + 10
        default: nil
        }
    }
}

/// Reading numbers that strangers wrote: digits only, no sign, no blank, no overflow.
package enum Digits {
    /// The value of one to `maxDigits` (at most 18) ASCII digits and nothing else.
    package static func parse(_ octets: some Collection<UInt8>, maxDigits: Int = 18) -> Int64? {
        guard !octets.isEmpty, octets.count <= min(18, maxDigits) else { return nil }
        var value: Int64 = 0
        for octet in octets {
            guard Octet.isDigit(octet) else { return nil }
            value = value * 10 + Int64(octet - 0x30)
        }
        return value
    }

    package static func parse(_ text: String, maxDigits: Int = 18) -> Int64? {
        parse(text.utf8, maxDigits: maxDigits)
    }
}

/// ASCII's idea of equal, for names of headers, schemes and media types.
package enum ASCIIText {
    package static func lowercased(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(where: { $0 >= 0x41 && $0 <= 0x5A }) else { return String(text) }
        return String(decoding: text.utf8.map(Octet.lowercased), as: UTF8.self)
    }

    package static func equalIgnoringCase(_ left: some StringProtocol, _ right: some StringProtocol) -> Bool {
        left.utf8.elementsEqual(right.utf8) { Octet.lowercased($0) == Octet.lowercased($1) }
    }

    /// Without blanks and tabs at the ends.
    package static func trimmed<Text: StringProtocol>(_ text: Text) -> Text.SubSequence
    where Text.SubSequence == Substring {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        var rest = text.drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return rest
    }

    /// The bytes as UTF-8, or as Latin-1 where they are not.
    package static func decodingHeader(_ octets: some Collection<UInt8>) -> String {
        if let text = String(validating: octets, as: UTF8.self) { return text }
        var text = ""
        for octet in octets { text.unicodeScalars.append(Unicode.Scalar(octet)) }
        return text
    }
}

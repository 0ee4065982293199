/// Character references of HTML, which stations put into titles because a web page showed them so.
package enum HTMLEntities {
    /// The longest reference that is looked for, without `&` and `;`: `thetasym` and `#1114111` fit.
    private static let longest = 10

    /// Decodes each reference once: `&amp;amp;` becomes `&amp;`. It needs its semicolon; an unknown name, a number that
    /// is no character and a lone `&` stay as they are.
    package static func decoded(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var decoded = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let mark = rest.firstIndex(of: "&") {
            decoded.append(contentsOf: rest[..<mark])
            let (scalar, next) = reference(in: rest, at: mark)
            decoded.append(scalar ?? "&")
            rest = rest[next...]
        }
        decoded.append(contentsOf: rest)
        return String(decoded)
    }

    /// The character meant at an `&`, and where the text goes on; without one, that is right behind the `&`.
    private static func reference(
        in text: Substring.UnicodeScalarView, at mark: String.Index
    ) -> (Unicode.Scalar?, String.Index) {
        let start = text.index(after: mark)
        let nothing: (Unicode.Scalar?, String.Index) = (nil, start)
        let window = text[start...].prefix(longest + 1)
        guard let end = window.firstIndex(of: ";") else { return nothing }
        guard let scalar = scalar(named: window[..<end]) else { return nothing }
        return (scalar, text.index(after: end))
    }

    private static func scalar(named name: Substring.UnicodeScalarView) -> Unicode.Scalar? {
        guard name.first == "#" else { return byName[String(name)] }
        let digits = name.dropFirst()
        guard let second = digits.first else { return nil }
        let isHex = second == "x" || second == "X"
        return number(isHex ? digits.dropFirst() : digits, radix: isHex ? 16 : 10)
    }

    private static func number(_ digits: Substring.UnicodeScalarView, radix: UInt32) -> Unicode.Scalar? {
        guard !digits.isEmpty else { return nil }
        var value: UInt32 = 0
        for digit in digits {
            guard digit.isASCII, let worth = Character(digit).hexDigitValue, worth < radix else { return nil }
            value = value &* radix &+ UInt32(worth)
            if value > 0x10FFFF { return nil }
        }
        // 80–9F are meant as Windows-1252, whatever the standard of XML says.
        if (0x80..<0xA0).contains(value) { return SingleByteCharset.windows1252.scalar(UInt8(value)) }
        return value == 0 ? nil : Unicode.Scalar(value)
    }

    private static let byName: [String: Unicode.Scalar] = {
        let words = table.split(separator: " ")
        var names: [String: Unicode.Scalar] = [:]
        for index in stride(from: 0, to: words.count - 1, by: 2) {
            names[String(words[index])] = UInt32(words[index + 1], radix: 16).flatMap(Unicode.Scalar.init)
        }
        return names
    }()
}

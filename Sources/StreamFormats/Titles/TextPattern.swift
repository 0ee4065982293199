/// Patterns as people write them: plain text, compared without regard to case, `*` for anything.
package enum TextPattern {
    /// Longer patterns never match; nobody writes them by hand.
    private static let longest = 256

    /// A pattern without `*` has to be found somewhere in the text; one with it has to cover the whole text.
    package static func matches(_ text: String, _ pattern: String) -> Bool {
        guard !pattern.isEmpty, pattern.utf8.count <= longest else { return false }
        let text = Array(text.lowercased().unicodeScalars)
        let parts = pattern.lowercased().split(separator: "*", omittingEmptySubsequences: false)
            .map { Array($0.unicodeScalars) }
        guard let first = parts.first, let last = parts.last else { return false }
        if parts.count == 1 { return find(first, in: text[...]) != nil }
        return covers(text, first: first, middle: parts.dropFirst().dropLast(), last: last)
    }

    /// Each middle part is taken where it is found first, so the work is at most text × pattern, whatever they hold.
    private static func covers(
        _ text: [Unicode.Scalar], first: [Unicode.Scalar], middle: ArraySlice<[Unicode.Scalar]>,
        last: [Unicode.Scalar]
    ) -> Bool {
        guard text.count >= first.count + last.count, text.starts(with: first),
            text.suffix(last.count).elementsEqual(last)
        else { return false }
        var rest = text[first.count..<(text.count - last.count)]
        for part in middle {
            guard let end = find(part, in: rest) else { return false }
            rest = rest[end...]
        }
        return true
    }

    /// The place behind the first occurrence.
    private static func find(_ part: [Unicode.Scalar], in text: ArraySlice<Unicode.Scalar>) -> Int? {
        guard text.count >= part.count else { return nil }
        for start in text.startIndex...(text.endIndex - part.count) where text[start...].starts(with: part) {
            return start + part.count
        }
        return nil
    }

    static func hasPrefix(_ text: String, _ prefix: String) -> Bool {
        !prefix.isEmpty && text.prefix(prefix.count).lowercased() == prefix.lowercased()
    }

    static func hasSuffix(_ text: String, _ suffix: String) -> Bool {
        !suffix.isEmpty && text.suffix(suffix.count).lowercased() == suffix.lowercased()
    }

    /// Letters and digits alone, in lower case: what is left when two names are "the same".
    package static func folded(_ text: String) -> String {
        var kept = String.UnicodeScalarView()
        for scalar in text.lowercased().unicodeScalars where isWordPart(scalar) { kept.append(scalar) }
        return String(kept)
    }

    private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return ASCII.isLetter(UInt8(scalar.value)) || ASCII.isDigit(UInt8(scalar.value)) }
        return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }
}

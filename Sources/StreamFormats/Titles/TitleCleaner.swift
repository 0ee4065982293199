/// Turns decoded text into one line that is fit to show, store and send on.
package enum TitleCleaner {
    /// The longest text that is kept, in bytes of UTF-8: what the largest title block can hold. Narrower limits (a file
    /// name, a screen) are for those who have them.
    package static let longest = 4080

    /// Marks of one letter beyond this are dropped: no writing needs them, and they smear over neighbouring lines.
    private static let mostMarks = 6

    /// One line: controls, bidi controls, zero-width marks and U+FFFD removed, line breaks and runs of blanks one blank,
    /// nothing at the ends. Doing it twice changes nothing.
    package static func cleaned(_ text: String) -> String {
        var kept = String.UnicodeScalarView()
        var size = 0
        var gap = false
        var marks = 0
        for scalar in text.unicodeScalars {
            if isSpace(scalar) { gap = true; continue }
            if isRemoved(scalar) { continue }
            marks = isMark(scalar) ? marks + 1 : 0
            if marks > mostMarks { continue }
            let joins = gap && !kept.isEmpty
            size += UTF8.width(scalar) + (joins ? 1 : 0)
            if size > longest { break }
            if joins { kept.append(" ") }
            gap = false
            kept.append(scalar)
        }
        return String(kept)
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
        default: false
        }
    }

    /// What no title needs. The joiners U+200C and U+200D stay: Persian and emoji are written with them.
    private static func isRemoved(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00..<0x20, 0x7F..<0xA0, 0xAD, 0x061C, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x206F:
            true
        case 0xFEFF, 0xFFF9...0xFFFD, 0xE0000...0xE0FFF: true
        default: scalar.value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(scalar.value)
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x300 else { return false }
        return switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default: false
        }
    }
}

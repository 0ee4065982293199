internal import CUnistring
internal import Glibc

/// Turns any text into one component of a path that every file system takes: ext4, NTFS, FAT, SMB.
///
/// Titles come from strangers: `../../.ssh/authorized_keys`, `NUL`, `-rf`, a bidi override, three hundred bytes of
/// kanji. What comes out is never a path, never hidden, never an option, and putting it in again changes nothing.
package enum SafeName {
    /// Longest stem, in bytes of UTF-8. With the longest counter, extension and `.part` a name stays below 240.
    package static let stemLimit = 216
    /// What stands where nothing is left.
    package static let untitled = "untitled"
    /// More of the text is not looked at; combining marks may be piled without end.
    private static let inputLimit = 4096

    /// A component of at most `limit` bytes.
    package static func component(_ text: String, limit: Int = stemLimit) -> String {
        let cut = String(decoding: text.utf8.prefix(inputLimit), as: UTF8.self)
        // What is left out may have stood between a letter and its accent, so composing comes after cleaning too.
        let clean = cleaned(composed(cleaned(composed(cut))))
        let name = settled(clean, limit: limit)
        return name.isEmpty ? untitled : name
    }

    /// The composed form (NFC), as most file systems have it. By libunistring: Foundation's costs every process 8 MiB.
    private static func composed(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var length = 0
        guard let found = aircheck_composed(bytes, bytes.count, &length) else { return text }
        defer { free(found) }
        return String(decoding: UnsafeBufferPointer(start: found, count: length), as: UTF8.self)
    }

    /// Every character that is dangerous anywhere is replaced or left out; blanks are single.
    private static func cleaned(_ text: String) -> String {
        var name = String.UnicodeScalarView()
        var wasBlank = true
        for scalar in text.unicodeScalars {
            guard let safe = replacement(of: scalar) else { continue }
            let isBlank = safe == " "
            if !(isBlank && wasBlank) { name.append(safe) }
            wasBlank = isBlank
        }
        return String(name)
    }

    /// Nil leaves it out.
    private static func replacement(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar {
        case "\t", "\n", "\u{B}", "\u{C}", "\r", "\u{85}", "\u{2028}", "\u{2029}": " "
        case "/", "\\", "\u{2044}", "\u{2215}", "\u{29F5}", "\u{29F8}", "\u{FF0F}", "\u{FF3C}", "\u{FE68}":
            "-"
        case ":", "\u{FF1A}", "|", "\u{FF5C}": "-"
        case "\"", "\u{FF02}": "'"
        case "<", "\u{FF1C}": "("
        case ">", "\u{FF1E}": ")"
        case "?", "*", "\u{FF1F}", "\u{FF0A}": "_"
        // Fullwidth and one-dot-leader look-alikes of the dot, which some servers fold into it.
        case "\u{FF0E}", "\u{2024}": "."
        case "\u{FFFD}": "_"
        default: other(scalar)
        }
    }

    /// Hold family emoji and some scripts together; nothing at the ends.
    private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{200C}" || scalar == "\u{200D}"
    }

    private static func other(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        if isJoiner(scalar) { return scalar }
        return switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned: nil
        case .spaceSeparator, .lineSeparator, .paragraphSeparator: " "
        default: scalar
        }
    }

    /// Ends, beginning and length; each rule may undo another, so they are applied until nothing changes.
    private static func settled(_ text: String, limit: Int) -> String {
        var name = text
        while true {
            var next = trimmed(name)
            if let first = next.unicodeScalars.first, first == "." || first == "-" || first == "~" {
                next = "_" + next
            }
            if isDevice(next) { next = "_" + next }
            next = shortened(next, limit: limit)
            if next == name { return name }
            name = next
        }
    }

    /// Without blanks at both ends and dots at the end: Windows drops those silently.
    private static func trimmed(_ text: String) -> String {
        var scalars = text.unicodeScalars[...]
        while let first = scalars.first, first == " " || isJoiner(first) { scalars.removeFirst() }
        while let last = scalars.last, last == " " || last == "." || isJoiner(last) { scalars.removeLast() }
        return String(scalars)
    }

    /// Cut between characters as people see them, so that no emoji is left half; between scalars where one character
    /// alone is too long.
    private static func shortened(_ text: String, limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        let whole = prefix(text, of: text.map(String.init), limit: limit)
        return whole.isEmpty ? prefix(text, of: text.unicodeScalars.map { String($0) }, limit: limit) : whole
    }

    private static func prefix(_ text: String, of pieces: [String], limit: Int) -> String {
        var name = ""
        var length = 0
        for piece in pieces {
            length += piece.utf8.count
            if length > limit { break }
            name += piece
        }
        return name
    }

    /// `CON`, `nul.txt`, `COM1`: devices on Windows and on servers that run it, with any extension.
    private static func isDevice(_ name: String) -> Bool {
        let stem = trimmed(String(name.prefix { $0 != "." })).uppercased()
        if ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"].contains(stem) { return true }
        guard stem.hasPrefix("COM") || stem.hasPrefix("LPT"), stem.count == 4, let last = stem.last else {
            return false
        }
        return "0123456789¹²³".contains(last)
    }
}

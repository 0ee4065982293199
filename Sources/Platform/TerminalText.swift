/// Makes text that came from a stream or a stranger safe to print on a terminal or in a log.
///
/// A title may hold escape sequences that set the window title, write the clipboard or clear the screen. They are
/// shown, never sent.
package enum TerminalText {
    /// The text with every control, bidi and zero-width character written as `\u{1b}`.
    package static func escaped(_ text: some StringProtocol) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return String(text) }
        var safe = ""
        for scalar in text.unicodeScalars {
            if isUnsafe(scalar) {
                safe += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                safe.unicodeScalars.append(scalar)
            }
        }
        return safe
    }

    /// C0, DEL, C1, the bidi controls, zero-width marks and the line separators of Unicode.
    package static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00..<0x20, 0x7F..<0xA0: true
        case 0x061C, 0x200B, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A...0x202E, 0x2060...0x2069, 0xFEFF: true
        default: false
        }
    }
}

internal import CLinux
package import JSONText
internal import Platform

/// What a command prints. Results go to standard output, everything else to standard error.
///
/// Text that came from a stream goes through `TerminalText` on its way out, also when nobody looks.
package enum Terminal {
    /// One line of a result.
    package static func print(_ line: String) { write(line + "\n", to: 1) }

    /// One object on a line of its own.
    package static func print(_ value: JSONValue) { write(value.text() + "\n", to: 1) }

    /// Something that is not a result: progress, a hint.
    package static func note(_ line: String) { write(line + "\n", to: 2) }

    package static func fail(_ failure: CommandFailure) {
        // A list of mistakes has a line each; the line ends are ours, what is in a line may be a stranger's.
        let lines = failure.message.split(separator: "\n", omittingEmptySubsequences: false)
        write("aircheck: \(lines.map { TerminalText.escaped($0) }.joined(separator: "\n  "))\n", to: 2)
        if let remedy = failure.remedy { write("  \(remedy)\n", to: 2) }
    }

    /// A line that the next one replaces; only on a terminal.
    package static func progress(_ line: String) {
        guard isTerminal(2) else { return }
        write("\r\u{1B}[K" + String(line.prefix(max(20, columns - 1))), to: 2)
    }

    /// Ends the line that `progress` has left standing.
    package static func endProgress() {
        guard isTerminal(2) else { return }
        write("\r\u{1B}[K", to: 2)
    }

    /// Control sequences of our own, for a screen.
    package static func raw(_ sequence: String) { write(sequence, to: 1) }

    package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// Width of the terminal, in columns; 80 where there is none.
    package static var columns: Int {
        let columns = aircheck_terminal_columns(2)
        return columns > 0 ? Int(columns) : 80
    }

    /// Colour is used on terminals, and not where NO_COLOR says so (https://no-color.org).
    package static var usesColour: Bool {
        isTerminal(1) && Environment.value("NO_COLOR") == nil && Environment.value("TERM") != "dumb"
    }

    package enum Style: String {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case cyan = "36"
    }

    package static func styled(_ text: String, _ style: Style) -> String {
        usesColour ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Rows as aligned columns, cut to the terminal's width where there is one.
    package static func table(_ rows: [[String]]) {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            min(48, rows.map { column < $0.count ? displayWidth($0[column]) : 0 }.max() ?? 0)
        }
        for row in rows {
            var line = ""
            for (column, cell) in row.enumerated() {
                let text = TerminalText.escaped(cell)
                let padding = column + 1 == row.count ? 0 : max(0, widths[column] - displayWidth(text)) + 2
                line += text + String(repeating: " ", count: padding)
            }
            print(line)
        }
    }

    /// Columns that a text takes; East Asian wide characters take two.
    package static func displayWidth(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { width, scalar in
            switch scalar.value {
            case 0x0300...0x036F: width
            case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
                0xFF00...0xFF60,
                0x1F300...0x1FAFF, 0x20000...0x3FFFD:
                width + 2
            default: width + 1
            }
        }
    }

    private static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { CLinux.write(descriptor, $0.baseAddress, $0.count) }
            // A reader that has gone (head, less) is no reason to complain.
            guard written > 0 else { return }
            bytes = bytes.dropFirst(written)
        }
    }
}

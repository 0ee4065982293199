/// One line of an iCalendar file (RFC 5545, 3.1): `DTSTART;TZID=Europe/Berlin:20261224T200000`.
struct CalendarLine: Sendable, Hashable {
    /// In upper case.
    var name: String
    /// Keys in upper case.
    var parameters: [String: String]
    /// As it stands there, escapes included.
    var value: String

    /// Longest file, and longest line after unfolding; what is longer is no schedule.
    static let fileLimit = 4 << 20
    static let lineLimit = 16 << 10

    /// The lines of a file, put together again where they were folded; unreadable ones are left out.
    static func all(_ text: String) -> [CalendarLine] {
        var lines: [CalendarLine] = []
        var whole: [UInt8] = []
        func end() {
            if !whole.isEmpty, whole.count <= lineLimit, let line = CalendarLine(whole[...]) {
                lines.append(line)
            }
            whole = []
        }
        for part in text.utf8.split(whereSeparator: { $0 == 10 || $0 == 13 }) {
            if part.first == UInt8(ascii: " ") || part.first == 9 {
                if whole.count <= lineLimit { whole += part.dropFirst() }
            } else {
                end()
                whole = Array(part)
            }
        }
        end()
        return lines
    }

    init?(_ bytes: ArraySlice<UInt8>) {
        var isQuoted = false
        var pieces: [ArraySlice<UInt8>] = []
        var start = bytes.startIndex
        var colon: Int?
        for place in bytes.indices {
            switch bytes[place] {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ";") where !isQuoted:
                pieces.append(bytes[start..<place])
                start = place + 1
            case UInt8(ascii: ":") where !isQuoted:
                pieces.append(bytes[start..<place])
                colon = place
            default: break
            }
            if colon != nil { break }
        }
        guard let colon, let first = pieces.first, !first.isEmpty else { return nil }
        name = Self.text(first).uppercased()
        parameters = [:]
        for piece in pieces.dropFirst() {
            let pair = Self.text(piece).split(separator: "=", maxSplits: 1)
            if pair.count == 2 {
                parameters[pair[0].uppercased()] = pair[1].filter { $0 != "\"" }
            }
        }
        value = Self.text(bytes[(colon + 1)...])
    }

    init(_ name: String, _ value: String, _ parameters: [String: String] = [:]) {
        self.name = name
        self.value = value
        self.parameters = parameters
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    /// The value as a text: `\,` `\;` `\\` and `\n` undone (3.3.11), on one line.
    var plain: String {
        var text = ""
        var isEscaped = false
        for character in value {
            if isEscaped {
                text.append(character == "n" || character == "N" ? " " : character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                text.append(character)
            }
        }
        return text
    }

    static func escaped(_ text: String) -> String {
        var value = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ";", ",": value += "\\" + String(scalar)
            case "\n", "\r": value += "\\n"
            default: if scalar.value >= 32 { value.unicodeScalars.append(scalar) }
            }
        }
        return value
    }

    /// With its line end, folded so that no line has more than 75 octets, and no character is cut.
    var folded: String {
        let parts = parameters.sorted { $0.key < $1.key }.map { ";\($0.key)=\($0.value)" }
        var text = ""
        var octets = 0
        for scalar in "\(name)\(parts.joined()):\(value)".unicodeScalars {
            let size = UTF8.width(scalar)
            if octets + size > 75 {
                text += "\r\n "
                octets = 1
            }
            text.unicodeScalars.append(scalar)
            octets += size
        }
        return text + "\r\n"
    }
}

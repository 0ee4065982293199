internal import CLinux

/// One line a fact, on standard error, as `logfmt`: `level=info room=ingest station=demo msg="connected"`.
///
/// Values are escaped here, so that no title and no request can forge a line. Under systemd the journal adds the time.
package enum Log {
    package enum Level: Int, Sendable, Comparable {
        case debug, info, warning, error

        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

        var word: String {
            switch self {
            case .debug: "debug"
            case .info: "info"
            case .warning: "warning"
            case .error: "error"
            }
        }
    }

    /// Longest value written, in Unicode scalars; the rest is cut and marked.
    private static let valueLimit = 600

    private static let threshold = Lock(Level.info)

    /// Lines below this level are not written.
    package static var level: Level {
        get { threshold.withLock { $0 } }
        set { threshold.withLock { $0 = newValue } }
    }

    package static func debug(
        _ room: StaticString, _ message: String, _ facts: KeyValuePairs<String, String> = [:]
    ) {
        write(.debug, room, message, facts)
    }

    package static func info(
        _ room: StaticString, _ message: String, _ facts: KeyValuePairs<String, String> = [:]
    ) {
        write(.info, room, message, facts)
    }

    package static func warning(
        _ room: StaticString, _ message: String, _ facts: KeyValuePairs<String, String> = [:]
    ) {
        write(.warning, room, message, facts)
    }

    package static func error(
        _ room: StaticString, _ message: String, _ facts: KeyValuePairs<String, String> = [:]
    ) {
        write(.error, room, message, facts)
    }

    private static func write(
        _ level: Level, _ room: StaticString, _ message: String, _ facts: KeyValuePairs<String, String>
    ) {
        guard level >= self.level else { return }
        var line = "level=\(level.word) room=\(room) msg=\(quoted(message))"
        for (key, value) in facts { line += " \(key)=\(quoted(value))" }
        line += "\n"
        line.utf8.withContiguousStorageIfAvailable { _ = CLinux.write(2, $0.baseAddress, $0.count) }
    }

    /// The value in quotes, with quotes, backslashes and every control character escaped.
    package static func quoted(_ value: String) -> String {
        var text = "\""
        var length = 0
        for scalar in value.unicodeScalars {
            length += 1
            if length > valueLimit { text += "…"; break }
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            default:
                if TerminalText.isUnsafe(scalar) {
                    text += "\\u{\(String(scalar.value, radix: 16))}"
                } else {
                    text.unicodeScalars.append(scalar)
                }
            }
        }
        return text + "\""
    }
}

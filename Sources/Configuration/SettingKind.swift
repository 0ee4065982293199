internal import Platform
internal import TOMLText

/// How one kind of setting is read from TOML and written back, and what documentation calls it.
struct SettingKind<Value: Sendable>: Sendable {
    /// `duration`, `whole number from 1 to 65535`.
    var name: String
    /// The value, or what is wrong with it and what to write instead.
    var read: @Sendable (TOMLValue) throws(SettingRefusal) -> Value
    /// As it stands in a TOML file.
    var show: @Sendable (Value) -> String
}

/// Why a value is not taken; the place and the key are added by whoever knows them.
struct SettingRefusal: Error {
    var message: String
}

extension SettingKind where Value == String {
    static let text = SettingKind(
        name: "text", read: { value throws(SettingRefusal) in try Read.string(value, "a text in quotes") },
        show: TOMLWriting.quoted)

    /// An absolute path, `~/…`, or empty for the default.
    static let path = SettingKind(
        name: "path",
        read: { value throws(SettingRefusal) in
            let path = try Read.string(value, "a path in quotes")
            guard path.isEmpty || path.hasPrefix("/") || path.hasPrefix("~/") else {
                throw SettingRefusal(message: "\"\(path)\" is not absolute; start it with / or ~/")
            }
            return path
        }, show: TOMLWriting.quoted)

    /// An IPv4 or IPv6 address, or a name that the resolver knows.
    static let address = SettingKind(
        name: "address",
        read: { value throws(SettingRefusal) in
            let address = try Read.string(value, "an address such as \"127.0.0.1\"")
            let allowed = address.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."), UInt8(ascii: ":"),
                    UInt8(ascii: "-"),
                    UInt8(ascii: "%"):
                    true
                default: false
                }
            }
            guard !address.isEmpty, allowed else {
                throw SettingRefusal(
                    message:
                        "\"\(address)\" is not an address; write one such as \"127.0.0.1\", \"::1\" or \"0.0.0.0\""
                )
            }
            return address
        }, show: TOMLWriting.quoted)
}

extension SettingKind where Value == String {
    /// A station's id and an address with a password in it, which is never shown.
    static let push = SettingKind(
        name: "\"STATION http://user:password@host:8000/mount\"",
        read: { value throws(SettingRefusal) in
            let text = try Read.string(value, "a station's id, a blank and an address in quotes")
            let words = text.split(separator: " ")
            let isAddress = words.last.map { $0.hasPrefix("http://") || $0.hasPrefix("https://") } ?? false
            guard words.count == 2, isAddress else {
                throw SettingRefusal(
                    message:
                        "\"\(withoutPassword(text))\" is no push; write \"STATION http://source:PASSWORD@host:8000/mount\""
                )
            }
            return text
        }, show: { TOMLWriting.quoted(withoutPassword($0)) })

    /// What stands before the last `@` of an address is nobody's business.
    private static func withoutPassword(_ text: String) -> String {
        guard let at = text.lastIndex(of: "@"), let scheme = text.firstRange(of: "://"),
            scheme.upperBound <= at
        else { return text }
        return text[..<scheme.upperBound] + "***" + text[at...]
    }

    /// A mount's name, a station's id and a delay.
    static let delayedMount = SettingKind(
        name: "\"NAME STATION DELAY\"",
        read: { value throws(SettingRefusal) in
            let text = try Read.string(value, "a name, a station's id and a delay in quotes")
            guard DelayedMount(text) != nil else {
                throw SettingRefusal(
                    message: "\"\(text)\" is no delayed mount; write one such as \"jazz-evening jazz 5h\"")
            }
            return text
        }, show: TOMLWriting.quoted)
}

extension SettingKind where Value == Bool {
    static let truth = SettingKind(
        name: "true or false",
        read: { value throws(SettingRefusal) in
            guard let truth = value.boolean else { throw Read.wrong(value, "true or false") }
            return truth
        }, show: { $0 ? "true" : "false" })
}

extension SettingKind where Value == Int {
    static func whole(_ range: ClosedRange<Int>) -> SettingKind {
        let name = "whole number from \(range.lowerBound) to \(range.upperBound)"
        return SettingKind(
            name: name,
            read: { value throws(SettingRefusal) in
                guard let whole = value.integer else { throw Read.wrong(value, "a \(name)") }
                guard let number = Int(exactly: whole), range.contains(number) else {
                    throw SettingRefusal(message: "\(whole) is out of range; use a \(name)")
                }
                return number
            }, show: { "\($0)" })
    }

    /// Bytes, as `"512 KiB"` or a bare whole number.
    static func size(_ range: ClosedRange<Int>) -> SettingKind {
        let span = "from \(ByteCountText.text(range.lowerBound)) to \(ByteCountText.text(range.upperBound))"
        return SettingKind(
            name: "size \(span)",
            read: { value throws(SettingRefusal) in
                let bytes =
                    value.integer.flatMap { Int(exactly: $0) } ?? value.string.flatMap(ByteCountText.bytes)
                guard let bytes else { throw Read.wrong(value, "a size such as \"512 KiB\"") }
                guard range.contains(bytes) else {
                    throw SettingRefusal(
                        message: "\(ByteCountText.text(bytes)) is out of range; use a size \(span)")
                }
                return bytes
            }, show: { TOMLWriting.quoted(ByteCountText.text($0)) })
    }
}

extension SettingKind where Value == Duration {
    static func duration(_ range: ClosedRange<Duration>) -> SettingKind {
        let span = "from \(ShortDuration.text(range.lowerBound)) to \(ShortDuration.text(range.upperBound))"
        return SettingKind(
            name: "duration \(span)",
            read: { value throws(SettingRefusal) in
                let duration = value.string.flatMap(ShortDuration.duration)
                guard let duration else {
                    throw Read.wrong(value, "a duration such as \"30s\", \"15m\" or \"6h\"")
                }
                guard range.contains(duration) else {
                    throw SettingRefusal(
                        message: "\(ShortDuration.text(duration)) is out of range; use a duration \(span)")
                }
                return duration
            }, show: { TOMLWriting.quoted(ShortDuration.text($0)) })
    }
}

extension SettingKind where Value == [String] {
    static func list(of kind: SettingKind<String>) -> SettingKind {
        SettingKind(
            name: "list, each: \(kind.name)",
            read: { value throws(SettingRefusal) in
                guard let items = value.array else {
                    throw Read.wrong(value, "a list such as [\"…\", \"…\"]")
                }
                var texts: [String] = []
                for item in items { texts.append(try kind.read(item)) }
                return texts
            }, show: { "[" + $0.map(kind.show).joined(separator: ", ") + "]" })
    }
}

extension SettingKind where Value: RawRepresentable<String> & CaseIterable {
    static var choice: SettingKind {
        let words = Value.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        return SettingKind(
            name: "one of \(words)",
            read: { value throws(SettingRefusal) in
                guard let text = value.string, let choice = Value(rawValue: text) else {
                    throw SettingRefusal(message: "use one of \(words)")
                }
                return choice
            }, show: { TOMLWriting.quoted($0.rawValue) })
    }
}

private enum Read {
    static func string(_ value: TOMLValue, _ wanted: String) throws(SettingRefusal) -> String {
        guard let text = value.string else { throw wrong(value, wanted) }
        guard !text.unicodeScalars.contains(where: TerminalText.isUnsafe) else {
            throw SettingRefusal(message: "there is a control character in it")
        }
        return text
    }

    static func wrong(_ value: TOMLValue, _ wanted: String) -> SettingRefusal {
        SettingRefusal(message: "this is \(value.kind); write \(wanted)")
    }
}

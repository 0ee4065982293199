internal import Platform
internal import StreamFormats
internal import TOMLText

/// Why a value of a station is not taken; whoever knows the place and the key adds them.
struct FieldRefusal: Error {
    var reason: String
    /// The item of a list it is about, if one.
    var position: TOMLPosition?

    init(_ reason: String, at position: TOMLPosition? = nil) {
        self.reason = reason
        self.position = position
    }
}

/// Values of station fields, within limits: such files are passed around.
enum FieldText {
    private static let longestAddress = 2048
    private static let mostHeaders = 16
    /// Headers that are ours to set, or that would change what a request is.
    private static let reservedHeaders: Set<String> = [
        "connection", "content-length", "expect", "host", "icy-metadata", "keep-alive", "proxy-connection",
        "range",
        "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// One line of text without control characters.
    static func line(_ value: TOMLValue, longest: Int) throws(FieldRefusal) -> String {
        guard let text = value.string else {
            throw FieldRefusal("this is \(value.kind); write a text in quotes")
        }
        guard text.utf8.count <= longest else { throw FieldRefusal("it is longer than \(longest) bytes") }
        guard !text.unicodeScalars.contains(where: TerminalText.isUnsafe) else {
            throw FieldRefusal("there is a control character in it")
        }
        return text
    }

    /// An address is kept byte for byte; only what can be no address of a station is refused here. Who connects
    /// decides where it may lead.
    static func address(_ value: TOMLValue) throws(FieldRefusal) -> String {
        let text = try line(value, longest: longestAddress)
        guard isAddress(text) else {
            throw FieldRefusal(
                "\"\(text.prefix(80))\" is not an address; write http:// or https:// and a host, without blanks"
            )
        }
        return text
    }

    /// The same, or the mount of a source client: `source:/live.mp3`.
    static func streamAddress(_ value: TOMLValue) throws(FieldRefusal) -> String {
        guard let text = value.string, text.hasPrefix(Station.sourceScheme) else { return try address(value) }
        let mount = text.dropFirst(Station.sourceScheme.count)
        let segments = mount.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(segments.count), !segments.contains(""), text.utf8.count <= longestMount,
            mount.utf8.allSatisfy({
                $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
            })
        else {
            throw FieldRefusal("\"\(text.prefix(80))\" names no mount; write \(Station.sourceScheme)live.mp3")
        }
        return text
    }

    private static let longestMount = 200

    static func isAddress(_ text: String) -> Bool {
        let lower = text.prefix(8).lowercased()
        let rest =
            lower.hasPrefix("https://")
            ? text.dropFirst(8) : lower.hasPrefix("http://") ? text.dropFirst(7) : ""
        guard let first = rest.utf8.first, text.utf8.count <= longestAddress else { return false }
        let hasHost = first != UInt8(ascii: "/") && first != UInt8(ascii: "?") && first != UInt8(ascii: "#")
        return hasHost && !text.utf8.contains { $0 <= 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }
    }

    static func whole(_ value: TOMLValue, _ range: ClosedRange<Int>) throws(FieldRefusal) -> Int {
        guard let whole = value.integer, let number = Int(exactly: whole), range.contains(number) else {
            throw FieldRefusal("write a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    static func list<Item>(
        _ value: TOMLValue, most: Int, _ read: (TOMLValue) throws(FieldRefusal) -> Item
    ) throws(FieldRefusal) -> [Item] {
        guard let values = value.array else {
            throw FieldRefusal("this is \(value.kind); write a list: [\"…\"]")
        }
        guard values.count <= most else {
            throw FieldRefusal("the list has \(values.count) items; at most \(most)")
        }
        var items: [Item] = []
        for item in values {
            do throws(FieldRefusal) {
                items.append(try read(item))
            } catch {
                throw FieldRefusal(error.reason, at: error.position ?? item.position)
            }
        }
        return items
    }

    static func headers(_ value: TOMLValue) throws(FieldRefusal) -> [Station.Header] {
        guard let entries = value.entries else {
            throw FieldRefusal("this is \(value.kind); write a table: { Referer = \"…\" }")
        }
        guard entries.count <= mostHeaders else {
            throw FieldRefusal("there are more than \(mostHeaders) headers")
        }
        var headers: [Station.Header] = []
        for entry in entries {
            guard isToken(entry.key), !reservedHeaders.contains(entry.key.lowercased()) else {
                throw FieldRefusal("the header \"\(entry.key)\" cannot be set here", at: entry.position)
            }
            headers.append(Station.Header(name: entry.key, value: try line(entry.value, longest: 2048)))
        }
        return headers
    }

    /// RFC 9110, section 5.6.2.
    private static func isToken(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 64
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    static func table(_ headers: [Station.Header]) -> TOMLValue.Content? {
        guard !headers.isEmpty else { return nil }
        let place = TOMLPosition(line: 1, column: 1)
        return .table(headers.map { TOMLEntry($0.name, at: place, TOMLValue(.string($0.value), at: place)) })
    }
}

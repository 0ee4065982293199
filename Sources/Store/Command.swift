internal import Platform

/// One statement and its values, so that it can wait, also in a file.
package struct Command: Sendable, Hashable {
    package var sql: String
    package var values: [SQLValue]

    package init(_ sql: String, _ values: [SQLValue] = []) {
        self.sql = sql
        self.values = values
    }
}

/// Groups of commands as bytes: a sign, a length, a checksum, then the texts and values. A record that was cut off, by a
/// full disk or a crash, is passed over: those behind it are found by their sign.
struct CommandCoding {
    /// Bytes of one group; what is longer is not one of ours.
    private static let longest = 64 << 20
    /// What every record begins with.
    private static let sign = Array("\u{1}record\u{2}".utf8)
    /// Commands of one group, and values of one command.
    private static let most: UInt64 = 1000

    /// - Returns: nil where it is longer than a group may be.
    static func bytes(_ group: [Command]) -> [UInt8]? {
        var body: [UInt8] = []
        put(UInt64(group.count), &body)
        for command in group {
            put(Array(command.sql.utf8), &body)
            put(UInt64(command.values.count), &body)
            for value in command.values { put(value, &body) }
        }
        guard body.count <= longest else { return nil }
        var record = sign
        put(UInt64(body.count), &record)
        // It tells a whole record from a torn one.
        put(FNV1a.of(body[...]), &record)
        return record + body
    }

    private static func put(_ value: SQLValue, _ body: inout [UInt8]) {
        switch value {
        case .null: body.append(0)
        case .int(let whole): body.append(1); put(UInt64(bitPattern: whole), &body)
        case .real(let number): body.append(2); put(number.bitPattern, &body)
        case .text(let text): body.append(3); put(Array(text.utf8), &body)
        case .blob(let bytes): body.append(4); put(bytes, &body)
        }
    }

    private static func put(_ bytes: [UInt8], _ body: inout [UInt8]) {
        put(UInt64(bytes.count), &body)
        body += bytes
    }

    private static func put(_ number: UInt64, _ body: inout [UInt8]) {
        for shift in stride(from: 0, to: 64, by: 8) {
            body.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
        }
    }

    /// The whole groups of a file, and how many stretches of it are none.
    static func groups(_ bytes: [UInt8]) -> (whole: [[Command]], torn: Int) {
        var reader = Reader(bytes: bytes[...])
        var groups: [[Command]] = []
        var torn = 0
        while !reader.bytes.isEmpty {
            if let group = record(&reader) {
                groups.append(group)
            } else {
                torn += 1
                reader.bytes = nextRecord(in: reader.bytes.dropFirst())
            }
        }
        return (groups, torn)
    }

    /// The group at the front; nil, and the reader where it was, where there is no whole one.
    private static func record(_ reader: inout Reader) -> [Command]? {
        var ahead = reader
        guard ahead.take(sign.count)?.elementsEqual(sign) == true, let length = ahead.number(),
            length <= UInt64(longest), let sum = ahead.number(), let body = ahead.take(Int(length)),
            FNV1a.of(body) == sum, let group = group(body)
        else { return nil }
        reader = ahead
        return group
    }

    private static func nextRecord(in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = bytes
        while let place = rest.firstIndex(of: sign[0]) {
            rest = rest[place...]
            if rest.starts(with: sign) { return rest }
            rest = rest.dropFirst()
        }
        return []
    }

    private static func group(_ body: ArraySlice<UInt8>) -> [Command]? {
        var reader = Reader(bytes: body)
        guard let count = reader.number(), count <= most else { return nil }
        var group: [Command] = []
        for _ in 0..<count {
            guard let command = reader.command() else { return nil }
            group.append(command)
        }
        return group
    }

    private struct Reader {
        var bytes: ArraySlice<UInt8>

        mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard count >= 0, count <= bytes.count else { return nil }
            defer { bytes = bytes.dropFirst(count) }
            return bytes.prefix(count)
        }

        mutating func number() -> UInt64? {
            take(8)?.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }

        mutating func block() -> ArraySlice<UInt8>? {
            guard let count = number(), count <= UInt64(longest) else { return nil }
            return take(Int(count))
        }

        mutating func command() -> Command? {
            guard let sql = block(), let count = number(), count <= most else { return nil }
            var command = Command(String(decoding: sql, as: UTF8.self))
            for _ in 0..<count {
                guard let value = value() else { return nil }
                command.values.append(value)
            }
            return command
        }

        mutating func value() -> SQLValue? {
            switch take(1)?.first {
            case 0: .null
            case 1: number().map { .int(Int64(bitPattern: $0)) }
            case 2: number().map { .real(Double(bitPattern: $0)) }
            case 3: block().map { .text(String(decoding: $0, as: UTF8.self)) }
            case 4: block().map { .blob(Array($0)) }
            default: nil
            }
        }
    }
}

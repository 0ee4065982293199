/// A compiled file of the time zone database: TZif, version 2 and later (RFC 9636).
enum ZoneFile {
    /// Longest file read; the largest of the database has 4 KiB.
    static let limit = 256 << 10

    /// Nil for bytes that are no such file.
    static func zone(_ name: String, _ bytes: [UInt8]) -> Zone? {
        var reader = Reader(bytes: bytes)
        // The first block has times of 32 bits, for readers of old; the second says the same and more.
        guard let old = reader.head(), old.version >= UInt8(ascii: "2"), reader.skip(old.length(ofTime: 4)),
            let head = reader.head()
        else { return nil }
        return reader.zone(name, head)
    }

    private struct Head {
        var version: UInt8
        var utcMarks: Int
        var standardMarks: Int
        var leaps: Int
        var changes: Int
        var types: Int
        var letters: Int

        func length(ofTime size: Int) -> Int {
            changes * (size + 1) + types * 6 + letters + leaps * (size + 4) + standardMarks + utcMarks
        }
    }

    private struct Reader {
        let bytes: [UInt8]
        var place = 0

        mutating func skip(_ count: Int) -> Bool {
            guard count <= bytes.count - place else { return false }
            place += count
            return true
        }

        mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
            let start = place
            return skip(count) ? bytes[start..<place] : nil
        }

        /// Big-endian, signed, of 4 or 8 bytes.
        mutating func number(_ size: Int) -> Int64? {
            guard let digits = take(size) else { return nil }
            let value = digits.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return size == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
        }

        mutating func head() -> Head? {
            guard take(4).map(Array.init) == Array("TZif".utf8), let version = take(1)?.first, skip(15) else {
                return nil
            }
            let counts = (0..<6).compactMap { _ in number(4) }.map(Int.init)
            guard counts.count == 6, counts.allSatisfy({ (0...ZoneFile.limit).contains($0) }) else {
                return nil
            }
            return Head(
                version: version, utcMarks: counts[0], standardMarks: counts[1], leaps: counts[2],
                changes: counts[3], types: counts[4], letters: counts[5])
        }

        mutating func zone(_ name: String, _ head: Head) -> Zone? {
            guard head.length(ofTime: 8) <= bytes.count - place, head.types > 0 else { return nil }
            let times = (0..<head.changes).compactMap { _ in number(8) }
            guard let kinds = take(head.changes) else { return nil }
            var offsets: [Int64] = []
            for _ in 0..<head.types {
                guard let offset = number(4), abs(offset) < 26 * 3600, skip(2) else { return nil }
                offsets.append(offset)
            }
            guard kinds.allSatisfy({ Int($0) < offsets.count }), times == times.sorted(),
                skip(head.letters + head.leaps * 12 + head.standardMarks + head.utcMarks)
            else { return nil }
            return Zone(
                name: name, before: offsets[0],
                changes: zip(times, kinds).map { Zone.Change(at: $0, offset: offsets[Int($1)]) },
                rule: footer())
        }

        /// The line at the end.
        private mutating func footer() -> ZoneRule? {
            guard take(1)?.first == UInt8(ascii: "\n") else { return nil }
            return ZoneRule(Array(bytes[place...].prefix { $0 != UInt8(ascii: "\n") }))
        }
    }
}

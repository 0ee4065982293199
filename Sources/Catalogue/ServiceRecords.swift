/// Reads the answer of a name server to a question for SRV records (RFC 1035 §4, RFC 2782). Pure: the bytes are a
/// stranger's.
package enum ServiceRecords {
    private static let headBytes = 12
    private static let srv = 33
    /// Records that are looked at, and pointers that are followed in one name.
    private static let mostRecords = 64
    private static let mostJumps = 16

    /// The hosts that the records name, best priority first; empty where the answer is none or holds none.
    package static func hosts(in answer: [UInt8]) -> [String] {
        guard answer.count > headBytes, let questions = word(answer, 4), let records = word(answer, 6) else {
            return []
        }
        var place = headBytes
        for _ in 0..<min(questions, mostRecords) {
            guard let end = name(answer, at: place)?.end else { return [] }
            place = end + 4
        }
        var found: [(priority: Int, host: String)] = []
        for _ in 0..<min(records, mostRecords) {
            guard let start = name(answer, at: place)?.end, let kind = word(answer, start),
                let length = word(answer, start + 8)
            else { break }
            let data = start + 10
            if kind == srv, let priority = word(answer, data), let host = name(answer, at: data + 6)?.text,
                !host.isEmpty
            {
                found.append((priority, host))
            }
            place = data + length
        }
        return found.sorted { ($0.priority, $0.host) < ($1.priority, $1.host) }.map(\.host)
    }

    private static func word(_ bytes: [UInt8], _ place: Int) -> Int? {
        guard place >= 0, place + 1 < bytes.count else { return nil }
        return Int(bytes[place]) << 8 | Int(bytes[place + 1])
    }

    /// A name, and where what follows it begins.
    private static func name(_ bytes: [UInt8], at start: Int) -> (text: String, end: Int)? {
        var labels: [String] = []
        var (place, end, jumps) = (start, nil as Int?, 0)
        while place >= 0, place < bytes.count {
            let length = Int(bytes[place])
            if length & 0xC0 == 0xC0 {
                guard let target = word(bytes, place), jumps < mostJumps else { return nil }
                end = end ?? place + 2
                (place, jumps) = (target & 0x3FFF, jumps + 1)
            } else if length == 0 {
                return (labels.joined(separator: "."), end ?? place + 1)
            } else {
                guard length < 64, place + length < bytes.count, labels.count < 128 else { return nil }
                labels.append(String(decoding: bytes[place + 1...place + length], as: UTF8.self).lowercased())
                place += length + 1
            }
        }
        return nil
    }
}

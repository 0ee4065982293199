import Foundation
import Recording

/// What is missing at both ends of a row of tracks: the bytes of the first and the last are looked for in what was sent.
struct SplitEnds {
    private static let bytesPerSecond = 16_000.0
    /// Bytes that are looked for: several frames, and nowhere else in a programme.
    private static let probe = 2000
    /// A row whose ends are nowhere in what was sent.
    private static let lost = 99.0

    /// Seconds.
    var head: Double
    var tail: Double

    init(head: Double, tail: Double) { (self.head, self.tail) = (head, tail) }

    init(of facts: RecordingFacts, in folder: URL, sent: Data) throws {
        let names = facts.tracks.compactMap(\.name)
        guard let first = names.first, let last = names.last else {
            self.init(head: Self.lost, tail: Self.lost)
            return
        }
        let begin = try Data(contentsOf: folder.appendingPathComponent(first))
        let end = try Data(contentsOf: folder.appendingPathComponent(last))
        // In front of the frames stands a tag: the first frame that was sent must follow it.
        let missing = stride(from: 0, to: 40, by: 1).first { frame in
            let place = Self.frames(sent, frame)
            return begin.range(of: sent.dropFirst(place).prefix(Self.probe)) != nil
        }
        let found = sent.range(of: end.suffix(Self.probe))
        self.init(
            head: missing.map { Double(Self.frames(sent, $0)) / Self.bytesPerSecond } ?? Self.lost,
            tail: found.map { Double(sent.count - $0.upperBound) / Self.bytesPerSecond } ?? Self.lost)
    }

    /// The place of a frame: 417 bytes and one of padding now and then; the next sync word is it.
    private static func frames(_ sent: Data, _ number: Int) -> Int {
        var place = sent.startIndex
        for _ in 0..<number {
            guard let next = sent[(place + 400)...].firstIndex(of: 0xFF) else { return 0 }
            place = next
        }
        return place - sent.startIndex
    }

    mutating func add(_ other: SplitEnds) {
        head = max(head, other.head)
        tail = max(tail, other.tail)
    }
}

/// The last titles of a station that are neither ASCII nor UTF-8: what a guess of its charset is made from.
package struct CharsetHistory: Sendable {
    /// So many different titles are kept.
    package static let longest = 20

    /// Oldest first; no two alike.
    package private(set) var samples: [[UInt8]]

    /// - Parameter samples: what an earlier run kept.
    package init(samples: [[UInt8]] = []) { self.samples = Array(samples.suffix(Self.longest)) }

    /// Adds a title as it came.
    /// - Returns: true when it is worth guessing anew.
    package mutating func add(_ raw: RawTitle) -> Bool {
        guard raw.encoding == .unknown, UTF8Text.strict(raw.text) == nil, !samples.contains(raw.text) else {
            return false
        }
        samples.append(raw.text)
        if samples.count > Self.longest { samples.removeFirst() }
        return true
    }
}

/// The last titles of a station that are neither ASCII nor UTF-8: what a guess of its charset is made from.
package struct CharsetHistory: Sendable, Hashable {
    /// So many different titles are kept.
    package static let longest = 20
    /// Bytes of one title that are kept; more tells no more.
    private static let longestSample = 512

    /// Oldest first; no two alike.
    package private(set) var samples: [[UInt8]]

    /// - Parameter samples: what an earlier run kept.
    package init(samples: [[UInt8]] = []) { self.samples = Array(samples.suffix(Self.longest)) }

    /// Adds a title as it came.
    /// - Returns: true when there is something new to guess from.
    package mutating func add(_ raw: RawTitle) -> Bool {
        guard raw.encoding == .unknown || raw.encoding == .latin1 else { return false }
        let title = (raw.artist.map { $0 + Array(" - ".utf8) } ?? []) + raw.text
        guard let sample = Self.sample(Array(title.prefix(Self.longestSample))), !samples.contains(sample)
        else {
            return false
        }
        samples.append(sample)
        if samples.count > Self.longest { samples.removeFirst() }
        return true
    }

    /// The bytes in the station's own charset; nil when a title has none. Where a server took them for Latin-1 and made
    /// UTF-8 of them (`Àðòèñò`), that is taken back.
    private static func sample(_ title: [UInt8]) -> [UInt8]? {
        guard title.contains(where: { $0 >= 0x80 }) else { return nil }
        guard let text = UTF8Text.strict(title) else {
            return UTF8Text.cut(title, isFull: false) == nil ? title : nil
        }
        let longest = text.unicodeScalars.split { !(0xC0...0xFF).contains($0.value) }.map(\.count).max() ?? 0
        return longest >= 3 ? Mojibake.windows1252Bytes(text) : nil
    }
}

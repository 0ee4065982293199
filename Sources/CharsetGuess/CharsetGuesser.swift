import StreamFormats

/// Says which charset a station writes its titles in, from several of them together. One title is too short to tell.
package enum CharsetGuesser {
    /// - Parameter samples: raw titles that are neither ASCII nor UTF-8 (`CharsetHistory.samples`).
    /// - Returns: a name for `CharsetDecision`; nil when there is not enough to go by.
    package static func guess(_ samples: [[UInt8]]) -> String? {
        guard !samples.isEmpty else { return nil }
        return Detector.name(of: Array(samples.joined(separator: [0x0A])))
    }
}

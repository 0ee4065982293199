internal import Platform

/// One entry of `relay.delayed`: a name under which a station is heard some time late.
package struct DelayedMount: Sendable, Hashable {
    /// The path without the slash.
    package let name: String
    package let station: String
    /// Seconds, 1 s to 8 days.
    package let delay: Double

    private static let delays = 1.0...(8 * 86_400.0)

    /// `jazz-evening jazz 5h`; nil for anything else.
    package init?(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        guard words.count == 3, let delay = DurationText.seconds(words[2]), Self.delays.contains(delay),
            !words[0].contains(where: { "/?#.".contains($0) })
        else { return nil }
        (name, station) = (words[0], words[1])
        self.delay = delay
    }
}

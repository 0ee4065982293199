internal import Feed
internal import StreamFormats

/// What one feed tells, said again by another.
extension Feed {
    func publish(copyOf mark: TitleMark) { publish(title: mark.raw, reading: mark.text) }

    func publish(copyOf gap: Gap) {
        publish(gap: gap.cause, from: gap.from, to: gap.to, lostSeconds: gap.lostSeconds)
    }

    /// Titles that were said here read differently there by now.
    func reread(_ changed: [TitleMark]) {
        var known: [RawTitle: TitleText] = [:]
        for title in titles + changed { known[title.raw] = title.text }
        redecodeTitles { raw in known[raw] ?? .none }
    }
}

/// Decides which titles are news: the same title again is none, those that come too fast are one, and an advert of known
/// length ends by itself.
///
/// Times are audio time, so that a burst counts as what it is.
package struct TitleDebouncer: Sendable {
    package struct Settings: Sendable, Hashable {
        /// An advert of known length ends by itself so long after its time has run out.
        package var advertGrace: Duration = .seconds(5)
        /// No two changes within this; the last one wins, and keeps its own time.
        package var quietest: Duration = .seconds(1)
        /// Nor more than so many in a minute.
        package var mostPerMinute = 60

        package init() {}
    }

    /// A title that is to be read now; it is valid from this audio time on.
    package struct Arrival: Sendable, Hashable {
        package var raw: RawTitle
        package var time: Duration
    }

    /// Something else is on from this time.
    package struct Change: Sendable, Hashable {
        /// As it came; an empty one of the same source where an advert has ended by itself.
        package var raw: RawTitle
        /// `TitleText.none` says that nothing is announced any more.
        package var title: TitleText
        package var time: Duration
    }

    package let settings: Settings
    /// What is on now; nil before the first title.
    package private(set) var current: TitleText?
    /// Titles that came too fast to be read.
    package private(set) var coalesced = 0

    private var last: RawTitle?
    private var waiting: Arrival?
    /// What is to be told when an advert's time has run out.
    private var afterAdvert: Change?
    /// An advert whose time has run out, and that the server may go on to announce.
    private var over: TitleText?
    private var changes: [Duration] = []

    package init(settings: Settings = Settings()) { self.settings = settings }

    /// A title has come. Reading costs more than this, so what is the same again or comes too fast is not given out.
    /// - Returns: what is to be read and handed to `read` now.
    package mutating func arrived(_ raw: RawTitle, at time: Duration) -> Arrival? {
        guard raw != last else { return nil }
        last = raw
        if waiting != nil { coalesced += 1 }
        waiting = Arrival(raw: raw, time: time)
        return due(at: time)
    }

    /// Audio time has come so far: what has been waiting and is to be read now. To be asked about once a second.
    package mutating func due(at time: Duration) -> Arrival? {
        guard isQuiet(at: time) else { return nil }
        defer { waiting = nil }
        return waiting
    }

    /// The title has been read: is it news?
    package mutating func read(_ arrival: Arrival, as title: TitleText, now: Duration) -> Change? {
        if let current, Self.isSame(title, current) {
            self.current = title
            return nil
        }
        if title == over { return nil }
        return tell(Change(raw: arrival.raw, title: title, time: arrival.time), now: now)
    }

    /// Audio time has come so far: an advert may be over. To be asked about once a second.
    package mutating func advertEnded(at time: Duration) -> Change? {
        guard let end = afterAdvert, time >= end.time else { return nil }
        let advert = current
        defer { over = advert }
        return tell(end, now: time)
    }

    /// The current title has been read anew, in a charset that was learned meanwhile.
    package mutating func reread(_ title: TitleText) { current = title }

    /// The words decide; a new link or picture makes no new track.
    private static func isSame(_ one: TitleText, _ other: TitleText) -> Bool {
        one.text == other.text && one.kind == other.kind
    }

    private func isQuiet(at time: Duration) -> Bool {
        if let last = changes.last, time - last < settings.quietest { return false }
        return changes.count { time - $0 < .seconds(60) } < settings.mostPerMinute
    }

    private mutating func tell(_ change: Change, now: Duration) -> Change {
        changes.append(now)
        changes.removeAll { now - $0 >= .seconds(60) }
        over = nil
        current = change.title
        afterAdvert = end(of: change)
        return change
    }

    private func end(of change: Change) -> Change? {
        guard change.title.kind == .advert, let length = change.title.details.duration else { return nil }
        return Change(
            raw: RawTitle(source: change.raw.source, text: []), title: .none,
            time: change.time + length + settings.advertGrace)
    }
}

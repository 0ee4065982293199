/// Decides which titles are news: the same title again is none, and one that comes back after a short interruption goes
/// on rather than starts.
///
/// Times are audio time, so that a burst counts as what it is. Nothing is held back but what comes too fast.
package struct TitleDebouncer: Sendable {
    package struct Settings: Sendable, Hashable {
        /// A track that comes back after at most so long goes on: an ident in the middle, a title that flaps.
        package var interruption: Duration = .seconds(20)
        /// An advert of known length ends by itself so long after its time has run out.
        package var advertGrace: Duration = .seconds(5)
        /// No two changes within this; the last one wins, and keeps its own time.
        package var quietest: Duration = .seconds(1)
        /// Nor more than so many in a minute.
        package var mostPerMinute = 60

        package init() {}
    }

    package enum Change: Sendable, Hashable {
        /// Something else is on from this time. `TitleText.none` says that nothing is announced any more.
        case began(TitleText, at: Duration)
        /// The track from before the interruption is on again; it goes on, and what lay between was an insert. Whoever
        /// cut at its end may take the cut back.
        case resumed(TitleText, at: Duration)
    }

    private struct Moment: Sendable {
        var title: TitleText
        var time: Duration
    }

    package let settings: Settings
    /// What is on now.
    package private(set) var current: TitleText = .none
    /// Titles that came too fast to be told.
    package private(set) var coalesced = 0

    /// The track that was on before, and when it went.
    private var interrupted: Moment?
    private var waiting: Moment?
    private var advertEnd: Duration?
    /// An advert whose time has run out, and that the server may go on to announce.
    private var over: TitleText?
    private var changes: [Duration] = []

    package init(settings: Settings = Settings()) { self.settings = settings }

    /// A title was read that is valid from this audio time on.
    package mutating func heard(_ title: TitleText, at time: Duration) -> Change? {
        if Self.isSame(title, current) {
            if waiting != nil { coalesced += 1 }
            waiting = nil
            return nil
        }
        if title == over { return nil }
        guard isQuiet(at: time) else {
            if waiting != nil { coalesced += 1 }
            waiting = Moment(title: title, time: time)
            return nil
        }
        waiting = nil
        return change(to: title, at: time)
    }

    /// Audio time has come so far. To be called about once a second, so that what waits is told and adverts end.
    package mutating func advance(to time: Duration) -> Change? {
        if let waiting, isQuiet(at: time) {
            self.waiting = nil
            return change(to: waiting.title, at: waiting.time)
        }
        guard let end = advertEnd, time >= end else { return nil }
        let advert = current
        defer { over = advert }
        return change(to: .none, at: end)
    }

    /// The words decide; a new link or picture makes no new track.
    private static func isSame(_ one: TitleText, _ other: TitleText) -> Bool {
        one.text == other.text && one.kind == other.kind
    }

    private func isQuiet(at time: Duration) -> Bool {
        if let last = changes.last, time - last < settings.quietest { return false }
        return changes.count { time - $0 < .seconds(60) } < settings.mostPerMinute
    }

    private mutating func change(to title: TitleText, at time: Duration) -> Change {
        changes.append(time)
        changes.removeAll { time - $0 >= .seconds(60) }
        over = nil
        advertEnd =
            title.kind == .advert ? title.details.duration.map { time + $0 + settings.advertGrace } : nil
        defer { current = title }
        if let before = interrupted, Self.isSame(before.title, title),
            time - before.time <= settings.interruption
        {
            interrupted = nil
            return .resumed(title, at: time)
        }
        if current.kind == .track {
            interrupted = Moment(title: current, time: time)
        } else if title.kind == .track {
            interrupted = nil
        }
        return .began(title, at: time)
    }
}

/// Decides which titles are news: the same title again is none, and one that comes back after a short interruption goes
/// on rather than starts.
///
/// Times are audio time, so that a burst counts as what it is.
package struct TitleDebouncer: Sendable {
    package struct Settings: Sendable, Hashable {
        /// A track that comes back after at most so long goes on: an ident in the middle, a title that flaps.
        package var interruption: Duration = .seconds(20)
        /// An advert of known length ends by itself so long after its time has run out.
        package var advertGrace: Duration = .seconds(5)
        /// No two changes within this; the last one wins.
        package var quietest: Duration = .seconds(1)

        package init() {}
    }

    package enum Change: Sendable, Hashable {
        /// Something else is on from this time.
        case began(TitleText, at: Duration)
        /// What was on before the interruption is on again, and was all along since it began.
        case resumed(TitleText, at: Duration)
    }

    package let settings: Settings
    /// What is on now.
    package private(set) var current: TitleText = .none

    package init(settings: Settings = Settings()) { self.settings = settings }

    /// A title was read that is valid from this audio time on.
    package mutating func heard(_ title: TitleText, at time: Duration) -> Change? {
        guard title.text != current.text || title.kind != current.kind else { return nil }
        current = title
        return .began(title, at: time)
    }

    /// Audio time has come so far; call it about once a second.
    package mutating func advance(to time: Duration) -> Change? { nil }
}

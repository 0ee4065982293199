/// Where one listener stands between two metadata blocks: all that titles cost it.
package struct IcyCursor: Sendable, Hashable {
    /// Audio bytes between two blocks unless set otherwise: Icecast's number, which some receivers have built in.
    package static let usualInterval: Int32 = 16_000

    /// Audio bytes until the next block; negative for a listener that did not ask for titles.
    package var untilBlock: Int32
    /// The number of the title it was last told.
    package var told: Int32 = TitleTimeline.none

    /// - Parameter interval: audio bytes between two blocks; nil for a listener that did not send `Icy-MetaData: 1`, or
    ///   whose mount's format has no such titles.
    package init(interval: Int32?) { untilBlock = interval ?? -1 }

    package var wantsTitles: Bool { untilBlock >= 0 }

    /// The next piece of this listener's stream.
    package enum Piece: Hashable {
        /// So many bytes of the ring.
        case audio(Int)
        /// The block of the title with this number is due, in full where it is new to the listener.
        case block
    }

    /// What comes next when `available` bytes of audio are there; nil when nothing is.
    package func next(available: Int) -> Piece? {
        guard available > 0 else { return nil }
        guard wantsTitles else { return .audio(available) }
        return untilBlock == 0 ? .block : .audio(min(available, Int(untilBlock)))
    }

    /// So many bytes of audio went out.
    package mutating func sent(audio count: Int) {
        guard wantsTitles else { return }
        untilBlock -= Int32(count)
    }

    /// The block went out, or its rest is on the way; the listener knows title `number` now.
    package mutating func sentBlock(telling number: Int32, next interval: Int32) {
        untilBlock = interval
        told = number
    }
}

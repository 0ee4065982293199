/// How soon what has come is read. A read costs about the same however much it brings, so hundreds of streams are cheap
/// when they are read seldom and one right after the other.
package enum ReadingPace: Sendable, Hashable {
    /// As it comes.
    case atOnce
    /// Four times a second: what came sooner would wait for the next round of the listeners.
    case forListeners
    /// For files alone. With what passes until it is written it stays below the half second that a killed program may lose.
    case forFiles

    /// Seconds between two rounds; nil where there are none.
    var seconds: Double? {
        switch self {
        case .atOnce: nil
        case .forListeners: 0.25
        case .forFiles: 0.3
        }
    }
}

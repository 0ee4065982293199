internal import Household
internal import JSONText
internal import Platform

/// Whether those who reach the mounts may listen without a token: `server.listen_open`, unless somebody decided otherwise
/// on the page. Holds at once, and after a restart. Any thread.
final class GuestListening: Sendable {
    private static let key = "guests"

    private let shelf: Shelf
    /// What the settings say.
    let standard: Bool
    private let decided: Lock<Bool?>

    init(shelf: Shelf, standard: Bool) {
        self.shelf = shelf
        self.standard = standard
        decided = Lock(shelf[.setting, Self.key]?.bool)
    }

    /// Asked for every request: looks at memory only.
    var isOpen: Bool { decided.withLock { $0 } ?? standard }

    /// What was decided on the page; nil where the settings hold.
    var decision: Bool? { decided.withLock { $0 } }

    /// Decides otherwise than the settings; nil goes back to them.
    func decide(_ isOpen: Bool?) {
        decided.withLock { $0 = isOpen }
        if let isOpen {
            shelf.put(.setting, Self.key, .bool(isOpen))
        } else {
            _ = shelf.remove(.setting, Self.key)
        }
    }
}

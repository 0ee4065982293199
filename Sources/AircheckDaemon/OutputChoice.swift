internal import Household
internal import JSONText
internal import Platform

/// The sink that the service's own player sounds on: `player.device`, unless somebody chose another one. Outlives a
/// restart. Any thread.
final class OutputChoice: Sendable {
    private static let key = "output"

    private let shelf: Shelf
    private let standard: String
    private let chosen: Lock<String?>

    init(shelf: Shelf, standard: String) {
        self.shelf = shelf
        self.standard = standard
        chosen = Lock(shelf[.setting, Self.key]?.string)
    }

    /// The sink's name; nil for the sound server's default one.
    var device: String? {
        let name = chosen.withLock { $0 } ?? standard
        return name.isEmpty ? nil : name
    }

    /// Another sink, empty for the default one; nil goes back to the settings.
    func decide(_ name: String?) {
        chosen.withLock { $0 = name }
        if let name {
            shelf.put(.setting, Self.key, .string(name))
        } else {
            _ = shelf.remove(.setting, Self.key)
        }
    }
}

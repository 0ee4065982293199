internal import Household
internal import JSONText
internal import Platform

/// One thing that the settings say, unless somebody decided otherwise on the page. Holds at once, and after a restart. Any
/// thread.
final class Decision<Value: Sendable>: Sendable {
    private let shelf: Shelf
    private let key: String
    private let write: @Sendable (Value) -> JSONValue
    private let decided: Lock<Value?>
    /// What the settings say.
    let standard: Value

    /// - Parameter key: of the document on the shelf.
    init(
        _ key: String, on shelf: Shelf, standard: Value, read: (JSONValue) -> Value?,
        write: @escaping @Sendable (Value) -> JSONValue
    ) {
        (self.key, self.shelf, self.standard, self.write) = (key, shelf, standard, write)
        decided = Lock(shelf[.setting, key].flatMap(read))
    }

    /// What holds: looks at memory only.
    var value: Value { decision ?? standard }

    /// What was decided on the page; nil where the settings hold.
    var decision: Value? { decided.withLock { $0 } }

    /// Decides otherwise than the settings; nil goes back to them.
    func decide(_ value: Value?) {
        decided.withLock { $0 = value }
        if let value {
            shelf.put(.setting, key, write(value))
        } else {
            _ = shelf.remove(.setting, key)
        }
    }
}

extension Decision<String> {
    /// The name of a sink; nil for the sound server's default one, which has none.
    var device: String? { value.isEmpty ? nil : value }
}

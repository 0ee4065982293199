internal import Household

/// What somebody of the house wrote about a recording (by its id) or a show (by its key, as in its feed). Any thread.
struct Descriptions: Sendable {
    /// Longest text, in characters.
    static let limit = 4000

    let shelf: Shelf

    /// Nil where nobody wrote anything.
    subscript(key: String) -> String? { shelf[.about, key]?.string }

    /// An empty text takes away what was there.
    func put(_ text: String, about key: String) {
        if text.isEmpty { _ = shelf.remove(.about, key) } else { shelf.put(.about, key, .string(text)) }
    }
}

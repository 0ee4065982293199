/// Why the catalogue did not do what it was asked.
package enum CatalogueError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Nothing is called that; the nearest names, best first.
    case unknown(String, near: [String])
    /// Several stations fit; their ids and names, best first.
    case ambiguous(String, candidates: [Candidate])
    /// The id is in use.
    case taken(String)
    /// A value of the station is not allowed: the field and why.
    case refused(field: String, reason: String)
    /// The catalogue was opened from files alone and cannot keep changes.
    case readOnly
    /// What could not be imported or exported, and why.
    case format(String)

    package struct Candidate: Sendable, Hashable {
        package var id: String
        package var name: String
    }

    /// Candidates that a message names.
    private static let shown = 8

    package var description: String {
        switch self {
        case .unknown(let text, let near):
            "there is no station \"\(text)\""
                + (near.isEmpty
                    ? "; see: aircheck stations search" : "; did you mean \(near.joined(separator: ", "))?")
        case .ambiguous(let text, let candidates):
            "\"\(text)\" fits \(candidates.count) stations: "
                + candidates.prefix(Self.shown).map { "\($0.id) (\($0.name))" }.joined(separator: ", ")
                + (candidates.count > Self.shown ? ", …" : "") + "; say which by its id"
        case .taken(let id):
            "there is already a station with the id \"\(id)\"; choose another id, or edit that one"
        case .refused(let field, let reason): "\(field): \(reason)"
        case .readOnly:
            "this catalogue was read from files alone and keeps no changes; start the service for that"
        case .format(let reason): reason
        }
    }
}

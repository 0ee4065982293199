package import HTTPServer

extension AccessRole {
    /// Roles that a token can have.
    package static let ofTokens: [AccessRole] = [.listener, .viewer, .operator, .admin]

    /// As it is written in the API, in the database and on the command line.
    package var name: String {
        switch self {
        case .anyone: "anyone"
        case .listener: "listener"
        case .viewer: "viewer"
        case .operator: "operator"
        case .admin: "admin"
        }
    }

    /// The role of a token by its name; nil for any other word.
    package init?(name: String) {
        guard let role = Self.ofTokens.first(where: { $0.name == name }) else { return nil }
        self = role
    }
}

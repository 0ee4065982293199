internal import AircheckDaemon
internal import ControlAPI
internal import HTTPServer
internal import JSONText
internal import Store

/// Tokens without a service: in its database, which is ours alone while it does not run.
enum OfflineTokens {
    static func create(_ invocation: Invocation, name: String, role: String) throws -> JSONValue {
        try withBook(invocation) { book in
            TokenJSON.made(try book.create(name: name, role: AccessRole(name: role) ?? .viewer))
        }
    }

    static func list(_ invocation: Invocation) throws -> JSONValue {
        try withBook(invocation) { TokenJSON.list($0.entries) }
    }

    static func revoke(_ invocation: Invocation, id: String) throws {
        let isRevoked = try withBook(invocation) { try $0.revoke(id: id) }
        guard isRevoked else {
            throw CommandFailure(
                .noInput, "there is no token \(id)", remedy: "`aircheck token list` shows them.")
        }
    }

    private static func withBook<Result>(_ invocation: Invocation, _ body: (TokenBook) throws -> Result)
        throws -> Result
    {
        let path = try SettingsFile.folders(invocation).data + "/aircheck.db"
        let database: Database
        do {
            database = try Database.open(path, schemas: [TokenBook.schema])
        } catch {
            throw CommandFailure(.unavailable, "\(error)")
        }
        defer { database.close() }
        return try body(TokenBook(database: database))
    }
}

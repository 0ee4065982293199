internal import CSQLite

/// Why the store cannot do what it was asked, with the file and the remedy in its text.
package struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Reason: Sendable, Hashable {
        /// Another process holds this data directory.
        case inUse(processID: Int32?)
        /// The file was written by a later aircheck: its schema is ahead of ours.
        case newerSchema(schema: String, found: Int, known: Int)
        /// The bytes are not those of a sound database.
        case damaged
        /// The disk said no: full, read-only, not permitted, an I/O error.
        case disk
        /// Somebody else keeps the file locked for longer than we wait.
        case busy
        /// The statement broke a rule of the schema: not unique, a missing parent.
        case constraint
        /// The queue of waiting writes is full.
        case overloaded
        /// The store has been closed.
        case closed
        /// Anything else; a bug in a statement, most of the time.
        case statement
    }

    package var reason: Reason
    /// The database file.
    package var path: String
    /// What was attempted and what SQLite or the kernel said.
    package var detail: String

    package init(_ reason: Reason, path: String, detail: String) {
        self.reason = reason
        self.path = path
        self.detail = detail
    }

    /// True where the same write can succeed later: locked, disk full, queue full.
    package var isTransient: Bool {
        switch reason {
        case .busy, .disk, .overloaded: true
        default: false
        }
    }

    package var description: String {
        switch reason {
        case .inUse(let process):
            "\(path) is in use by another aircheck\(process.map { " (process \($0))" } ?? ""): "
                + "stop it, or give this one its own folder with paths.data"
        case .newerSchema(let schema, let found, let known):
            "\(path) was written by a newer aircheck (\(schema) schema \(found), this program knows \(known)): "
                + "upgrade aircheck, or move the file away to start afresh"
        case .damaged: "\(path) is damaged: \(detail)"
        case .disk: "cannot use \(path): \(detail); check free space and permissions, or move paths.data"
        case .busy: "\(path) stayed locked: \(detail); close whatever else has it open"
        case .constraint, .statement: "\(path): \(detail)"
        case .overloaded: "\(path) cannot keep up: \(detail)"
        case .closed: "\(path) is closed: \(detail)"
        }
    }

    /// What a result code of SQLite means to a caller.
    static func reason(for code: Int32) -> Reason {
        switch code & 0xFF {
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
        case SQLITE_FULL, SQLITE_IOERR, SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_NOLFS,
            SQLITE_AUTH:
            .disk
        case SQLITE_CONSTRAINT: .constraint
        default: .statement
        }
    }
}

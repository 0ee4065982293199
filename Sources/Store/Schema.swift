/// The tables of one room and how they came to be what they are.
///
/// A room hands its schema to `Database.open`; rooms know nothing of each other's tables. A migration, once released,
/// is never edited: a change is a new one at the end.
package struct Schema: Sendable {
    /// Names the room's row in the table of versions; never changes.
    package var name: String
    /// SQL scripts, oldest first; number n takes the tables from version n to n+1. Each runs in one transaction.
    package var migrations: [String]

    package init(name: String, migrations: [String]) {
        self.name = name
        self.migrations = migrations
    }

    /// The version that this program writes.
    package var version: Int { migrations.count }
}

internal import CLinux
internal import Glibc
internal import Platform

/// What to do about a database that is not one any more. Nothing is ever deleted.
enum Damage {
    /// SQLite's own companions of a database file.
    private static let companions = ["", "-wal", "-shm"]

    /// Looks at every page. A file that cannot be opened at all is not sound either.
    static func isSound(_ path: String) -> Bool {
        guard let connection = try? Connection(path, mode: .reader) else { return false }
        return (try? check(connection)) != nil
    }

    /// - Throws: `StoreError` with the reason `damaged` and what was found first.
    static func check(_ connection: Connection) throws(StoreError) {
        let statement = try connection.prepare("PRAGMA quick_check(1)")
        try statement.bind([])
        guard try statement.step(), statement.text(0) == "ok" else {
            throw StoreError(.damaged, path: connection.path, detail: statement.text(0))
        }
    }

    /// Moves the file and its companions out of the way; the new name of the file.
    static func moveAside(_ path: String, at moment: String) throws(StoreError) -> String {
        var aside = "\(path).damaged-\(moment)"
        var number = 2
        while Files.exists(aside) {
            aside = "\(path).damaged-\(moment)-\(number)"
            number += 1
        }
        for companion in companions where Files.exists(path + companion) {
            guard rename(path + companion, aside + companion) == 0 else {
                let cause = SystemError(while: "moving it to \(aside + companion)")
                throw StoreError(.disk, path: path, detail: cause.description)
            }
        }
        return aside
    }

    /// Puts the newest sound copy that this program can read into the place of the file; its path, or nil.
    static func restore(_ path: String, from backups: Backups?, schemas: [Schema]) -> String? {
        for backup in backups?.all ?? [] where isSound(backup) && isReadable(backup, schemas) {
            if copy(backup, to: path) { return backup }
        }
        return nil
    }

    private static func isReadable(_ path: String, _ schemas: [Schema]) -> Bool {
        guard let connection = try? Connection(path, mode: .reader) else { return false }
        let migrator = Migrator(schemas: schemas)
        return (try? migrator.check(migrator.versions(connection), path: path)) != nil
    }

    /// `VACUUM INTO` from a copy that is not touched: no need to hold the file in memory.
    private static func copy(_ backup: String, to path: String) -> Bool {
        guard let connection = try? Connection(backup, mode: .reader),
            (try? connection.run("VACUUM INTO ?1", [.text(path)])) != nil
        else { return false }
        return true
    }
}

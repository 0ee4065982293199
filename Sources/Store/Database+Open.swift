internal import CLinux
package import Platform

extension Database {
    /// Opens the file for this process alone, creating it and its folder where they are missing, and brings every
    /// schema up to date. Blocks; at start-up.
    ///
    /// A damaged file is never deleted: it is moved aside, and the last good copy, or an empty file, takes its place
    /// (`opening` says which).
    /// - Throws: `inUse`, `newerSchema`, `disk`; what a migration says.
    package static func open(
        _ path: String, schemas: [Schema], options: Options = Options(), time: any TimeSource = SystemTime()
    ) throws -> Database {
        if let slash = path.lastIndex(of: "/") { try Files.makeFolder(String(path[..<slash]), mode: 0o700) }
        let lock = try DirectoryLock.taken(beside: path)
        let opener = Opener(
            path: path, migrator: Migrator(schemas: schemas), options: options,
            moment: Stamps.moment(time.wall))
        let (connection, opening) = try opener.open()
        return Database(opening: opening, connection: connection, lock: lock, options: options, time: time)
    }
}

/// The steps of opening a database.
private struct Opener {
    let path: String
    let migrator: Migrator
    let options: Database.Options
    let moment: String

    var backups: Backups? { options.backups.map { Backups(of: path, in: $0, kept: options.backupsKept) } }

    func open() throws -> (Connection, Database.Opening) {
        let isNew = !Files.exists(path)
        do {
            let connection = try checked(isNew: isNew)
            let opening = try migrated(connection, isNew: isNew)
            return (connection, opening)
        } catch let error as StoreError where error.reason == .damaged {
            Log.error("store", "the database is damaged", ["path": path, "found": error.detail])
            return try replaced()
        }
    }

    private func checked(isNew: Bool) throws(StoreError) -> Connection {
        let connection = try Connection(path, mode: .writer)
        if options.checks && !isNew { try Damage.check(connection) }
        return connection
    }

    private func migrated(_ connection: Connection, isNew: Bool) throws -> Database.Opening {
        let found = try migrator.versions(connection)
        try migrator.check(found, path: path)
        var opening = isNew ? Database.Opening.created : .sound
        if migrator.changesTables(found), let backups {
            let copy = backups.beforeMigration(moment)
            try backups.make(copy, from: connection)
            opening = .migrated(backup: copy)
        }
        try migrator.migrate(connection, from: found)
        return opening
    }

    private func replaced() throws -> (Connection, Database.Opening) {
        let aside = try Damage.moveAside(path, at: moment)
        let backup = Damage.restore(path, from: backups, schemas: migrator.schemas)
        let connection = try Connection(path, mode: .writer)
        _ = try migrated(connection, isNew: false)
        let opening =
            backup.map { Database.Opening.restored(backup: $0, aside: aside) } ?? .startedEmpty(aside: aside)
        Log.warning("store", "\(opening)", ["path": path])
        return (connection, opening)
    }
}

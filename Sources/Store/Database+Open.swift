internal import Platform

extension Database {
    /// Opens the file for this process alone, creating it and its folder where they are missing, and brings every
    /// schema up to date. Blocks; at start-up.
    ///
    /// A damaged file is never deleted: it is moved aside, and the last good backup, or an empty file, takes its place
    /// (`opening` says which).
    /// - Throws: `inUse`, `newerSchema`, `disk`.
    package static func open(
        _ path: String, schemas: [Schema], options: Options = Options()
    ) throws(StoreError) -> Database {
        let lock = try DirectoryLock.taken(beside: path)
        let connection = try Connection(path, mode: .writer)
        do {
            try Migrator(schemas: schemas).migrate(connection)
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.statement, path: path, detail: "\(error)")
        }
        return Database(path: path, opening: .sound, connection: connection, lock: lock)
    }
}

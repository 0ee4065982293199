internal import CLinux
internal import Glibc
internal import Platform

/// Builds a database file that is only read afterwards: an index over something fetched. It takes the place of the old
/// one whole or not at all; who reads the old one goes on until it opens anew.
package enum DatabaseBuilder {
    /// Makes `path` anew.
    ///
    /// Fast because a crash half-way leaves only a draft: no journal, one sync at the end.
    /// - Parameters:
    ///   - script: makes the tables.
    ///   - fill: puts everything in.
    package static func build<Value>(
        _ path: String, script: String, fill: (Connection) throws -> Value
    ) throws -> Value {
        let draft = path + ".new"
        unlink(draft)
        let value = try filled(draft, script, fill)
        let number = open(draft, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw SystemError(while: "opening \(draft)") }
        let file = FileDescriptor(owning: number)
        guard fsync(file.number) == 0 else { throw SystemError(while: "writing \(draft)") }
        guard rename(draft, path) == 0 else { throw SystemError(while: "renaming \(draft)") }
        try Files.syncFolder(of: path)
        return value
    }

    private static func filled<Value>(
        _ draft: String, _ script: String, _ fill: (Connection) throws -> Value
    ) throws -> Value {
        let connection = try Connection(draft, mode: .builder)
        try connection.script(script)
        return try connection.transaction(fill)
    }
}

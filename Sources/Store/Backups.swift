internal import CLinux
internal import Glibc
internal import Platform

/// Copies of a database: one a day, and one before each migration. Each was looked through before it got its name.
struct Backups: Sendable {
    let folder: String
    /// Daily copies that are kept.
    let kept: Int
    /// `aircheck` of `aircheck.db`.
    private let stem: String

    init(of path: String, in folder: String, kept: Int) {
        self.folder = folder
        self.kept = kept
        let name = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
        stem = name.hasSuffix(".db") ? String(name.dropLast(3)) : name
    }

    /// The copy of a day: `aircheck-2026-03-29.db`.
    func daily(_ day: String) -> String { "\(folder)/\(stem)-\(day).db" }

    /// The copy made before tables are changed.
    func beforeMigration(_ moment: String) -> String { "\(folder)/\(stem)-before-\(moment).db" }

    /// Every copy, newest first.
    var all: [String] {
        Files.names(in: folder).filter { $0.hasPrefix(stem + "-") && $0.hasSuffix(".db") }
            .map { (path: folder + "/" + $0, stamp: Files.stamp(folder + "/" + $0)?.modified ?? 0) }
            .sorted { ($0.stamp, $0.path) > ($1.stamp, $1.path) }.map(\.path)
    }

    /// Copies the database of `connection` to `target`, looks the copy through and gives it its name. A reader does:
    /// the writer is not held up.
    func make(_ target: String, from connection: Connection) throws {
        try Files.makeFolder(folder, mode: 0o700)
        let draft = target + ".part"
        unlink(draft)
        try connection.run("VACUUM INTO ?1", [.text(draft)])
        guard Damage.isSound(draft) else {
            throw StoreError(.damaged, path: connection.path, detail: "its copy \(draft) is not sound")
        }
        try sync(draft)
        guard rename(draft, target) == 0 else { throw SystemError(while: "renaming \(draft)") }
        try Files.syncFolder(of: target)
    }

    private func sync(_ path: String) throws(SystemError) {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw SystemError(while: "opening \(path)") }
        let file = FileDescriptor(owning: number)
        guard fsync(file.number) == 0 else { throw SystemError(while: "writing \(path)") }
    }

    /// Takes daily copies away beyond those that are kept. Copies made before a migration stay.
    func prune() {
        let daily = all.filter(isDaily)
        for path in daily.dropFirst(kept) { unlink(path) }
    }

    private func isDaily(_ path: String) -> Bool {
        let day = path.dropFirst(folder.count + 1 + stem.count + 1).dropLast(3)
        return day.utf8.count == 10
            && day.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
    }
}

/// Day and moment in UTC, for names of files that sort by time.
enum Stamps {
    static func day(_ time: WallTime) -> String {
        let parts = parts(time)
        return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    }

    static func moment(_ time: WallTime) -> String {
        let parts = parts(time)
        return "\(day(time))-\(two(parts.tm_hour))\(two(parts.tm_min))\(two(parts.tm_sec))"
    }

    private static func parts(_ time: WallTime) -> tm {
        var seconds = time_t(time.nanoseconds / 1_000_000_000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        return parts
    }

    private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

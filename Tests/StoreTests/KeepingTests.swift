import Foundation
import Glibc
import Platform
import TestPrograms
import Testing

@testable import Store

/// The rows of `note`, in order.
func texts(_ database: Database) throws -> [String] {
    try database.read { try $0.rows("SELECT text FROM note ORDER BY id") { $0.text(0) } }
}

func insert(_ text: String) -> Command { Command("INSERT INTO note (text) VALUES (?1)", [.text(text)]) }

@Suite("Migrations")
struct MigrationTests {
    private let second = Schema(
        name: "notes",
        migrations: notes.migrations + ["ALTER TABLE note ADD COLUMN mark INTEGER NOT NULL DEFAULT 7"])

    @Test("bring an older file up to date and keep a copy of what it was")
    func upgrade() throws {
        let scratch = try TemporaryFolder()
        let path = scratch.path("aircheck.db")
        var options = Database.Options()
        options.backups = scratch.path("backups")
        let old = try Database.open(path, schemas: [notes], options: options)
        try old.write { try $0.run("INSERT INTO note (text) VALUES ('one')") }
        old.close()
        let new = try Database.open(path, schemas: [second], options: options)
        #expect(try new.read { try $0.row("SELECT mark FROM note") { $0.int(0) } } == 7)
        guard case .migrated(let backup) = new.opening else { Issue.record("\(new.opening)"); return }
        new.close()
        let copy = try Database.open(backup, schemas: [notes])
        #expect(try texts(copy) == ["one"])
    }

    @Test("refuse a file of a newer program and leave it alone")
    func downgrade() throws {
        let scratch = try TemporaryFolder()
        let path = scratch.path("aircheck.db")
        let new = try Database.open(path, schemas: [second])
        new.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let error = #expect(throws: StoreError.self) { try Database.open(path, schemas: [notes]) }
        #expect(error?.reason == .newerSchema(schema: "notes", found: 2, known: 1))
        #expect(error?.description.contains("upgrade aircheck") == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test("that fail half-way leave the tables as they were")
    func halfWay() throws {
        let scratch = try TemporaryFolder()
        let path = scratch.path("aircheck.db")
        let old = try Database.open(path, schemas: [notes])
        try old.write { try $0.run("INSERT INTO note (text) VALUES ('one')") }
        old.close()
        let broken = Schema(
            name: "notes", migrations: notes.migrations + ["DROP TABLE note; CREATE TABLE note (oops"])
        #expect(throws: StoreError.self) { try Database.open(path, schemas: [broken]) }
        #expect(try texts(Database.open(path, schemas: [notes])) == ["one"])
    }

    @Test("of rooms that know nothing of each other live in one file")
    func rooms() throws {
        let scratch = try TemporaryFolder()
        let path = scratch.path("aircheck.db")
        let other = Schema(name: "other", migrations: ["CREATE TABLE thing (id INTEGER PRIMARY KEY)"])
        try Database.open(path, schemas: [notes]).close()
        let both = try Database.open(path, schemas: [other, notes])
        try both.write { try $0.run("INSERT INTO thing DEFAULT VALUES") }
        both.close()
        // A program without that room leaves its tables be.
        try Database.open(path, schemas: [notes]).close()
        let again = try Database.open(path, schemas: [notes, other])
        #expect(try again.read { try $0.row("SELECT count(*) FROM thing") { $0.int(0) } } == 1)
    }
}

@Suite("Copies and damage")
struct DamageTests {
    private func options(_ scratch: TemporaryFolder) -> Database.Options {
        var options = Database.Options()
        options.backups = scratch.path("backups")
        options.backupsKept = 3
        return options
    }

    private func backUp(_ database: Database) throws -> String? {
        let answer = Monitor<Result<String?, any Error>?>(nil)
        database.backUpIfDue { result in answer.change { $0 = result } }
        return try answer.wait { $0 }.get()
    }

    @Test("one copy a day is made, and so many are kept")
    func daily() throws {
        let scratch = try TemporaryFolder()
        let time = ManualTime(wall: WallTime(secondsSince1970: 1_774_000_000))
        let database = try Database.open(
            scratch.path("aircheck.db"), schemas: [notes], options: options(scratch), time: time)
        var made: [String] = []
        for day in 0..<5 {
            try database.write { try $0.run("INSERT INTO note (text) VALUES (?1)", [.text("day \(day)")]) }
            made.append(try #require(try backUp(database)))
            #expect(try backUp(database) == nil)
            time.advance(bySeconds: 86_400)
        }
        #expect(made.first?.hasSuffix("/backups/aircheck-2026-03-20.db") == true)
        let kept = try FileManager.default.contentsOfDirectory(atPath: scratch.path("backups")).sorted()
        #expect(kept == made.suffix(3).map { ($0 as NSString).lastPathComponent })
    }

    @Test("a damaged file is moved aside and the last good copy takes its place")
    func restores() throws {
        let scratch = try TemporaryFolder()
        let path = scratch.path("aircheck.db")
        let first = try Database.open(path, schemas: [notes], options: options(scratch))
        try first.write { try $0.run("INSERT INTO note (text) VALUES ('kept')") }
        let backup = try #require(try backUp(first))
        first.close()
        try "not a database at all, but long enough to be taken for one ".write(
            toFile: path, atomically: true, encoding: .utf8)
        let second = try Database.open(path, schemas: [notes], options: options(scratch))
        guard case .restored(let from, let aside) = second.opening else {
            Issue.record("\(second.opening)"); return
        }
        #expect(from == backup)
        #expect(try String(contentsOfFile: aside, encoding: .utf8).hasPrefix("not a database"))
        #expect(try texts(second) == ["kept"])
        try second.write { try $0.run("INSERT INTO note (text) VALUES ('goes on')") }
    }

    @Test("a copy that is damaged too is passed over, and without any the history starts anew")
    func noGoodCopy() throws {
        let scratch = try TemporaryFolder()
        let path = scratch.path("aircheck.db")
        try FileManager.default.createDirectory(
            atPath: scratch.path("backups"), withIntermediateDirectories: true)
        try Data(repeating: 7, count: 8192).write(
            to: URL(fileURLWithPath: scratch.path("backups/aircheck-2026-01-01.db")))
        try Data(repeating: 9, count: 8192).write(to: URL(fileURLWithPath: path))
        let database = try Database.open(path, schemas: [notes], options: options(scratch))
        guard case .startedEmpty(let aside) = database.opening else {
            Issue.record("\(database.opening)"); return
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: aside)).count == 8192)
        #expect(try texts(database) == [])
        #expect(database.opening.description.contains("kept as \(aside)"))
    }

    @Test("flipped bytes never end the process, and writing goes on", arguments: 0..<40)
    func flippedBytes(seed: UInt64) throws {
        let scratch = try TemporaryFolder()
        let path = scratch.path("aircheck.db")
        let first = try Database.open(path, schemas: [notes])
        try first.write { connection in
            for number in 0..<400 {
                try connection.run(
                    "INSERT INTO note (text) VALUES (?1)", [.text("row \(number) of a table with pages")])
            }
        }
        first.close()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        var random = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
        for _ in 0..<12 {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            bytes[Int(random >> 33) % bytes.count] ^= UInt8(truncatingIfNeeded: random >> 20) | 1
        }
        try bytes.write(to: URL(fileURLWithPath: path))
        let second = try Database.open(path, schemas: [notes])
        _ = try? texts(second)
        _ = try? second.write { try $0.run("INSERT INTO note (text) VALUES ('after')") }
        if case .startedEmpty = second.opening { #expect(try texts(second) == ["after"]) }
    }
}

@Suite("Rows that nobody waits for")
struct OutboxTests {
    @Test("are written in the order they were posted")
    func order() throws {
        let scratch = try TemporaryFolder()
        let database = try Database.open(scratch.path("a.db"), schemas: [notes])
        for number in 0..<1500 { database.post(insert("\(number)")) }
        database.close()
        let again = try Database.open(scratch.path("a.db"), schemas: [notes])
        #expect(try texts(again) == (0..<1500).map { "\($0)" })
    }

    @Test("do not suffer for one that the database refuses")
    func refused() throws {
        let scratch = try TemporaryFolder()
        let database = try Database.open(scratch.path("a.db"), schemas: [notes])
        for text in ["a", "a", "b"] { database.post(insert(text)) }
        // A write that is waited for stands behind them in the queue.
        try database.write { _ in }
        #expect(try texts(database) == ["a", "b"])
        #expect(database.health == Database.Health(waiting: 0, lost: 0, refused: 1))
    }

    @Test("wait for a disk that is full, and are all there when it is not")
    func diskFull() throws {
        let scratch = try TemporaryFolder()
        let database = try Database.open(scratch.path("a.db"), schemas: [notes])
        try database.write { try $0.run("CREATE TABLE filler (bytes BLOB)") }
        // The same answer of SQLite (SQLITE_FULL) as of a full disk.
        let pages = try database.write { connection in
            let pages = try connection.row("PRAGMA page_count") { $0.int(0) } ?? 0
            _ = try connection.row("PRAGMA max_page_count = \(pages)") { $0.int(0) }
            return pages
        }
        #expect(throws: StoreError.self) {
            try database.write { try $0.run("INSERT INTO filler VALUES (zeroblob(100000))") }
        }
        let long = String(repeating: "x", count: 3000)
        for number in 0..<20 { database.post(insert("\(number) \(long)")) }
        try database.write { _ in }
        #expect(database.health.waiting == 20)
        try database.write { connection in
            _ = try connection.row("PRAGMA max_page_count = \(pages + 1000)") { $0.int(0) }
        }
        #expect(eventually(within: 30) { database.health.waiting == 0 })
        #expect(try texts(database).count == 20)
        #expect(database.health == Database.Health(waiting: 0, lost: 0, refused: 0))
    }

    @Test("are kept in a file when there are too many, and written by the next start, each once")
    func spills() throws {
        let scratch = try TemporaryFolder()
        let path = scratch.path("a.db")
        let database = try Database.open(path, schemas: [notes])
        let held = Monitor(false)
        // The writer stands still, as it does behind somebody else's lock.
        database.enqueue { _ in held.wait { $0 ? true : nil } }
        let count = Outbox.memoryLimit + 50
        for number in 0..<count { database.post(insert("\(number)")) }
        #expect(database.health.waiting == count)
        #expect(FileManager.default.fileExists(atPath: path + ".waiting"))
        held.change { $0 = true }
        database.close()
        let again = try Database.open(path, schemas: [notes])
        try again.write { _ in }
        #expect(try texts(again) == (0..<count).map { "\($0)" })
        #expect(!FileManager.default.fileExists(atPath: path + ".waiting"))
    }

    @Test("from a file are not doubled by a crash before it is taken away, nor harmed by a torn end")
    func replayTwice() throws {
        let scratch = try TemporaryFolder()
        let path = scratch.path("a.db")
        let schemas = [notes, Schema(name: "tally", migrations: ["CREATE TABLE tally (text TEXT)"])]
        func count(_ text: String) -> Command {
            Command("INSERT INTO tally (text) VALUES (?1)", [.text(text)])
        }
        func counted(_ database: Database) throws -> [String] {
            try database.read { try $0.rows("SELECT text FROM tally ORDER BY rowid") { $0.text(0) } }
        }
        let spill = SpillFile(path: path + ".waiting")
        // The second group breaks a rule with its last command: all of it is left out.
        #expect(spill.append([[count("a"), insert("x")], [count("lost"), insert("x")], [count("c")]]) == 0)
        let whole = try Data(contentsOf: URL(fileURLWithPath: spill.path))
        #expect(spill.append([[count("torn")]]) == 0)
        let longer = try Data(contentsOf: URL(fileURLWithPath: spill.path))
        try longer.dropLast(3).write(to: URL(fileURLWithPath: spill.path))
        let first = try Database.open(path, schemas: schemas)
        try first.write { _ in }
        #expect(try counted(first) == ["a", "c"])
        first.close()
        // As if the process had ended between the commit and the removal of the file.
        try whole.write(to: URL(fileURLWithPath: spill.path))
        let second = try Database.open(path, schemas: schemas)
        try second.write { _ in }
        #expect(try counted(second) == ["a", "c"])
        #expect(!FileManager.default.fileExists(atPath: spill.path))
    }

    @Test(
        "survive being written down",
        arguments: [
            [
                SQLValue.null, .int(-1), .int(.max), .real(-0.5), .text("ü\u{0}"), .text(""),
                .blob([0, 255]), .blob([]),
            ]
        ])
    func coding(values: [SQLValue]) {
        let groups = [[Command("A", values), Command("B")], [], [Command("C", [.int(1)])]]
        let bytes = groups.compactMap(CommandCoding.bytes).flatMap { $0 }
        #expect(CommandCoding.groups(bytes).whole == groups)
        for length in bytes.indices {
            #expect(groups.starts(with: CommandCoding.groups(Array(bytes[..<length])).whole))
        }
    }

    @Test("behind one that a crash or a full disk has torn are found, and what was torn is counted")
    func tornInside() {
        let groups = (0..<3).map { [Command("A", [.text("number \($0)"), .int(Int64($0))])] }
        let records = groups.compactMap(CommandCoding.bytes)
        for length in 1..<records[1].count {
            let found = CommandCoding.groups(records[0] + records[1][..<length] + records[2])
            #expect(found.whole == [groups[0], groups[2]])
            #expect(found.torn == 1)
        }
        var bent = records[1]
        bent[bent.count - 1] ^= 1
        #expect(CommandCoding.groups(records[0] + bent + records[2]).whole == [groups[0], groups[2]])
    }

    @Test(
        "are not cut in two by a disk that is full in the middle of one, and one that is too long is refused")
    func shortWrite() throws {
        let scratch = try TemporaryFolder()
        let spill = SpillFile(path: scratch.path("a.waiting"))
        let long = Command("A", [.text(String(repeating: "x", count: 1000))])
        #expect(spill.append([[Command("A")]]) == 0)
        let before = try Data(contentsOf: URL(fileURLWithPath: spill.path))
        try withFileLimit(before.count + 100) { #expect(spill.append([[long]]) == 1) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: spill.path)) == before)
        #expect(
            spill.append([[Command("B")], [Command("C", [.blob([UInt8](repeating: 0, count: 65 << 20))])]])
                == 1)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: spill.path)))
        #expect(CommandCoding.groups(Array(bytes.dropFirst(16))).whole == [[Command("A")], [Command("B")]])
    }

    /// Files of this process may not grow beyond so many bytes meanwhile: like a disk that is full at that place.
    private func withFileLimit(_ bytes: Int, _ body: () throws -> Void) throws {
        signal(SIGXFSZ, SIG_IGN)
        var usual = rlimit()
        getrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &usual)
        var tight = rlimit(rlim_cur: rlim_t(bytes), rlim_max: usual.rlim_max)
        setrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &tight)
        defer { setrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &usual) }
        try body()
    }
}

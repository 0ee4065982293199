import Foundation
import Glibc
import TestPrograms
import Testing

@testable import Store

@Suite("kill -9")
struct KillTests {
    @Test("loses no row that write has returned from", arguments: 0..<12)
    func acknowledged(round: Int) async throws {
        let scratch = try TemporaryFolder()
        let folder = scratch.path
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [folder = folder as String, round = round as Int] in
            let database = try Database.open(folder + "/a.db", schemas: [notes])
            let journal = open(folder + "/acknowledged", O_WRONLY | O_CREAT | O_APPEND, 0o600)
            let microseconds = UInt32(3000 + round * 4000)
            Thread.detachNewThread {
                usleep(microseconds)
                kill(getpid(), SIGKILL)
            }
            try writePairs(database, journal)
        }
        let journal = (try? String(contentsOfFile: folder + "/acknowledged", encoding: .utf8)) ?? ""
        let acknowledged = journal.split(separator: "\n").count
        let database = try Database.open(folder + "/a.db", schemas: [notes])
        #expect([.sound, .created].contains(database.opening))
        let found = try texts(database)
        #expect(found.count % 2 == 0, "half a transaction is there")
        #expect(found.count / 2 >= acknowledged)
        #expect(found.count / 2 <= acknowledged + 1)
        let verdict = try await database.read { try $0.row("PRAGMA integrity_check") { $0.text(0) } }
        #expect(verdict == "ok")
    }

    @Test("leaves a database that the next process can own at once")
    func lockIsGone() async throws {
        let scratch = try TemporaryFolder()
        let folder = scratch.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
            let database = try Database.open(folder + "/a.db", schemas: [notes])
            try await database.write { try $0.run("INSERT INTO note (text) VALUES ('one')") }
            kill(getpid(), SIGKILL)
        }
        #expect(try texts(Database.open(folder + "/a.db", schemas: [notes])) == ["one"])
    }
}

/// Two rows a transaction, each pair noted in a file after `write` has returned. Never ends by itself.
private func writePairs(_ database: Database, _ journal: Int32) throws {
    for number in 1... {
        try database.write { connection in
            try connection.run("INSERT INTO note (text) VALUES (?1)", [.text("first of \(number)")])
            try connection.run("INSERT INTO note (text) VALUES (?1)", [.text("second of \(number)")])
        }
        let line = Array("\(number)\n".utf8)
        _ = write(journal, line, line.count)
    }
}

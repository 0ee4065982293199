import Foundation
import Platform
import TestPrograms
import Testing

@testable import Store

let notes = Schema(
    name: "notes", migrations: ["CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)"])

@Suite("Database")
struct DatabaseTests {
    @Test("keeps what was written for the next process")
    func persists() throws {
        let scratch = try TemporaryFolder()
        let first = try Database.open(scratch.path("a.db"), schemas: [notes])
        try first.write { try $0.run("INSERT INTO note (text) VALUES (?1)", ["Night Drive"]) }
        first.close()
        let second = try Database.open(scratch.path("a.db"), schemas: [notes])
        let texts = try second.read { try $0.rows("SELECT text FROM note") { $0.text(0) } }
        #expect(texts == ["Night Drive"])
    }

    @Test("takes back all of a write that failed half-way")
    func rollsBack() throws {
        let scratch = try TemporaryFolder()
        let database = try Database.open(scratch.path("a.db"), schemas: [notes])
        #expect(throws: StoreError.self) {
            try database.write { connection in
                try connection.run("INSERT INTO note (text) VALUES ('one')")
                try connection.run("INSERT INTO note (text) VALUES ('one')")
            }
        }
        let count = try database.read { try $0.row("SELECT count(*) FROM note") { $0.int(0) } }
        #expect(count == 0)
    }

    @Test("refuses a second owner and names the first")
    func locks() throws {
        let scratch = try TemporaryFolder()
        let database = try Database.open(scratch.path("a.db"), schemas: [notes])
        let error = #expect(throws: StoreError.self) {
            try Database.open(scratch.path("a.db"), schemas: [notes])
        }
        #expect(error?.reason == .inUse(processID: ProcessInfo.processInfo.processIdentifier))
        database.close()
    }

    @Test(
        "what writes nothing does not wait for the disk; what does is on it when it ends",
        arguments: [false, true])
    func settled(posts: Bool) throws {
        let scratch = try TemporaryFolder()
        let database = try Database.open(scratch.path("a.db"), schemas: [notes])
        let go = Semaphore()
        // The disk stalls.
        database.enqueue { _ in go.wait() }
        let (sought, ended) = (Lock(false), Lock(false))
        let seeking = WorkerThread(name: "seeking") {
            database.settled {}
            sought.withLock { $0 = true }
        }
        #expect(eventually(within: 5) { sought.withLock { $0 } })
        let writing = WorkerThread(name: "writing") {
            database.settled {
                if posts {
                    database.post(Command("INSERT INTO note (text) VALUES ('one')"))
                } else {
                    database.enqueue { try $0.run("INSERT INTO note (text) VALUES ('one')") }
                }
            }
            ended.withLock { $0 = true }
        }
        Thread.sleep(forTimeInterval: 0.2)
        #expect(!ended.withLock { $0 })
        go.signal()
        for thread in [seeking, writing] { thread.join() }
        let count = try database.read { try $0.row("SELECT count(*) FROM note") { $0.int(0) } }
        #expect(count == 1)
    }

    @Test("gives every kind of value back as it went in")
    func values() throws {
        let scratch = try TemporaryFolder()
        let database = try Database.open(scratch.path("a.db"), schemas: [])
        let given: [SQLValue] = [1, 2.5, "tëxt", .blob([0, 255]), nil, "", .blob([])]
        let found = try database.read { connection in
            try connection.row("SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7", given) { row in
                (0..<row.columnCount).map { row.value($0) }
            }
        }
        #expect(found == given)
    }
}

import ControlAPI
import HTTPServer
import Platform
import Store
import TestPrograms
import Testing

@Suite("Tokens")
struct TokenTests {
    private let folder: TemporaryFolder
    private let database: Database

    init() throws {
        folder = try TemporaryFolder("tokens")
        database = try Database.open(folder.path("test.db"), schemas: [TokenBook.schema])
    }

    @Test("a token opens what its role says, until it is revoked")
    func lifeOfAToken() throws {
        let book = try TokenBook(database: database)
        let made = try book.create(name: "phone", role: .operator)
        #expect(book.role(of: made.token) == .operator)
        #expect(try book.revoke(id: made.entry.id))
        #expect(book.role(of: made.token) == nil)
        #expect(try !book.revoke(id: made.entry.id))
    }

    @Test("tokens are there after a restart, and their secrets are nowhere in the database")
    func persistence() throws {
        let made = try TokenBook(database: database).create(name: "phone", role: .viewer)
        let again = try TokenBook(database: database)
        #expect(again.entries == [made.entry])
        #expect(again.role(of: made.token) == .viewer)
        let secret = String(made.token.split(separator: ".")[1])
        let rows = try database.read { connection in
            try connection.rows("SELECT id || name || role || hex(digest) FROM token") { $0.text(0) }
        }
        #expect(rows.allSatisfy { !$0.lowercased().contains(secret) })
    }

    @Test(
        "what is no token opens nothing",
        arguments: ["", "ac_", "ac_.", "ac_00000000.", "Bearer x", String(repeating: "a", count: 5000)])
    func rubbish(text: String) throws {
        let book = try TokenBook(database: database)
        _ = try book.create(name: "phone", role: .admin)
        #expect(book.role(of: text) == nil)
    }

    @Test("a right id with a wrong secret opens nothing")
    func wrongSecret() throws {
        let book = try TokenBook(database: database)
        let made = try book.create(name: "phone", role: .admin)
        let id = made.token.split(separator: ".")[0]
        #expect(book.role(of: "\(id).\(String(repeating: "0", count: 64))") == nil)
    }

    @Test("an expired session that cannot be deleted opens nothing, and keeps nothing from starting")
    func expired() throws {
        let database = try Database.open(folder.path("sessions.db"), schemas: [TokenBook.sessionSchema])
        let time = ManualTime()
        let old = try TokenBook(database: database, kind: .session, time: time)
            .create(name: "sofa", role: .admin)
        time.advance(bySeconds: 91 * 86_400)
        try database.write { connection in
            try connection.run(
                "CREATE TRIGGER full BEFORE DELETE ON session BEGIN SELECT RAISE(ABORT, 'disk full'); END")
        }
        let book = try TokenBook(database: database, kind: .session, time: time)
        #expect(book.entries.isEmpty && book.role(of: old.token) == nil)
        let new = try book.create(name: "sofa", role: .admin)
        #expect(book.role(of: new.token) == .admin)
        try database.write { try $0.run("DROP TRIGGER full") }
        let again = try TokenBook(database: database, kind: .session, time: time)
        #expect(again.entries == [new.entry])
        let rows = try database.read { try $0.rows("SELECT id FROM session") { $0.text(0) } }
        #expect(rows == [new.entry.id])
    }
}

@Suite("Guessing")
struct GuessLimiterTests {
    @Test("five wrong tokens are free, then an address waits ten seconds")
    func waits() {
        var limiter = GuessLimiter()
        var now = MonotonicTime(nanoseconds: 0)
        for _ in 0..<5 {
            let may = limiter.mayTry("a", at: now)
            #expect(may)
            limiter.failed("a", at: now)
            now = now.advanced(bySeconds: 1)
        }
        let atOnce = limiter.mayTry("a", at: now)
        let other = limiter.mayTry("b", at: now)
        let later = limiter.mayTry("a", at: now.advanced(bySeconds: 10))
        #expect(!atOnce)
        #expect(other)
        #expect(later)
    }

    @Test(
        "a thousand guesses from a thousand addresses in a minute: no more than twenty a second are looked at"
    )
    func inAll() {
        var limiter = GuessLimiter()
        let now = MonotonicTime(nanoseconds: 0)
        var looked = 0
        for address in 0..<1000 where limiter.mayTry("\(address)", at: now) {
            looked += 1
            limiter.failed("\(address)", at: now)
        }
        #expect(looked == 20)
    }

    @Test("a right token forgives the wrong ones before")
    func forgives() {
        var limiter = GuessLimiter()
        let now = MonotonicTime(nanoseconds: 0)
        for _ in 0..<5 { limiter.failed("a", at: now) }
        limiter.succeeded("a")
        let may = limiter.mayTry("a", at: now)
        #expect(may)
    }
}

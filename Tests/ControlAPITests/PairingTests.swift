import ControlAPI
import Foundation
import HTTPServer
import HTTPWire
import Platform
import Store
import TestPrograms
import Testing

@Suite("Pairing")
struct PairingTests {
    @Test("takes a code once, however it is typed")
    func once() {
        let desk = PairingDesk()
        let offer = desk.offer(.operator)
        #expect(desk.take("ZZZZ-ZZZZ") == nil)
        #expect(desk.take(" " + offer.code.lowercased().replacing("-", with: "  ")) == .operator)
        #expect(desk.take(offer.code) == nil)
    }

    @Test("forgets a code after five minutes")
    func old() {
        let clock = ManualTime()
        let desk = PairingDesk(time: clock)
        let code = desk.offer(.viewer).code
        clock.advance(bySeconds: 301)
        #expect(desk.take(code) == nil)
    }

    @Test("a session opens the API as a cookie, is no token, and ends")
    func session() throws {
        let folder = try TemporaryFolder("pairing")
        let database = try Database.open(
            folder.path("test.db"), schemas: [TokenBook.schema, TokenBook.sessionSchema])
        let clock = ManualTime()
        let tokens = try TokenBook(database: database, time: clock)
        let sessions = try TokenBook(database: database, kind: .session, time: clock)
        let callers = CallerCheck(tokens: tokens, sessions: sessions, loopbackReads: false, time: clock)
        let made = try sessions.create(name: "phone", role: .operator)
        #expect(callers.session(of: head("aircheck_session=\(made.token)"))?.name == "phone")
        #expect(callers.session(of: head("other=1; aircheck_session=\(made.token)x")) == nil)
        #expect(tokens.role(of: made.token) == nil)
        clock.advance(bySeconds: 91 * 86_400)
        #expect(callers.session(of: head("aircheck_session=\(made.token)")) == nil)
    }

    @Test("sessions that have run out are not counted, are taken off the disk, and tokens last for ever")
    func runOut() throws {
        let folder = try TemporaryFolder("pairing")
        let database = try Database.open(
            folder.path("test.db"), schemas: [TokenBook.schema, TokenBook.sessionSchema])
        let clock = ManualTime()
        let sessions = try TokenBook(database: database, kind: .session, time: clock)
        let tokens = try TokenBook(database: database, time: clock)
        _ = try tokens.create(name: "radio", role: .viewer)
        for number in 1...3 { _ = try sessions.create(name: "phone \(number)", role: .operator) }
        clock.advance(bySeconds: 60 * 86_400)
        _ = try sessions.create(name: "tablet", role: .operator)
        clock.advance(bySeconds: 31 * 86_400)
        #expect(sessions.entries.map(\.name) == ["tablet"])
        #expect(try rows(database) == 4, "nobody has had to look yet")
        _ = try sessions.create(name: "laptop", role: .operator)
        #expect(try rows(database) == 2)
        clock.advance(bySeconds: 91 * 86_400)
        #expect(try TokenBook(database: database, kind: .session, time: clock).entries.isEmpty)
        #expect(try rows(database) == 0)
        #expect(try TokenBook(database: database, time: clock).entries.map(\.name) == ["radio"])
    }

    private func rows(_ database: Database) throws -> Int64 {
        try database.read { try $0.row("SELECT count(*) FROM session") { $0.int(0) } } ?? 0
    }

    private func head(_ cookie: String) -> RequestHead {
        var headers = HeaderFields()
        headers.add("cookie", cookie)
        return RequestHead(method: "GET", rawPath: "/", segments: [], headers: headers)
    }
}

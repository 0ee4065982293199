import Platform
import Store
import StreamFormats
import TestPrograms
import Testing

@testable import Recording

@Suite("The library's rows")
struct LibraryRowTests {
    @Test("a recording is found by word, station and time, with how far somebody has listened")
    func rows() throws {
        let folder = try TemporaryFolder("library")
        let database = try Database.open(folder.path("a.db"), schemas: [RecordingLibrary.schema])
        let library = RecordingLibrary(database: database)
        let rig = try RecordingRig()
        rig.title("Ada - One")
        rig.run(ticks: 8)
        rig.end()
        library.keep(rig.facts)
        _ = try database.write { _ in 0 }
        #expect(try library.list(.init(query: "ada")).map(\.id) == [rig.facts.id])
        #expect(try library.list(.init(query: "nobody")).isEmpty)
        let start = rig.facts.started
        #expect(try library.recordings(of: "demo", from: start, to: start.advanced(bySeconds: 1)).count == 1)
        #expect(
            try library.recordings(
                of: "demo", from: start.advanced(bySeconds: 60), to: start.advanced(bySeconds: 90)
            ).isEmpty)
        #expect(try library.progress(of: rig.facts.id) == nil)
        try library.setProgress(.init(seconds: 1.5, isPlayed: false), of: rig.facts.id)
        #expect(try library.progress(of: rig.facts.id) == .init(seconds: 1.5, isPlayed: false))
        try library.forget(rig.facts.id)
        #expect(try library.progress(of: rig.facts.id) == nil)
        database.close()
    }

    @Test(
        "lists and sums come from memory: what is kept, changed and forgotten shows at once, older rows too")
    func summaries() throws {
        let folder = try TemporaryFolder("summaries")
        let database = try Database.open(folder.path("a.db"), schemas: [RecordingLibrary.schema])
        let library = RecordingLibrary(database: database)
        let facts = try (0..<5).map { number -> RecordingFacts in
            let rig = try RecordingRig()
            rig.title("Ada - Song \(number)")
            rig.run(ticks: 4)
            rig.end()
            var facts = rig.facts
            facts.started = facts.started.advanced(bySeconds: Double(number))
            facts.show = number == 2 ? "Two" : nil
            return facts
        }
        for facts in facts.prefix(4) { library.keep(facts) }
        _ = try database.write { _ in 0 }
        let newest = facts.prefix(4).reversed().map(RecordingSummary.init)
        #expect(try library.summaries() == newest)
        #expect(try library.summaries(limit: 2, offset: 1) == Array(newest[1...2]))
        #expect(try library.summaries(.init(query: "song 3")).map(\.id) == [facts[3].id])
        library.keep(facts[4])
        #expect(try library.summaries(limit: 1).map(\.id) == [facts[4].id])
        var kept = facts[4]
        kept.keep = true
        library.keep(kept)
        #expect(try library.summaries(limit: 1).first?.keep == true)
        try library.forget(kept.id)
        #expect(try library.summaries() == newest)
        // As another program finds them: with rows that have no summary yet, and none of them in memory.
        _ = try database.write { try $0.run("UPDATE recording SET summary = NULL", []) }
        // Seconds are rounded on the way.
        let again = try RecordingLibrary(database: database).summaries()
        #expect(again.map(\.id) == newest.map(\.id) && again.map(\.show) == newest.map(\.show))
        #expect(again.map(\.bytes) == newest.map(\.bytes) && again.map(\.path) == newest.map(\.path))
        #expect(zip(again, newest).allSatisfy { abs($0.audioSeconds - $1.audioSeconds) < 1e-5 })
        _ = try database.write { _ in 0 }
        let empty = try database.read { connection in
            try connection.rows("SELECT count(*) FROM recording WHERE summary IS NULL") { $0.int(0) }
        }
        #expect(empty == [0])
        #expect(try RecordingLibrary(database: database).summaries() == again)
        database.close()
    }

    @Test("a recording outside the library's folder is found by its row after a crash")
    func elsewhere() throws {
        let folder = try TemporaryFolder("rows")
        let database = try Database.open(folder.path("a.db"), schemas: [RecordingLibrary.schema])
        let library = RecordingLibrary(database: database)
        let rig = try RecordingRig(disk: FakeDisk(folders: ["/r", "/library"]))
        rig.run(ticks: 8)
        rig.session.keep(journal: library)
        _ = try database.write { _ in 0 }
        let recorder = Recorder(disk: rig.disk, journal: library, time: rig.time)
        let closed = recorder.recover(folder: "/library", isDeep: true)
        #expect(closed.map(\.state) == [.interrupted])
        #expect(closed.first?.frames == 80)
        _ = try database.write { _ in 0 }
        #expect(recorder.recover(folder: "/library", isDeep: true).isEmpty)
        database.close()
    }
}

@Suite("Summaries in memory")
struct SummaryShelfTests {
    private func summary(_ number: Int, titles: Int = 0) throws -> RecordingSummary {
        var summary = RecordingSummary(try RecordingRig().facts)
        summary.id = RecordingID("r\(number)")
        summary.started = WallTime(nanoseconds: Int64(number))
        summary.titles = titles
        return summary
    }

    private func never() -> [RecordingSummary] {
        Issue.record("they are read again")
        return []
    }

    @Test("are read once, however much changes meanwhile, and what has changed is in the list")
    func changing() throws {
        let shelf = SummaryShelf()
        let rows = try (0..<4).map { try summary($0) }
        let (newer, changed) = (try summary(9), try summary(2, titles: 7))
        var reads = 0
        let all = try shelf.all {
            reads += 1
            // With every title of every recording that runs; a list that is read again and again would never end.
            if reads < 20 {
                shelf.put(newer, newer.id)
                shelf.put(changed, changed.id)
                shelf.put(nil, rows[0].id)
            }
            return rows
        }
        #expect(reads == 1)
        #expect(all == [newer, rows[3], changed, rows[1]])
        #expect(try shelf.all(never) == all)
        shelf.put(nil, newer.id)
        #expect(try shelf.all(never) == [rows[3], changed, rows[1]])
    }

    @Test("are read by one of those who ask at the same time; the others get what it finds")
    func together() throws {
        let shelf = SummaryShelf()
        let rows = try (0..<3).map { try summary($0) }
        let (reads, found, go) = (Lock(0), Lock<[[RecordingSummary]]>([]), Semaphore())
        let threads = (0..<4).map { number in
            WorkerThread(name: "asks \(number)") {
                let all = try? shelf.all {
                    reads.withLock { $0 += 1 }
                    go.wait()
                    return rows
                }
                found.withLock { $0.append(all ?? []) }
            }
        }
        #expect(eventually(within: 5) { reads.withLock { $0 } == 1 })
        #expect(!eventually(within: 0.3) { reads.withLock { $0 } > 1 })
        for _ in threads { go.signal() }
        for thread in threads { thread.join() }
        #expect(reads.withLock { $0 } == 1)
        #expect(found.withLock { $0 } == Array(repeating: Array(rows.reversed()), count: 4))
    }

    @Test("that could not be read are asked for anew by the next one")
    func failing() throws {
        let shelf = SummaryShelf()
        let row = try summary(1)
        #expect(throws: RecordingError.self) { try shelf.all { throw RecordingError.other("no disk") } }
        #expect(try shelf.all { [row] } == [row])
    }
}

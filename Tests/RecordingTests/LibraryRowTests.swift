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

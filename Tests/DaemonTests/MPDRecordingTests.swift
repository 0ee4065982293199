import Household
import JSONText
import MPDServer
import Platform
import Store
import StreamFormats
import TestPrograms
import Testing

@testable import AircheckDaemon
@testable import Recording

@Suite("Recordings as MPD's clients see them")
struct MPDRecordingTests {
    private static let began = WallTime(nanoseconds: 1_764_500_000_000_000_000)

    /// - Parameter seconds: of its file; nil where there is none.
    private func facts(
        _ id: String, _ state: RecordingFacts.State, seconds: Double?, hours: Double, show: String? = nil
    ) -> RecordingFacts {
        var part = RecordingPart(name: "a.mp3", startSeconds: 0)
        part.seconds = seconds ?? 0
        let started = Self.began.advanced(bySeconds: hours * 3600)
        var facts = RecordingFacts(
            id: RecordingID(id), state: state, stationID: "demo", stationName: "Demo FM", keep: false,
            started: started, ended: started, folder: "/r", parts: seconds == nil ? [] : [part], titles: [],
            gaps: [], clock: [])
        facts.show = show
        return facts
    }

    @Test("the newest first, what failed left out, one that runs as long as it is now, liked ones marked")
    func list() throws {
        let folder = try TemporaryFolder("mpd")
        let database = try Database.open(
            folder.path("a.db"), schemas: [Shelf.schema, RecordingLibrary.schema])
        let (library, shelf) = (RecordingLibrary(database: database), try Shelf(database))
        library.keep(facts("old", .finished, seconds: 60, hours: 0, show: "Nightwatch"))
        library.keep(facts("broken", .interrupted, seconds: 30, hours: 1))
        library.keep(facts("failed", .failed, seconds: nil, hours: 2))
        library.keep(facts("runs", .recording, seconds: 10, hours: 3))
        shelf.put(.mark, "old", ["starred": true])
        shelf.put(.mark, "failed", ["starred": true])
        shelf.put(.mark, "runs", ["archived": true])
        let shown = MPDRecordings(library: library, shelf: shelf) {
            [facts("runs", .recording, seconds: 50, hours: 3)]
        }
        #expect(shown.newest.map(\.id) == ["recordings/runs", "recordings/broken", "recordings/old"])
        #expect(shown.newest.map(\.recording?.duration) == [50, 30, 60])
        #expect(shown.newest.map(\.isFavourite) == [false, false, true])
        #expect(shown.starred.map(\.id) == ["recordings/old"])
        let day = LibraryRecordings.day(Self.began)
        #expect(shown.newest.last?.recording?.title == "Nightwatch, \(day)")
        #expect(shown.newest.last?.recording?.date == day)
        #expect(MPDRecordings.id(in: "recordings/old") == "old" && MPDRecordings.id(in: "old") == nil)
        database.close()
    }
}

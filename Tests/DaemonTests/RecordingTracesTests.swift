import ControlAPI
import Household
import JSONText
import Recording
import Store
import TestPrograms
import Testing

@testable import AircheckDaemon

@Suite("What there is of a recording beside its files")
struct RecordingTracesTests {
    /// A document of every kind that is about one recording.
    private func put(_ shelf: Shelf, about id: String) {
        shelf.put(.about, id, "Every night.")
        shelf.put(.mark, id, ["starred": true])
        for number in 1...3 { shelf.put(.bookmark, "\(id)/\(number)", ["seconds": .int(Int64(number))]) }
        for name in ["rating", "mood"] { shelf.put(.note, "recordings/\(id)\t\(name)", "8") }
    }

    private func keys(_ shelf: Shelf) -> [Shelf.Kind: [String]] {
        let kinds: [Shelf.Kind] = [.about, .mark, .bookmark, .note]
        return Dictionary(uniqueKeysWithValues: kinds.map { kind in (kind, shelf.all(kind).map(\.key)) })
    }

    @Test("all of it goes with the recording, also from the disk, and nothing of another's")
    func removed() throws {
        let folder = try TemporaryFolder("traces")
        func opened() throws -> (Database, Shelf) {
            let database = try Database.open(folder.path("a.db"), schemas: [Shelf.schema])
            return (database, try Shelf(database))
        }
        let (database, shelf) = try opened()
        let waveforms = Waveforms(folder: folder.path("waveforms"))
        // The other's id begins with this one's.
        let (gone, stays) = ("20261130-091400-demo", "20261130-091400-demo-2")
        put(shelf, about: stays)
        waveforms.keep([1, 2], of: RecordingID(stays))
        let others = keys(shelf)
        put(shelf, about: gone)
        waveforms.keep([3], of: RecordingID(gone))
        shelf.put(.queue, "queue", [.string(gone), .string(stays), .string(gone)])
        #expect(keys(shelf) != others)

        RecordingTraces(shelf: shelf, events: EventHub(), waveforms: waveforms).remove(RecordingID(gone))
        #expect(keys(shelf) == others)
        #expect(shelf[.queue, "queue"] == [.string(stays)])
        #expect(waveforms.read(RecordingID(gone)) == nil && waveforms.read(RecordingID(stays)) == [1, 2])
        // A measurement that was under way ends.
        waveforms.keep([4], of: RecordingID(gone))
        #expect(waveforms.read(RecordingID(gone)) == nil)
        database.close()
        let (again, read) = try opened()
        #expect(keys(read) == others && read[.queue, "queue"] == [.string(stays)])
        again.close()
    }
}

import ControlAPI
import Household
import JSONText
import Platform
import Recording
import Store
import StreamFormats
import TestPrograms
import Testing

@testable import AircheckDaemon
@testable import Playback

/// Knows every recording but those that are `gone`.
private struct AnyRecording: RecordingSource {
    func recording(_ id: String) -> PlayedRecording? {
        id == "gone"
            ? nil : PlayedRecording(id: id, title: id, stationID: "one", stationName: "One", length: 60)
    }

    func read(
        _ id: String, from seconds: Double, isWanted: @escaping () -> Bool, visit: (RecordedSound) -> Void
    ) throws(RecordingTrouble) {}
}

@Suite("The deck of recordings", .serialized)
struct RecordingDeckTests {
    private struct Asked: Hashable {
        var id: String
        var last: String
    }

    private let folder: TemporaryFolder
    private let shelf: Shelf
    private let deck: RecordingDeck
    private let asked = Lock<[Asked]>([])
    private let begun = Lock<(@Sendable () -> Void)?>(nil)

    init() throws {
        folder = try TemporaryFolder("deck")
        let database = try Database.open(
            folder.path("deck.db"), schemas: [Shelf.schema, RecordingLibrary.schema])
        shelf = try Shelf(database)
        deck = RecordingDeck(
            library: RecordingLibrary(database: database), source: AnyRecording(), shelf: shelf,
            events: EventHub())
        deck.start { [asked, begun] recording, _, last, follow in
            begun.withLock { $0 = follow }
            asked.withLock { $0.append(Asked(id: recording.id, last: last)) }
        }
    }

    private func queue(_ ids: String...) { shelf.put(.queue, "queue", .array(ids.map(JSONValue.string))) }
    private var queued: [String] { shelf[.queue, "queue"]?.array?.compactMap(\.string) ?? [] }

    private func end(_ id: String) {
        deck.moved(
            RecordingProgress(id: id, position: 60, length: 60, speed: 1, isMoving: false, hasEnded: true))
    }

    @Test("the first of the queue follows what was heard to its end, and leaves the queue when it is played")
    func follows() {
        queue("gone", "b", "c")
        end("a")
        #expect(eventually(within: 5) { asked.withLock { $0 } == [Asked(id: "b", last: "a")] })
        #expect(queued == ["b", "c"], "somebody may have tuned a station meanwhile")
        begun.withLock { $0 }?()
        #expect(eventually(within: 5) { queued == ["c"] })
        deck.stop()
    }

    @Test("what was put into the queue meanwhile stays in it")
    func changed() {
        queue("b")
        end("a")
        #expect(eventually(within: 5) { !asked.withLock { $0.isEmpty } })
        queue("c", "b", "d")
        begun.withLock { $0 }?()
        deck.stop()
        #expect(queued == ["c", "d"])
    }

    @Test("what is not played stays in the queue")
    func refused() {
        queue("b", "c")
        end("a")
        #expect(eventually(within: 5) { !asked.withLock { $0.isEmpty } })
        deck.stop()
        #expect(queued == ["b", "c"])
    }
}

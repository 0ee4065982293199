import Feed
import Platform
import Testing

@testable import Recording

@Suite("Spans out of recordings that overlap")
struct SpanTests {
    private static let hour = 3600.0
    private static let two = WallTime(nanoseconds: 50_400_000_000_000)

    /// A recording between two moments, seconds after two o'clock.
    private func recording(_ begin: Double, _ end: Double) -> RecordingFacts {
        let started = Self.two.advanced(bySeconds: begin)
        var part = RecordingPart(name: "a.mp3", startSeconds: 0)
        part.seconds = end - begin
        return RecordingFacts(
            id: RecordingID("\(begin)"), state: .finished, stationID: "demo", stationName: "Demo FM",
            keep: false,
            started: started.advanced(bySeconds: 0.2), ended: Self.two.advanced(bySeconds: end), folder: "/r",
            parts: [part], titles: [], gaps: [], clock: [ClockAnchor(seconds: 0, wall: started)])
    }

    /// The stretches that are taken, seconds after two o'clock.
    private func stretches(_ recordings: [RecordingFacts], _ from: Double, _ to: Double) -> [ClosedRange<
        Double
    >] {
        SpanExport.pieces(
            of: recordings, from: Self.two.advanced(bySeconds: from), to: Self.two.advanced(bySeconds: to)
        ).map { piece in
            let begin =
                (piece.facts.clock.first?.wall ?? Self.two).secondsSince1970 - Self.two.secondsSince1970
            return (begin + piece.begin).rounded()...(begin + piece.end).rounded()
        }
    }

    @Test("each second comes once, in order, though a show was recorded within an hour of the log")
    func within() {
        let recordings = [recording(0, Self.hour), recording(900, 2700), recording(Self.hour, 2 * Self.hour)]
        #expect(stretches(recordings, 0, 2 * Self.hour) == [0...Self.hour, Self.hour...2 * Self.hour])
        #expect(stretches(recordings, 1000, 2000) == [1000...2000])
    }

    @Test("a recording that reaches beyond the one before gives only its rest")
    func across() {
        let recordings = [recording(0, Self.hour), recording(900, 4500), recording(4000, 5000)]
        #expect(stretches(recordings, 600, 10_000) == [600...Self.hour, Self.hour...4500, 4500...5000])
    }

    @Test("what nobody recorded is left out, at both ends and between")
    func holes() {
        let recordings = [recording(100, 200), recording(300, 400)]
        #expect(stretches(recordings, 0, 500) == [100...200, 300...400])
        #expect(stretches(recordings, 210, 290).isEmpty)
    }
}

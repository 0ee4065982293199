import Platform
import StreamFormats
import Testing

@testable import Feed

@Suite("The rhythm in which sound arrives")
struct ArrivalRhythmTests {
    /// Seconds after the last arrival at which a station that sent with these pauses, over and over, counts as silent.
    private func patience(after pauses: [Double], rounds: Int = 20, segment: Double? = nil) -> Double? {
        var (rhythm, now) = (ArrivalRhythm(), ManualTime().now)
        rhythm.came(at: now)
        for pause in Array(repeating: pauses, count: rounds).joined() {
            now = now.advanced(bySeconds: pause)
            rhythm.came(at: now)
        }
        return rhythm.lasts(segment: segment).map { $0.seconds(since: now) }
    }

    @Test(
        "one more pause may last a little longer than the usual ones",
        arguments: [
            ([0.25], 0.55), ([0.1], 0.45), ([0.5, 0.75], 1.05), ([1.0], 1.3), ([0.25, 0.25, 0.3], 0.6),
        ])
    func usual(pauses: [Double], expected: Double) throws {
        #expect(abs(try #require(patience(after: pauses)) - expected) < 0.001)
    }

    @Test("one hiccup is no rhythm, and a break is none either")
    func hiccup() throws {
        #expect(try #require(patience(after: Array(repeating: 0.25, count: 15) + [0.9], rounds: 3)) < 0.56)
        #expect(try #require(patience(after: Array(repeating: 0.25, count: 7) + [20], rounds: 5)) < 0.56)
    }

    @Test("frames that are sent one by one are steady, not at once")
    func oneByOne() throws {
        #expect(try #require(patience(after: [0.026], rounds: 200)) < 0.46)
    }

    @Test("a station of which little is known may send in gusts")
    func young() throws {
        #expect(try #require(patience(after: [0.25], rounds: 1)) > 0.6)
    }

    @Test("segments are waited for as long as they last, and half as long again")
    func segments() throws {
        #expect(abs(try #require(patience(after: [6], segment: 6)) - 9) < 0.001)
    }

    @Test("where nothing ever came, nothing comes")
    func never() {
        #expect(ArrivalRhythm().lasts(segment: nil) == nil)
    }

    @Test("a feed says that sound comes while it does, and not after")
    func feed() throws {
        let time = ManualTime()
        let feed = Feed(station: Station(id: "a", name: "A", urls: []), time: time)
        #expect(!feed.isArriving)
        feed.publish(format: AudioFormat(codec: .mp3, sampleRate: 1000, channels: 2))
        for _ in 0..<20 {
            feed.publish(
                frames: FrameRun(bytes: [1, 2, 3, 4], frames: [FrameInfo(length: 4, samples: 250)]))
            time.advance(bySeconds: 0.25)
        }
        #expect(feed.isArriving)
        time.advance(bySeconds: 0.4)
        #expect(!feed.isArriving)
        feed.updateStatus { $0.segmentSeconds = 4 }
        #expect(feed.isArriving)
    }
}

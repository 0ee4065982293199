import Feed
import Platform
@testable import Playback
import StreamFormats
import Testing

/// Titles along a stream of seconds.
@Suite("Titles of what is heard")
struct TunedStreamTests {
    private let feed = Feed(
        station: Station(id: "one", name: "One", urls: []), limits: .init(seconds: 60, bytes: 1 << 20),
        time: ManualTime())

    init() { feed.publish(format: AudioFormat(codec: .mp3, sampleRate: 1000, channels: 2)) }

    private func play(_ seconds: Int) {
        for _ in 0..<seconds {
            feed.publish(
                frames: FrameRun(
                    bytes: [UInt8](repeating: 0, count: 100), frames: [FrameInfo(length: 100, samples: 1000)])
            )
        }
    }

    private func say(_ text: String, _ source: RawTitle.Source = .icy) {
        feed.publish(
            title: RawTitle(source: source, text: Array(text.utf8)),
            reading: TitleText(text: text, kind: .track))
    }

    /// What is shown at seconds after the beginning of what `reader` has read.
    private func shown(_ reader: FeedReader, from begin: Double = 0, at seconds: [Double]) -> [String?] {
        var stream = TunedStream(id: 1, station: feed.station, feed: feed, reader: reader)
        stream.pump(gain: 0) { _ in }
        return seconds.map { stream.title(at: Nanoseconds.of(begin + $0))?.text.text }
    }

    @Test(
        "what a connection says with its first metaint holds from its beginning; other titles begin where they stand",
        arguments: [(RawTitle.Source.icy, "A"), (.id3, nil), (.source, nil)] as [(RawTitle.Source, String?)])
    func first(source: RawTitle.Source, early: String?) {
        let reader = feed.open(name: "test")
        play(2)
        say("A", source)
        play(3)
        #expect(shown(reader, at: [0, 1.9, 2]) == [early, early, "A"])
    }

    @Test("what begins late is no introduction, nor is what follows a title that is valid")
    func later() {
        let reader = feed.open(name: "test")
        play(9)
        say("A")
        play(2)
        say("B")
        play(2)
        #expect(shown(reader, at: [0, 8.9, 9, 10.9, 11]) == [nil, nil, "A", "A", "B"])
    }

    @Test("a title of before a break is none of the connection that follows, unless that says nothing else")
    func rejoined() {
        say("Old")
        play(1)
        for hasNew in [false, true] {
            let reader = feed.open(name: "test")
            feed.publish(gap: .closed, from: .init(nanoseconds: 0), to: .init(nanoseconds: 1), lostSeconds: 0)
            let begin = Double(feed.position.nanoseconds) / 1e9
            play(2)
            if hasNew { say("New") }
            play(2)
            let expected = hasNew ? "New" : "Old"
            #expect(shown(reader, from: begin, at: [0, 1, 3]) == [expected, expected, expected])
        }
        // No break: what comes is a change.
        let reader = feed.open(name: "test")
        let begin = Double(feed.position.nanoseconds) / 1e9
        play(2)
        say("Next")
        play(1)
        #expect(shown(reader, from: begin, at: [0, 1.9, 2]) == ["New", "New", "Next"])
    }
}

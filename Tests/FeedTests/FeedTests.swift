import Feed
import Platform
import StreamFormats
import Testing

/// Feeds of one-second chunks: 100 bytes, 1000 samples at 1 kHz.
private func secondOfAudio(_ mark: UInt8) -> FrameRun {
    FrameRun(bytes: [UInt8](repeating: mark, count: 100), frames: [FrameInfo(length: 100, samples: 1000)])
}

private let format = AudioFormat(codec: .mp3, sampleRate: 1000, channels: 2)

private func feed(seconds: Double = 60, bytes: Int = 1 << 20) -> Feed {
    let feed = Feed(
        station: Station(id: "one", name: "One", urls: []), limits: .init(seconds: seconds, bytes: bytes),
        time: ManualTime())
    feed.publish(format: format)
    return feed
}

private func marks(_ batch: FeedBatch) -> [UInt8] {
    batch.events.flatMap { event -> [UInt8] in
        guard case .audio(let chunk) = event else { return [] }
        return stride(from: 0, to: chunk.bytes.count, by: 100).map { chunk.bytes[$0] }
    }
}

private func title(_ text: String) -> RawTitle { RawTitle(source: .icy, text: Array(text.utf8)) }

@Suite("Feed")
struct FeedTests {
    @Test("a live reader gets the format first, then only what comes after it joined")
    func liveReader() {
        let feed = feed()
        feed.publish(frames: secondOfAudio(1))
        let reader = feed.open(name: "late")
        feed.publish(frames: secondOfAudio(2))
        let batch = reader.read()
        guard case .format(let told, at: _)? = batch.events.first else {
            Issue.record("no format first")
            return
        }
        #expect(told == format)
        #expect(marks(batch) == [2])
    }

    @Test(
        "a burst goes back by seconds and by bytes, whichever is more",
        arguments: [
            (2.0, 0, [8, 9]), (0.0, 350, [6, 7, 8, 9]), (2.0, 350, [6, 7, 8, 9]), (99.0, 0, Array(0...9)),
        ])
    func burst(seconds: Double, bytes: Int, expected: [UInt8]) {
        let feed = feed()
        for mark in UInt8(0)...9 { feed.publish(frames: secondOfAudio(mark)) }
        let reader = feed.open(name: "burst", from: .burst(seconds: seconds, bytes: bytes))
        #expect(marks(reader.read()) == expected)
    }

    @Test("a stream that claims ages of audio comes to an end, not to an overflow")
    func agesOfAudio() {
        let feed = feed()
        let run = FrameRun(bytes: [1], frames: [FrameInfo(length: 1, samples: .max)])
        for _ in 0..<6000 { feed.publish(frames: run) }
        #expect(feed.position.nanoseconds < 2_000_000_000_000_000_000)
        #expect(feed.position.nanoseconds > 1_900_000_000_000_000_000)
    }

    @Test("what came before a long pause is no burst, and nothing is when the pause is now")
    func burstAfterPause() {
        let time = ManualTime()
        let feed = Feed(station: Station(id: "one", name: "One", urls: []), time: time)
        feed.publish(format: format)
        for mark in UInt8(0)...4 {
            feed.publish(frames: secondOfAudio(mark))
            time.advance(bySeconds: 1)
        }
        let start = FeedStart.burst(seconds: 60, bytes: 0)
        #expect(marks(feed.open(name: "soon", from: start).read()) == [0, 1, 2, 3, 4])
        time.advance(bySeconds: 60)
        let reader = feed.open(name: "an hour later", from: start)
        #expect(marks(reader.read()) == [])
        feed.publish(frames: secondOfAudio(5))
        #expect(marks(reader.read()) == [5])
        #expect(marks(feed.open(name: "after it", from: start).read()) == [5])
    }

    @Test("a title is bound to the frame it precedes and told to whoever joins later")
    func titles() {
        let feed = feed()
        feed.publish(frames: secondOfAudio(1))
        feed.publish(title: title("A"), reading: TitleText(text: "A", kind: .track))
        feed.publish(frames: secondOfAudio(2))
        #expect(feed.titles.first?.position == StreamPosition(bytes: 100, nanoseconds: 1_000_000_000))
        let reader = feed.open(name: "late", from: .oldest)
        let first = reader.read().events.map { event in
            switch event {
            case .format: "format"
            case .audio(let chunk): "audio \(chunk.bytes[0])"
            case .title(let mark): "title \(mark.text.text)"
            case .gap, .retitled: "other"
            }
        }
        #expect(first == ["format", "audio 1", "title A", "audio 2"])
    }

    @Test("a reader that came before the first frame is told format and title, however late it reads")
    func earlyReader() {
        let feed = Feed(
            station: Station(id: "one", name: "One", urls: []), limits: .init(seconds: 5), time: ManualTime())
        let reader = feed.open(name: "early")
        #expect(reader.read().events.isEmpty)
        feed.publish(format: format)
        feed.publish(title: title("A"), reading: TitleText(text: "A", kind: .track))
        feed.publish(title: title("B"), reading: TitleText(text: "B", kind: .track))
        for mark in UInt8(0)...9 { feed.publish(frames: secondOfAudio(mark)) }
        let batch = reader.read()
        guard case .format? = batch.events.first, case .title(let told)? = batch.events.dropFirst().first
        else {
            Issue.record("format and title do not come first: \(batch.events)")
            return
        }
        #expect(told.text.text == "B")
        #expect(marks(batch) == [4, 5, 6, 7, 8, 9])
        #expect(batch.skippedSeconds == 4)
    }

    @Test("a slow reader loses what left the window and is told how much")
    func slowReader() {
        let feed = feed(seconds: 3)
        let reader = feed.open(name: "slow")
        for mark in UInt8(0)...9 { feed.publish(frames: secondOfAudio(mark)) }
        let batch = reader.read()
        #expect(marks(batch) == [6, 7, 8, 9])
        #expect(batch.skippedSeconds == 6)
    }

    @Test("a patient reader loses nothing until its patience is used up")
    func patientReader() {
        let feed = feed(seconds: 3, bytes: 300)
        let reader = feed.open(name: "recorder", patience: 500)
        for mark in UInt8(0)...6 { feed.publish(frames: secondOfAudio(mark)) }
        #expect(reader.read().skippedSeconds == 0)
        for mark in UInt8(10)...29 { feed.publish(frames: secondOfAudio(mark)) }
        #expect(reader.read().skippedSeconds > 0)
    }

    @Test("audio time is counted in samples and does not drift over a day of odd frames")
    func noDrift() {
        let feed = Feed(station: Station(id: "d", name: "D", urls: []), time: ManualTime())
        feed.publish(format: AudioFormat(codec: .mp3, sampleRate: 44_100, channels: 2))
        let frame = FrameRun(bytes: [0], frames: [FrameInfo(length: 1, samples: 1152)])
        for _ in 0..<44_100 { feed.publish(frames: frame) }
        #expect(feed.position.nanoseconds == 1_152_000_000_000)
    }

    @Test("the first reader and the last one are announced, and nobody in between")
    func demand() {
        let told = Lock<[Int]>([])
        let feed = Feed(
            station: Station(id: "d", name: "D", urls: []), time: ManualTime(),
            demandChanged: { count in told.withLock { $0.append(count) } })
        let first = feed.open(name: "a")
        let second = feed.open(name: "b")
        first.close()
        first.close()
        second.close()
        #expect(told.withLock { $0 } == [1, 0])
    }

    @Test("hurry is for a station that waits for its next try, and for no other")
    func hurry() {
        let asked = Lock(0)
        let feed = Feed(
            station: Station(id: "d", name: "D", urls: []), time: ManualTime(),
            hurry: { asked.withLock { $0 += 1 } })
        for state in [FeedStatus.State.idle, .connecting, .live, .stalled, .failed, .waiting] {
            feed.updateStatus { $0.state = state }
            feed.hurry()
        }
        #expect(asked.withLock { $0 } == 1)
    }

    @Test("readers that can wait are told from those that cannot")
    func hurried() {
        let feed = feed()
        #expect(!feed.hasHurriedReaders)
        let recording = feed.open(name: "recording", patience: 1)
        #expect(!feed.hasHurriedReaders)
        let listener = feed.open(name: "listener")
        #expect(feed.hasHurriedReaders)
        listener.close()
        #expect(!feed.hasHurriedReaders)
        recording.close()
    }

    @Test("a reader is woken once, however much comes before it reads")
    func wakeOnce() {
        let feed = feed()
        let calls = Lock(0)
        let reader = feed.open(name: "r", wake: { calls.withLock { $0 += 1 } })
        for mark in UInt8(0)...5 { feed.publish(frames: secondOfAudio(mark)) }
        #expect(calls.withLock { $0 } == 1)
        _ = reader.read()
        feed.publish(frames: secondOfAudio(7))
        #expect(calls.withLock { $0 } == 2)
    }

    @Test("titles are read again when the charset is learned, and readers hear which changed")
    func redecoding() {
        let feed = feed()
        feed.publish(title: RawTitle(source: .icy, text: [0xCF]), reading: TitleText(text: "Ï", kind: .track))
        let reader = feed.open(name: "r")
        _ = reader.read()
        feed.redecodeTitles { _ in TitleText(text: "П", kind: .track) }
        guard case .retitled(let changed)? = reader.read().events.first else {
            Issue.record("nothing retitled")
            return
        }
        #expect(changed.map(\.text.text) == ["П"])
        #expect(feed.nowAiring?.text.text == "П")
    }
}

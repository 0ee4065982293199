import Feed
import Platform
import StreamFormats
import TestStations

@testable import Recording

/// A station of numbered frames and one recording of it, moved on by hand: no thread, no waiting.
final class RecordingRig {
    let source: NumberedFrames
    let time = ManualTime()
    let disk: FakeDisk
    let feed: Feed
    let settings: Recorder.Settings
    let events = Lock<[RecordingEvent]>([])
    let session: RecordingSession
    private(set) var nextFrame = 0

    init(
        _ kind: NumberedFrames.Kind = .mp3, target: RecordingRequest.Target = .whole(path: "/r/a.mp3"),
        disk: FakeDisk = FakeDisk(), settings: Recorder.Settings = Recorder.Settings(),
        change: (inout RecordingRequest) -> Void = { _ in }, warmUp: Int = 0
    ) throws {
        source = NumberedFrames(kind)
        self.disk = disk
        self.settings = settings
        feed = Feed(station: Station(id: "demo", name: "Demo FM", urls: []), time: time)
        feed.publish(format: Self.format(source))
        var request = RecordingRequest(target: target)
        change(&request)
        let told = events
        let make = Recorder(settings: settings, disk: disk, time: time) { event in
            told.withLock { $0.append(event) }
        }
        if warmUp > 0 { Self.publish(warmUp, from: 0, source, feed) }
        nextFrame = warmUp
        session = try make.makeSession(request, feed: feed)
    }

    static func format(_ source: NumberedFrames) -> AudioFormat {
        AudioFormat(codec: source.kind == .adts ? .aac : .mp3, sampleRate: source.sampleRate, channels: 2)
    }

    static func run(_ frames: Range<Int>, _ source: NumberedFrames) -> FrameRun {
        FrameRun(
            bytes: source.units(frames),
            frames: frames.map { _ in
                FrameInfo(length: Int32(source.frameLength), samples: Int32(source.samplesPerFrame))
            })
    }

    private static func publish(_ count: Int, from first: Int, _ source: NumberedFrames, _ feed: Feed) {
        feed.publish(frames: run(first..<first + count, source))
    }

    /// Time passes and so many frames come in.
    func play(frames count: Int) {
        time.advance(bySeconds: Double(count) * source.secondsPerUnit)
        Self.publish(count, from: nextFrame, source, feed)
        nextFrame += count
    }

    /// Plays in ticks of ten frames (a quarter of a second) each.
    @discardableResult
    func run(ticks: Int) -> RecordingSession.Outcome {
        var outcome = RecordingSession.Outcome.running
        for _ in 0..<ticks where outcome == .running {
            play(frames: 10)
            outcome = session.tick()
        }
        return outcome
    }

    func title(_ text: String, kind: TitleClass = .track) {
        feed.publish(
            title: RawTitle(source: .icy, text: Array(text.utf8)), reading: TitleText(text: text, kind: kind))
    }

    /// Ends it properly.
    func end() {
        session.shared.withLock { $0.endAsked = true }
        _ = session.tick()
        session.finish(journal: NoJournal())
    }

    var facts: RecordingFacts { session.shared.withLock { $0.status.facts } }

    /// The audio of all files of the recording, in order, without tags.
    var audio: [UInt8] {
        facts.parts.flatMap { part in
            (disk.bytes(facts.folder + "/" + part.name) ?? []).dropFirst(Int(part.audioOffset))
        }
    }

    var verdict: Judge.Verdict { Judge.verdict(on: audio, of: source) }
}

import Feed
import Glibc
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
    /// What has come and has not been read: it is published when somebody asks, or not at all.
    let unread = Lock<(feed: Feed, run: FrameRun)?>(nil)

    init(
        _ kind: NumberedFrames.Kind = .mp3, target: RecordingRequest.Target? = .whole(path: "/r/a.mp3"),
        disk: FakeDisk = FakeDisk(), settings: Recorder.Settings = Recorder.Settings(),
        sound: (any SoundSource)? = nil, pictures: any PictureSource = NoPictures(),
        change: (inout RecordingRequest) -> Void = { _ in }, warmUp: Int = 0
    ) throws {
        source = NumberedFrames(kind)
        self.disk = disk
        self.settings = settings
        feed = Feed(
            station: Station(id: "demo", name: "Demo FM", urls: []), time: time,
            catchUp: { [unread] done in
                let waiting = unread.withLock { unread in
                    defer { unread = nil }
                    return unread
                }
                if let (feed, run) = waiting { feed.publish(frames: run) }
                done()
            })
        feed.publish(format: Self.format(source))
        var request = RecordingRequest(target: target)
        change(&request)
        let told = events
        let make = Recorder(settings: settings, disk: disk, sound: sound, pictures: pictures, time: time) {
            event in
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

    /// So many frames come in and are left for later.
    func leave(frames count: Int) {
        let run = Self.run(nextFrame..<nextFrame + count, source)
        unread.withLock { $0 = (feed, run) }
        nextFrame += count
    }

    /// Plays in ticks of ten frames (a quarter of a second) each.
    @discardableResult
    func run(ticks: Int) -> RecordingSession.Outcome {
        var outcome = RecordingSession.Outcome.running
        for _ in 0..<ticks where outcome == .running {
            play(frames: 10)
            outcome = session.tick()
            awaitCutter()
        }
        return outcome
    }

    /// The cutter has a thread of its own; here nothing happens before it has answered.
    private func awaitCutter() {
        while session.work.tracks?.isWaiting == true, session.shared.withLock({ $0.answers.isEmpty }) {
            usleep(1000)
        }
    }

    func title(_ text: String, kind: TitleClass = .track) {
        let parts = text.split(separator: "-", maxSplits: 1).map { $0.trimmingPrefix(" ") }
        let reading = TitleText(
            text: text, artist: parts.count == 2 ? String(parts[0]).trimmed : nil,
            title: parts.last.map { String($0) },
            kind: kind)
        feed.publish(title: RawTitle(source: .icy, text: Array(text.utf8)), reading: reading)
    }

    /// Ends it properly.
    func end() {
        session.shared.withLock { $0.endAsked = true }
        _ = session.tick()
        _ = session.finish(journal: NoJournal())
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

extension String {
    fileprivate var trimmed: String { last == " " ? String(dropLast()) : self }
}

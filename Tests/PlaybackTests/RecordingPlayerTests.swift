import Feed
import Foundation
import Platform
import Playback
import StreamFormats
import TestPrograms
import TestSound
import Testing

/// A library with one recording, made of coded tones one after another.
final class OneRecording: RecordingSource {
    let recording: PlayedRecording
    private let frames: [FrameRun]
    private let format: AudioFormat
    /// Where reads began.
    let asked = Lock<[Double]>([])

    init(_ tone: Tone, chapters: [Double] = []) {
        (frames, format) = (tone.frames, tone.format)
        let length = Double(frames.reduce(0) { $0 + $1.samples }) / Double(format.sampleRate)
        recording = PlayedRecording(
            id: "r1", title: "Nightwatch", stationID: "one", stationName: "One", length: length,
            chapters: chapters.map { .init(seconds: $0, text: TitleText(text: "from \($0)", kind: .track)) })
    }

    func recording(_ id: String) -> PlayedRecording? { id == recording.id ? recording : nil }

    func read(
        _ id: String, from seconds: Double, isWanted: @escaping () -> Bool, visit: (RecordedSound) -> Void
    ) throws(RecordingTrouble) {
        guard id == recording.id else { throw RecordingTrouble("it is gone") }
        asked.withLock { $0.append(seconds) }
        var at = 0.0
        for run in frames where isWanted() {
            let length = Double(run.samples) / Double(format.sampleRate)
            if at + length > seconds { visit(RecordedSound(format: format, run: run, seconds: at)) }
            at += length
        }
    }
}

struct NoStations: FeedSource {
    func feed(of station: Station) -> Feed? { nil }
}

@Suite(
    "Player of recordings", .serialized,
    .enabled(if: RunningProgram.isInstalled("ffmpeg"), "ffmpeg is not installed"))
struct RecordingPlayerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("recording-player") }

    /// A sine whose pitch says the second: 1000 Hz in the first ten seconds, 2000 in the next, 3000 in the last.
    private func steps() throws -> Tone {
        try Tone(expression: "0.3*sin(2*PI*1000*(1+floor(t/10))*t)", seconds: 30, in: folder)
    }

    /// What a player writes to a WAV file while `play` is done with it.
    private func sound(
        _ source: OneRecording, told: @escaping @Sendable (RecordingProgress) -> Void = { _ in },
        _ play: (LivePlayer) throws -> Void
    ) throws -> Sound {
        let file = folder.path("out.wav")
        let descriptor = open(file, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        var options = PlayerOptions(output: .wav(descriptor: descriptor))
        options.recordingMoved = told
        let player = LivePlayer(options: options, source: NoStations(), recordings: source)
        try play(player)
        player.close()
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        return Sound(signed16: bytes.dropFirst(44), rate: 48_000, channels: 2)
    }

    private func position(_ player: LivePlayer) -> Double {
        player.status.position(at: SystemTime().wall) ?? -1
    }

    /// The position now, and when that is: a busy machine may take long over a sleep.
    private func look(_ player: LivePlayer) -> (WallTime, Double) {
        let now = SystemTime().wall
        return (now, player.status.position(at: now) ?? -1)
    }

    private func seconds(_ start: WallTime, _ end: WallTime) -> Double {
        end.secondsSince1970 - start.secondsSince1970
    }

    @Test("a seek is heard at the place that was asked for, and the position is that of the speaker")
    func seek() throws {
        let source = OneRecording(try steps())
        let sound = try sound(source) { player in
            player.hear(source.recording, from: 12)
            #expect(eventually(within: 10) { player.status.phase == .live })
            // Since then time has passed, by as much as the machine was busy.
            let status = player.status
            #expect(abs((status.position(at: status.since) ?? 0) - 12) < 0.3)
            Thread.sleep(forTimeInterval: 1)
            let asked = SystemTime().wall
            player.seek(to: 25)
            #expect(eventually(within: 5) { player.status.place > 24 && player.status.phase == .live })
            Thread.sleep(forTimeInterval: 0.5)
            let (first, there) = look(player)
            Thread.sleep(forTimeInterval: 0.5)
            let (second, further) = look(player)
            #expect(there > 25.1 && there < 25.3 + seconds(asked, first), "\(there)")
            #expect(abs(further - there - seconds(first, second)) < 0.4, "\(further)")
        }
        #expect(abs(sound.part(from: 0.2, to: 0.8).frequency - 2000) < 5)
        #expect(abs(sound.part(from: sound.seconds - 0.7, to: sound.seconds - 0.2).frequency - 3000) < 5)
        // Old and new are faded into each other: no hole.
        #expect(
            sound.part(from: 0.1, to: sound.seconds - 0.1).longestSilence(below: 0.02, step: 0.002) < 0.02)
    }

    @Test("what is deleted is left with the reason, and another's deletion is not heard")
    func deleted() throws {
        let source = OneRecording(try steps())
        _ = try sound(source) { player in
            player.hear(source.recording, from: 5)
            #expect(eventually(within: 10) { player.status.phase == .live })
            player.forget(recording: "another")
            player.setVolume(90)
            #expect(eventually(within: 5) { player.status.volume == 90 })
            #expect(player.status.phase == .live)
            player.forget(recording: source.recording.id)
            #expect(eventually(within: 5) { player.status.phase == .failed })
            #expect(player.status.reason == "the recording has been deleted")
        }
    }

    @Test("a pause is silence, and what follows is what came next")
    func pause() throws {
        let source = OneRecording(try steps())
        let sound = try sound(source) { player in
            player.hear(source.recording, from: 5)
            #expect(eventually(within: 10) { player.status.phase == .live })
            Thread.sleep(forTimeInterval: 0.6)
            player.pause()
            #expect(eventually(within: 5) { player.status.phase == .paused })
            Thread.sleep(forTimeInterval: 0.3)
            let there = position(player)
            Thread.sleep(forTimeInterval: 1)
            #expect(abs(position(player) - there) < 0.05)
            player.play()
            #expect(eventually(within: 5) { player.status.phase == .live })
            Thread.sleep(forTimeInterval: 0.6)
            let (now, further) = look(player)
            let passed = seconds(player.status.since, now)
            #expect(abs(further - there - passed) < 0.4, "\(further - there) in \(passed)")
        }
        let hole = sound.longestSilence(below: 0.005, step: 0.002)
        #expect(hole > 1 && hole < 2.5, "\(hole)")
        let steady = sound.part(from: 0.2, to: 0.5).roughness(at: 1000)
        #expect(
            sound.part(from: 0.1, to: sound.seconds - 0.1).roughness(at: 1000) < steady * 3 + 0.02, "no click"
        )
    }

    @Test("faster and slower keep the pitch, and the position goes as fast", arguments: [0.5, 1.5, 2.0, 3.0])
    func speed(speed: Double) throws {
        let source = OneRecording(try Tone(hertz: 1000, seconds: 30, in: folder))
        let sound = try sound(source) { player in
            player.setSpeed(speed)
            player.hear(source.recording, from: 0)
            #expect(eventually(within: 10) { player.status.phase == .live })
            let start = SystemTime().now
            let there = position(player)
            Thread.sleep(forTimeInterval: 3)
            let moved = (player.status.position(at: SystemTime().wall) ?? 0) - there
            let passed = SystemTime().now.seconds(since: start)
            #expect(abs(moved / passed - speed) < 0.15 * speed, "\(moved) in \(passed)")
        }
        let steady = sound.part(from: 0.5, to: 2.5)
        #expect(abs(steady.frequency - 1000) < 15, "\(steady.frequency)")
        #expect(steady.rms > 0.1)
    }

    @Test("it goes to sleep at a place of the recording, however that is reached, and stands there then")
    func sleepAtPlace() throws {
        let source = OneRecording(try Tone(hertz: 1000, seconds: 30, in: folder))
        _ = try sound(source) { player in
            player.hear(source.recording, from: 2)
            #expect(eventually(within: 10) { player.status.phase == .live })
            player.sleep(at: 20)
            #expect(eventually(within: 2) { player.status.sleepPlace == 20 })
            #expect(player.status.sleepAt == nil)
            Thread.sleep(forTimeInterval: 1)
            #expect(player.status.phase == .live, "it is a place and no time")
            player.seek(to: 18)
            player.setSpeed(2)
            #expect(eventually(within: 5) { player.status.phase == .stopped })
            #expect(abs(player.status.place - 20) < 0.6, "\(player.status.place)")
            #expect(player.status.sleepPlace == nil)
            // At the end of the recording it stops before that is heard out: nothing follows.
            player.hear(source.recording, from: 27)
            #expect(eventually(within: 5) { player.status.phase == .live })
            player.sleep(at: source.recording.length)
            #expect(eventually(within: 5) { player.status.phase == .stopped })
            #expect(player.status.recording != nil)
            // One that still grows has no end yet.
            var growing = source.recording
            growing.isGrowing = true
            player.hear(growing, from: 27)
            #expect(eventually(within: 5) { player.status.phase == .live })
            player.sleep(at: 600)
            #expect(eventually(within: 2) { player.status.sleepPlace == 600 })
            Thread.sleep(forTimeInterval: 1)
            #expect(player.status.sleepPlace == 600 && player.status.phase == .live)
            player.stop()
            #expect(eventually(within: 5) { player.status.phase == .stopped })
            // A place of what is not on is none.
            player.sleep(at: 5)
            Thread.sleep(forTimeInterval: 0.5)
            #expect(player.status.sleepPlace == nil)
        }
    }

    @Test("at its end it stops by itself and says so; the next play begins nothing")
    func end() throws {
        let source = OneRecording(try Tone(hertz: 1000, seconds: 3, in: folder))
        let told = Lock<[RecordingProgress]>([])
        let sound = try sound(source, told: { progress in told.withLock { $0.append(progress) } }) { player in
            player.hear(source.recording, from: 1)
            #expect(eventually(within: 10) { told.withLock { $0.last?.hasEnded == true } })
            #expect(eventually(within: 2) { player.status.phase == .stopped })
            #expect(player.status.recording == nil)
            player.play()
            Thread.sleep(forTimeInterval: 0.3)
            #expect(player.status.phase == .stopped)
        }
        #expect(abs(sound.seconds - 2) < 0.5, "\(sound.seconds)")
        let progress = told.withLock { $0 }
        #expect(progress.last?.hasEnded == true && progress.last?.position == source.recording.length)
        #expect(progress.count { $0.hasEnded } == 1)
    }

    @Test("what follows a recording is put on after it, unless something else has been asked for")
    func follow() throws {
        let tone = try Tone(hertz: Tone.loopable, seconds: 5, in: folder).middle
        let station = ToneStation("one", sending: tone)
        let source = OneRecording(try Tone(hertz: 1000, seconds: 3, in: folder))
        let (ends, begun) = (Lock(0), Lock(0))
        var options = PlayerOptions(output: .null)
        options.recordingMoved = { progress in if progress.hasEnded { ends.withLock { $0 += 1 } } }
        let player = LivePlayer(
            options: options, source: Dial(tones: ToneDial([station])), recordings: source)
        func hearOut(_ times: Int) {
            player.hear(source.recording, from: 2.5)
            #expect(eventually(within: 10) { ends.withLock { $0 } == times })
        }
        func follow(after id: String) {
            player.hear(source.recording, from: 0, after: id) { begun.withLock { $0 += 1 } }
        }
        hearOut(1)
        follow(after: "another")
        player.tune(station.station)
        follow(after: "r1")
        #expect(eventually(within: 10) { player.status.phase == .live })
        #expect(player.status.station?.id == "one" && player.status.recording == nil)
        #expect(begun.withLock { $0 } == 0)
        hearOut(2)
        follow(after: "r1")
        #expect(eventually(within: 10) { player.status.phase == .live && begun.withLock { $0 } == 1 })
        #expect(player.status.recording?.id == "r1")
        player.close()
    }

    @Test("a sleep timer goes on with what follows by itself, and ends with what somebody asks for")
    func sleepGoesOn() throws {
        let source = OneRecording(try Tone(hertz: 1000, seconds: 3, in: folder))
        let ends = Lock(0)
        var options = PlayerOptions(output: .null)
        options.recordingMoved = { progress in if progress.hasEnded { ends.withLock { $0 += 1 } } }
        let player = LivePlayer(options: options, source: NoStations(), recordings: source)
        player.hear(source.recording, from: 1.5)
        player.sleep(after: 600)
        #expect(eventually(within: 5) { player.status.sleepAt != nil })
        let asked = player.status.sleepAt
        #expect(eventually(within: 10) { ends.withLock { $0 } == 1 })
        player.hear(source.recording, from: 0, after: "r1") {}
        #expect(eventually(within: 10) { player.status.phase == .live })
        #expect(player.status.sleepAt == asked)
        #expect(eventually(within: 10) { ends.withLock { $0 } == 2 })
        #expect(player.status.sleepAt == asked)
        player.hear(source.recording, from: 0)
        #expect(eventually(within: 10) { player.status.phase == .live })
        #expect(player.status.sleepAt == nil)
        // One that runs out while nothing is on is over, and stops nothing that comes later.
        #expect(eventually(within: 10) { player.status.phase == .stopped })
        player.hear(source.recording, from: 0)
        player.sleep(after: 8, fade: 0)
        #expect(eventually(within: 10) { player.status.phase == .stopped && player.status.sleepAt != nil })
        #expect(eventually(within: 10) { player.status.sleepAt == nil })
        player.close()
    }

    @Test("a helper that is killed goes on where the recording was, and a paused one stays paused")
    func killed() throws {
        let source = OneRecording(try Tone(hertz: 1000, seconds: 30, in: folder))
        let player = LivePlayer(
            options: PlayerOptions(output: .null), source: NoStations(), recordings: source)
        player.hear(source.recording, from: 10)
        #expect(eventually(within: 10) { player.status.phase == .live })
        Thread.sleep(forTimeInterval: 1)
        let pid = player.helperPID
        try #require(pid > 0)
        kill(pid, SIGKILL)
        try #require(
            eventually(within: 5) {
                player.helperPID > 0 && player.helperPID != pid && player.status.phase == .live
            })
        #expect(abs(position(player) - 11) < 1, "\(position(player))")
        player.pause()
        #expect(eventually(within: 5) { player.status.phase == .paused })
        let there = position(player)
        let next = player.helperPID
        try #require(next > 0)
        kill(next, SIGKILL)
        Thread.sleep(forTimeInterval: 1.5)
        #expect(player.status.phase == .paused && abs(position(player) - there) < 0.1)
        player.play()
        #expect(eventually(within: 5) { position(player) > there + 0.3 })
        player.close()
    }

    @Test("what cannot be read is said, and nothing sounds")
    func trouble() throws {
        let source = OneRecording(try Tone(hertz: 1000, seconds: 3, in: folder))
        let player = LivePlayer(
            options: PlayerOptions(output: .null), source: NoStations(), recordings: source)
        var gone = source.recording
        gone.id = "r2"
        player.hear(gone, from: 0)
        #expect(
            eventually(within: 10) { player.status.phase == .failed && player.status.reason == "it is gone" })
        player.close()
    }
}

extension RecordingPlayerTests {
    @Test("a station is left for a recording and joined again without a hole")
    func liveAndBack() throws {
        let tone = try Tone(hertz: Tone.loopable, seconds: 5, in: folder).middle
        let station = ToneStation("one", sending: tone)
        let source = OneRecording(try Tone(hertz: 3000, seconds: 20, in: folder))
        let file = folder.path("both.wav")
        let descriptor = open(file, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        let player = LivePlayer(
            options: PlayerOptions(output: .wav(descriptor: descriptor)),
            source: Dial(tones: ToneDial([station])), recordings: source)
        player.tune(station.station)
        #expect(eventually(within: 10) { player.status.phase == .live })
        Thread.sleep(forTimeInterval: 0.5)
        player.pause()
        Thread.sleep(forTimeInterval: 0.3)
        #expect(player.status.phase == .live, "live has no pause")
        player.hear(source.recording, from: 0)
        #expect(eventually(within: 5) { player.status.recording != nil && player.status.phase == .live })
        #expect(eventually(within: 5) { station.feed.readerCount == 0 }, "the station is let go of")
        Thread.sleep(forTimeInterval: 0.5)
        player.tune(station.station)
        #expect(eventually(within: 5) { player.status.recording == nil && player.status.phase == .live })
        Thread.sleep(forTimeInterval: 0.5)
        player.close()
        close(descriptor)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        let sound = Sound(signed16: bytes.dropFirst(44), rate: 48_000, channels: 2)
        #expect(
            sound.part(from: 0.1, to: sound.seconds - 0.15).longestSilence(below: 0.02, step: 0.002) < 0.02)
    }
}

import Feed
import Foundation
import MediaHelper
import Platform
import Playback
import StreamFormats
import TestPrograms
import TestSound
import Testing

/// What a test of the player needs: stations, and a player whose sound it can look at.
struct Dial: FeedSource {
    let tones: ToneDial
    func feed(of station: Station) -> Feed? { tones.feed(of: station) }
}

@Suite("Live player", .enabled(if: RunningProgram.isInstalled("ffmpeg"), "ffmpeg is not installed"))
struct LivePlayerTests {
    @Test("a tone that goes in comes out of the WAV file", arguments: [ToneCodec.mp3, .aac])
    func toneThroughFile(codec: ToneCodec) throws {
        let folder = try TemporaryFolder("player")
        let tone = try Tone(hertz: 1000, as: codec, seconds: 15, in: folder)
        let station = ToneStation("one", sending: tone)
        let file = folder.path("out.wav")
        let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        let player = LivePlayer(
            options: PlayerOptions(output: .wav(descriptor: descriptor)),
            source: Dial(tones: ToneDial([station])))
        player.tune(station.station)
        #expect(eventually(within: 10) { player.status.phase == .live })
        Thread.sleep(forTimeInterval: 1.5)
        player.close()
        close(descriptor)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        let sound = Sound(signed16: bytes.dropFirst(44), rate: 48_000, channels: 2)
        let steady = sound.part(from: 0.2, to: 1.2)
        #expect(sound.seconds > 1.2)
        #expect(abs(steady.frequency - 1000) < 2)
        #expect(abs(steady.rms - Tone.amplitude / 2.0.squareRoot()) < 0.02)
    }
}

extension LivePlayerTests {
    @Test("a helper that is killed is back within a second, every time")
    func killed() throws {
        let folder = try TemporaryFolder("player")
        let station = ToneStation(
            "one", sending: try Tone(hertz: Tone.loopable, seconds: 5, in: folder).middle)
        let player = LivePlayer(
            options: PlayerOptions(output: .null), source: Dial(tones: ToneDial([station])))
        player.tune(station.station)
        #expect(eventually(within: 10) { player.status.phase == .live })
        var times: [Double] = []
        for _ in 0..<20 {
            let pid = player.helperPID
            let start = SystemTime().now
            kill(pid, SIGKILL)
            #expect(
                eventually(within: 10, every: 0.005) {
                    player.helperPID != pid && player.status.phase == .live
                })
            times.append(SystemTime().now.seconds(since: start))
        }
        print("back after \(times.sorted().map { Int($0 * 1000) }) ms")
        #expect((times.max() ?? 9) < 1)
        #expect(station.feed.readerCount == 1)
        player.close()
        #expect(station.feed.readerCount == 0)
    }

    @Test("a station that stalls is said to, and comes back by itself")
    func stall() throws {
        let folder = try TemporaryFolder("player")
        let tone = try Tone(hertz: Tone.loopable, seconds: 5, in: folder).middle
        let station = ToneStation("one", sending: tone, burst: 0.5)
        let player = LivePlayer(
            options: PlayerOptions(output: .null), source: Dial(tones: ToneDial([station])))
        player.tune(station.station)
        #expect(eventually(within: 10) { player.status.phase == .live })
        station.stall(true)
        #expect(eventually(within: 10) { player.status.phase == .stalled })
        station.feed.updateStatus {
            $0.state = .waiting
            $0.reason = "connection reset"
        }
        #expect(eventually(within: 5) { player.status.phase == .rejoining })
        #expect(player.status.reason == "connection reset")
        station.feed.updateStatus { $0.state = .live }
        station.stall(false)
        #expect(eventually(within: 10) { player.status.phase == .live })
        #expect(player.meters.underruns == 1)
        player.close()
    }

    @Test("the title shown is that of what is heard, not of what arrives")
    func heardTitle() throws {
        let folder = try TemporaryFolder("player")
        let tone = try Tone(hertz: Tone.loopable, seconds: 5, in: folder).middle
        let station = ToneStation("one", sending: tone, burst: 3)
        func say(_ text: String) {
            station.feed.publish(
                title: RawTitle(source: .icy, text: Array(text.utf8)),
                reading: TitleText(text: text, kind: .track))
        }
        say("First")
        let player = LivePlayer(
            options: PlayerOptions(output: .null), source: Dial(tones: ToneDial([station])))
        player.tune(station.station)
        #expect(eventually(within: 10) { player.status.phase == .live })
        say("Second")
        let start = SystemTime().now
        #expect(eventually(within: 10) { player.status.title?.text.text == "Second" })
        let delay = SystemTime().now.seconds(since: start)
        // The cushion is 3 s: so much later it is heard.
        #expect(delay > 2 && delay < 4)
        player.close()
    }

    @Test("neighbours are connected while a station plays, and let go of when it stops")
    func warm() throws {
        let folder = try TemporaryFolder("player")
        let tone = try Tone(hertz: Tone.loopable, seconds: 5, in: folder).middle
        let stations = ["a", "b", "c", "d", "e"].map { ToneStation($0, sending: tone) }
        let dial = ToneDial(stations)
        let player = LivePlayer(options: PlayerOptions(output: .null), source: Dial(tones: dial))
        player.tune(dial.list[1], among: dial.list)
        #expect(eventually(within: 10) { player.status.phase == .live })
        #expect(stations.map(\.feed.readerCount) == [1, 1, 1, 0, 0])
        player.next()
        #expect(
            eventually(within: 10) {
                stations.map(\.feed.readerCount) == [0, 1, 2, 1, 0]
                    || player.status.station?.id == "c" && player.status.phase == .live
            })
        #expect(eventually(within: 10) { stations.map(\.feed.readerCount) == [0, 1, 1, 1, 0] })
        player.stop()
        #expect(eventually(within: 10) { stations.map(\.feed.readerCount) == [0, 0, 0, 0, 0] })
        #expect(player.status.phase == .stopped)
        player.close()
    }

    @Test("the old station sounds until the new one has audio, and not for ever")
    func oldSoundsOn() throws {
        let folder = try TemporaryFolder("player")
        let tone = try Tone(hertz: Tone.loopable, seconds: 5, in: folder).middle
        let (good, mute) = (ToneStation("good", sending: tone), ToneStation("mute", sending: tone, burst: 0))
        mute.stall(true)
        var options = PlayerOptions(output: .null)
        options.patience = 1
        let player = LivePlayer(options: options, source: Dial(tones: ToneDial([good, mute])))
        player.tune(good.station)
        #expect(eventually(within: 10) { player.status.phase == .live })
        player.tune(mute.station)
        #expect(eventually(within: 5) { player.status.phase == .joining })
        #expect(player.status.heardStation?.id == "good")
        #expect(eventually(within: 0.8) { player.meters.levels.rms.x > 0.1 })
        #expect(eventually(within: 5) { player.meters.levels.rms.x == 0 })
        player.close()
    }

    @Test("the sleep timer fades and stops")
    func sleep() throws {
        let folder = try TemporaryFolder("player")
        let station = ToneStation(
            "one", sending: try Tone(hertz: Tone.loopable, seconds: 5, in: folder).middle)
        let file = folder.path("out.wav")
        let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        let player = LivePlayer(
            options: PlayerOptions(output: .wav(descriptor: descriptor)),
            source: Dial(tones: ToneDial([station])))
        player.tune(station.station)
        #expect(eventually(within: 10) { player.status.phase == .live })
        player.sleep(after: 2, fade: 1)
        #expect(eventually(within: 1) { player.status.sleepAt != nil })
        #expect(eventually(within: 10) { player.status.phase == .stopped })
        #expect(player.status.sleepAt == nil)
        player.close()
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        let sound = Sound(signed16: bytes.dropFirst(44), rate: 48_000, channels: 2)
        let envelope = sound.envelope(step: 0.1)
        let loud = envelope.firstIndex { $0 < 0.9 * envelope[3] && $0 > 0 } ?? 0
        #expect(loud >= 5)
        let falling = envelope[loud..<min(loud + 8, envelope.count)]
        #expect(zip(falling, falling.dropFirst()).allSatisfy { $0 > $1 })
    }

    @Test("volume, mute and gain change the sound and click nowhere")
    func volume() throws {
        let folder = try TemporaryFolder("player")
        let station = ToneStation(
            "one", sending: try Tone(hertz: Tone.loopable, seconds: 5, in: folder).middle)
        let file = folder.path("out.wav")
        let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        let player = LivePlayer(
            options: PlayerOptions(output: .wav(descriptor: descriptor)),
            source: Dial(tones: ToneDial([station])))
        player.tune(station.station)
        #expect(eventually(within: 10) { player.status.phase == .live })
        let steps: [(LivePlayer) -> Void] = [
            { $0.setVolume(50) }, { $0.setVolume(100) }, { $0.setMuted(true) }, { $0.setMuted(false) },
            { $0.setGain(6) },
            { $0.setGain(-6) },
        ]
        for step in steps {
            step(player)
            Thread.sleep(forTimeInterval: 1)
        }
        player.close()
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        let sound = Sound(signed16: bytes.dropFirst(44), rate: 48_000, channels: 2)
        let levels = Set(
            sound.envelope(step: 0.1).map { Int(($0 / (Tone.amplitude / 2.0.squareRoot()) * 100).rounded()) })
        // 12.5 % at volume 50, nothing when muted, double and half at ±6 dB.
        for wanted in [100, 12, 0, 200, 50] {
            #expect(levels.contains { abs($0 - wanted) <= 3 }, "\(wanted) in \(levels.sorted())")
        }
        #expect(sound.part(from: 0.1, to: sound.seconds - 0.1).roughness(at: Tone.loopable) < 0.02)
    }
}

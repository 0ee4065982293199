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
        let player = LivePlayer(options: PlayerOptions(output: .wav(descriptor: descriptor)), source: Dial(tones: ToneDial([station])))
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

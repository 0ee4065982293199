import Foundation
import MediaHelper
import Platform
import StreamFormats
import TestPrograms
import TestSound
import Testing

@Suite("Live transcoder", .enabled(if: RunningProgram.isInstalled("ffmpeg"), "ffmpeg is not installed"))
struct TranscoderTests {
    @Test("any codec comes out as MP3 of the same sound", arguments: ToneCodec.allCases)
    func transcode(codec: ToneCodec) throws {
        let folder = try TemporaryFolder("transcode")
        let tone = try Tone(hertz: 800, as: codec, seconds: 6, in: folder)
        let encoded = Lock([UInt8]())
        let transcoder = LiveTranscoder(
            bitrate: 96, encoded: { _, bytes in encoded.withLock { $0 += bytes } },
            failed: { Issue.record("\($0)") })
        transcoder.change(to: tone.format)
        // What is pushed before the process is there waits for it.
        for frame in tone.frames { transcoder.push(frame, at: 0) }
        #expect(eventually(within: 10) { encoded.withLock { $0.count } > 60_000 })
        transcoder.end()
        let mp3 = try Tone(bytes: encoded.withLock { $0 })
        #expect(mp3.format.codec == .mp3)
        #expect(mp3.format.sampleRate == 44_100)
        let worker = MediaWorker(binary: try HelperBinary.find())
        let sound = try worker.decode(format: mp3.format, frames: mp3.run)
        let heard = Sound(samples: sound.samples.map { Float($0) / 32768 }, rate: sound.sampleRate)
        #expect(abs(heard.part(from: 1, to: 4).frequency - 800) < 1)
    }
}

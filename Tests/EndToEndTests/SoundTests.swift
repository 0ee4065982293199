import Foundation
import JSONText
import TestPrograms
import TestSound
import Testing

/// What goes in at the studio comes out of the loudspeaker.
@Suite(
    "EndToEnd: sound", .serialized,
    .enabled(
        if: ["icecast2", "pulseaudio", "parec", "sox"].allSatisfy(RunningProgram.isInstalled),
        "needs icecast2, pulseaudio and sox"))
struct SoundTests {
    @Test(
        "the tone that a station sends is what the sink's monitor hears",
        arguments: [FFmpegSource.Coding.mp3, .aac])
    func tone(coding: FFmpegSource.Coding) throws {
        let folder = try TemporaryFolder("sound")
        let icecast = try Icecast(in: folder)
        let pulse = try PulseServer(in: folder)
        let source = try FFmpegSource.tone(1000, as: coding, to: icecast, mount: "tone", in: folder)
        try icecast.awaitSources("tone", in: folder)
        let service = try AircheckService(
            in: folder,
            stations:
                "[[station]]\nid = \"tone\"\nname = \"Tone\"\nurls = [\"\(icecast.url("tone"))\"]\nlocal = true\n",
            environment: ["PULSE_SERVER": pulse.address])
        try service.call("POST", "/api/v1/player/play", ["station": "tone"])
        #expect(eventually(within: 15) { (try? service.get("/api/v1/player")["state"]?.string) == "live" })
        Thread.sleep(forTimeInterval: 1)
        let ear = try pulse.listen(to: "heard")
        Thread.sleep(forTimeInterval: 3)
        ear.stop()
        service.stop()
        source.stop()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: ear.outputPath))
        let sound = Sound(signed16: bytes, rate: 44_100, channels: 2)
        #expect(sound.seconds > 1.8)
        let heard = sound.part(from: 0.45, to: 1.45).usualFrequency
        #expect(abs(heard - 1000) < 2, "\(heard) Hz")
    }
}

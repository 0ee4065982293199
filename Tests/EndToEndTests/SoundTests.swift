import Foundation
import JSONText
import TestPrograms
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
        Thread.sleep(forTimeInterval: 2)
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
        let samples = try Self.left(Data(contentsOf: URL(fileURLWithPath: ear.outputPath)))
        #expect(samples.count > 80_000)
        let middle = Array(samples.dropFirst(20_000).prefix(44_100))
        #expect(abs(Self.frequency(middle) - 1000) < 5, "\(Self.frequency(middle)) Hz")
    }

    /// Left channel of 16 bit stereo.
    private static func left(_ data: Data) -> [Double] {
        stride(from: 0, to: data.count - 3, by: 4).map { place in
            Double(Int16(bitPattern: UInt16(data[place]) | UInt16(data[place + 1]) << 8))
        }
    }

    /// Rising zero crossings in a second.
    private static func frequency(_ samples: [Double]) -> Double {
        let crossings = zip(samples, samples.dropFirst()).count { $0.0 < 0 && $0.1 >= 0 }
        return Double(crossings) * 44_100 / Double(samples.count)
    }
}

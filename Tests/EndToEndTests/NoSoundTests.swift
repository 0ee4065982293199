import JSONText
import TestPrograms
import TestStations
import Testing

/// A machine whose sound server is not there.
@Suite("EndToEnd: no sound", .serialized)
struct NoSoundTests {
    @Test("the player plays on without a sound server, and says that nothing is heard and why")
    func named() throws {
        let folder = try TemporaryFolder("no-sound")
        let air = try ScriptedStation(
            Programme(NumberedFrames(.mp3)), script: { _ in Step.icecast() + [.burst(3), .play(60)] })
        let service = try AircheckService(
            in: folder,
            stations: "[[station]]\nid = \"air\"\nname = \"Air\"\nurls = [\"\(air.url())\"]\nlocal = true\n",
            settings: "",
            environment: ["PULSE_SERVER": "unix:" + folder.path("nobody")])
        defer {
            service.stop()
            air.stop()
        }
        #expect(try !service.command(["now"]).output.contains("no sound"), "nothing is tuned")
        #expect(try service.command(["play", "air"]).exitCode == 0)
        #expect(
            eventually(within: 10) {
                let line = (try? service.command(["now"]).output) ?? ""
                return line.hasPrefix("Air · live · ") && line.contains(" · no sound: ")
            })
    }
}

import JSONText
import Testing

@testable import AircheckCLI

@Suite("The player in one line")
struct PlayerLineTests {
    private func player(_ more: [JSONValue.Member]) -> JSONValue {
        .object([.init("volume", 80)] + more)
    }

    @Test("a lost sound server is named while something is tuned, and only then")
    func noSound() {
        let output = JSONValue.Member("output", "lost: sound server: Connection refused")
        let tuned = player([
            .init("state", "live"), .init("station", ["id": "demo", "name": "Demo"]), output,
        ])
        #expect(
            PlayerCommands.line(tuned)
                == "Demo · live · no sound: sound server: Connection refused · volume 80")
        let silent = player([.init("state", "stopped"), output])
        #expect(PlayerCommands.line(silent) == "no station · stopped · volume 80")
    }

    @Test("a recording has its place and its speed")
    func recording() {
        let heard = player([
            .init("state", "playing"), .init("output", "null"),
            .init(
                "recording", ["title": "Night, 2026-11-30", "position": 61, "seconds": 3600, "speed": 1.5]),
        ])
        #expect(
            PlayerCommands.line(heard)
                == "Night, 2026-11-30 · playing · 1:01 of 1:00:00 · 1.5 times as fast · volume 80")
    }
}

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

    @Test(
        "a sleep timer is told with its end, a time or a place of the recording",
        arguments: [
            ("sleep_seconds", 1800, "sleeps in 30m"),
            ("sleep_at", 754, "sleeps at 12:34 of the recording"),
        ] as [(String, Double, String)])
    func sleep(member: String, value: Double, words: String) {
        let heard = player([
            .init("state", "playing"), .init("recording", ["title": "Night, 2026-11-30"]),
            .init("sleep_seconds", .null), .init("sleep_at", .null),
        ])
        #expect(PlayerCommands.line(heard) == "Night, 2026-11-30 · playing · volume 80")
        let timed = player([
            .init("state", "playing"), .init("recording", ["title": "Night, 2026-11-30"]),
            .init(member, .number(value)),
        ])
        #expect(PlayerCommands.line(timed) == "Night, 2026-11-30 · playing · volume 80 · \(words)")
    }
}

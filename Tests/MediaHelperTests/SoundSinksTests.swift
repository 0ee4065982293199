import Testing

@testable import MediaHelper

@Suite("Sinks of the sound server")
struct SoundSinksTests {
    private func parsed(_ text: String) -> [SoundSink]? { SoundSink.parse(Array(text.utf8)) }

    @Test("are read a line each, name and description apart")
    func lines() {
        #expect(
            parsed("alsa.hdmi\tLiving room\nplain\n\n") == [
                SoundSink(name: "alsa.hdmi", description: "Living room"),
                SoundSink(name: "plain", description: "plain"),
            ])
        #expect(parsed("\n\n") == [])
        #expect(parsed("a\tb\tc\n\n") == [SoundSink(name: "a", description: "b\tc")])
    }

    @Test(
        "an answer that was cut short is none",
        arguments: ["", "a\tb", "a\tb\n", "a\tb\nc", "\u{0}\u{0}"])
    func cut(text: String) { #expect(parsed(text) == nil) }

    @Test("what is no UTF-8 does not trap")
    func foreign() { #expect(SoundSink.parse([0xFF, 0xFE, 0x09, 0x80, 0x0A, 0x0A])?.count == 1) }
}

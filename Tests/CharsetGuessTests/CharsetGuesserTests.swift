import CharsetGuess
import StreamFormats
import Testing

@Suite("Charset guess")
struct CharsetGuesserTests {
    @Test("reads charsets of two bytes a character, and leaves out a character that was cut off")
    func multiByte() {
        #expect(CharsetGuesser.decode([0x93, 0xFA, 0x96, 0x7B, 0x8C], "Shift_JIS") == "日本")
        #expect(CharsetGuesser.decode([0x41], "no-such-charset") == nil)
    }
}

import Testing

@testable import AircheckCLI

@Suite("Searching in the terminal player")
struct TuneSearchTests {
    @Test("letters are taken, the last is taken back, and control characters are not letters")
    func typing() {
        var search = TuneSearch()
        for key in "jazö" { search.type(key) }
        search.type("\u{7F}")
        search.type("\u{1}")
        search.type("z")
        #expect(search.text == "jazz")
        for _ in 0..<200 { search.type("x") }
        #expect(search.text.count == 60)
    }
}

import StreamFormats
import Testing

@Suite("Titles: rules as people write them")
struct TitleRulesTests {
    private static let lines = [
        "strip-start \"Now playing: \"", "strip-end \" | Radio One\"", "separator \" / \"",
        "track Band - Spot *",
        "advert *spot*", "advert Second one", "ident the sound of", "talk Late Show*", "nothing coming up",
        "swap", "whole",
        "no-word-list", "offset -2.5",
    ]

    @Test("come back as they were read")
    func roundTrip() throws {
        let rules = try TitleRules(lines: Self.lines)
        #expect(rules.lines == Self.lines)
        #expect(
            rules.stripPrefixes == ["Now playing: "] && rules.separators == [" / "]
                && rules.offset == .milliseconds(-2500))
        #expect(try TitleRules(lines: []) == TitleRules() && TitleRules().lines == [])
        #expect(
            try TitleRules(lines: ["  SWAP ", "talk   two  blanks "]).lines == ["talk two  blanks", "swap"])
    }

    @Test(
        "say what is wrong and what would be right",
        arguments: [
            ("adverts x", "write one of strip-start"), ("advert", "nothing to look for"), ("", "empty"),
            ("offset soon", "between -600 and 600"), ("offset nan", "between -600 and 600"),
            ("offset 1e9", "between"),
            (String(repeating: "x", count: 400), "longer than 300"),
        ])
    func mistakes(line: String, words: String) {
        #expect { try TitleRules(lines: [line]) } throws: { "\($0)".contains(words) }
    }

    @Test("each word of the table is one that is read")
    func table() {
        for (word, _) in TitleRules.words {
            let line = word.replacing("SECONDS", with: "3")
            #expect(throws: Never.self) { try TitleRules(lines: [line]) }
        }
    }
}

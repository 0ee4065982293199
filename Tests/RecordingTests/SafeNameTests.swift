import Platform
import Testing

@testable import Recording

@Suite("File names")
struct SafeNameTests {
    @Test(
        "hostile titles become one harmless component",
        arguments: [
            ("../../.ssh/authorized_keys", "_..-..-.ssh-authorized_keys"), ("/etc/passwd", "_-etc-passwd"),
            ("..\\..\\x", "_..-..-x"), (".", "untitled"), ("..", "untitled"), ("", "untitled"),
            ("   ", "untitled"),
            ("．．／x", "_..-x"), ("NUL", "_NUL"), ("nul.txt", "_nul.txt"), ("COM1", "_COM1"),
            ("-rf --help $(id)", "_-rf --help $(id)"),
            (".hidden", "_.hidden"), ("~root", "_~root"), ("a\u{0}b\u{1B}[2Jc", "ab[2Jc"),
            ("tab\there", "tab here"),
            ("News\nat ten\r\n", "News at ten"), ("evil\u{202E}3pm.exe", "evil3pm.exe"),
            ("AC/DC - Back?", "AC-DC - Back_"),
            ("A: B * <C> |D| \"E\" \\ F", "A- B _ (C) -D- 'E' - F"), ("trailing. . .", "trailing"),
            ("12:06:47", "12-06-47"),
            ("it's a test'; not the end", "it's a test'; not the end"), ("Ünïcödé – Щука", "Ünïcödé – Щука"),
        ])
    func hostile(title: String, name: String) {
        #expect(SafeName.component(title) == name)
    }

    @Test("long names are cut between characters, and never beyond 240 bytes with all that is added")
    func long() {
        let kanji = SafeName.component(String(repeating: "日", count: 120))
        #expect(kanji.utf8.count <= SafeName.stemLimit)
        #expect(kanji.allSatisfy { $0 == "日" })
        let family = SafeName.component(String(repeating: "👨‍👩‍👧‍👦", count: 40))
        #expect(Set(family).count == 1)
        #expect("\(kanji) (9999).opus.part".utf8.count <= 240)
        let piled = SafeName.component("e" + String(repeating: "\u{301}", count: 3000))
        #expect(!piled.isEmpty && piled.utf8.count <= SafeName.stemLimit)
    }

    @Test("whatever comes in, one component comes out, and again the same")
    func anything() {
        var chance = SystemRandomNumberGenerator()
        for _ in 0..<5_000 { check(randomText(&chance)) }
    }

    @Test("a million random titles", .enabled(if: LongRuns.areOn, "set AIRCHECK_TESTS=all"))
    func million() {
        var chance = SystemRandomNumberGenerator()
        for _ in 0..<1_000_000 { check(randomText(&chance)) }
    }

    private func check(_ text: String) {
        let name = SafeName.component(text)
        let isGood =
            !name.isEmpty && name != "." && name != ".." && name.utf8.count <= SafeName.stemLimit
            && !name.utf8.contains { $0 == 0x2F || $0 == 0x5C || $0 < 0x20 || $0 == 0x7F }
            && !name.hasPrefix(".") && !name.hasPrefix("-") && !name.hasSuffix(" ") && !name.hasSuffix(".")
            && !name.unicodeScalars.contains { TerminalText.isUnsafe($0) } && SafeName.component(name) == name
        #expect(isGood, "\(Array(text.unicodeScalars.map(\.value))) became \(name)")
    }

    private func randomText(_ chance: inout SystemRandomNumberGenerator) -> String {
        let nasty = Array("./\\-~ :*?\"<>|\u{0}\t\nCONULPT1e\u{301}\u{202E}\u{FF0E}\u{FF0F}日👨‍👩‍👧".unicodeScalars)
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<40, using: &chance) {
            if Bool.random(using: &chance), let scalar = nasty.randomElement(using: &chance) {
                text.append(scalar)
            } else if let scalar = Unicode.Scalar(UInt32.random(in: 0..<0x11_0000, using: &chance)) {
                text.append(scalar)
            }
        }
        return String(text)
    }
}

@Suite("Name templates")
struct NameTemplateTests {
    private func values() -> NameValues {
        var values = NameValues(
            station: "Demo FM", stationID: "demo", start: WallTime(secondsSince1970: 1_700_000_000), number: 7
        )
        values.artist = "AC/DC"
        values.title = "Back?"
        return values
    }

    @Test(
        "values fill placeholders and never make folders",
        arguments: [
            ("{station}/{artist} - {title}.{ext}", ["Demo FM"], "AC-DC - Back_"),
            ("{n:03} {artist? - }{show?: }{title}", [], "007 AC-DC - Back_"),
            ("{show|station} {year}", [], "Demo FM 2023"),
        ])
    func fills(template: String, folders: [String], stem: String) throws {
        let path = try NameTemplate(template).path(values())
        #expect(path.folders == folders)
        #expect(path.stem == stem)
    }

    @Test("a piece without a title is named after station and time")
    func untitled() throws {
        var values = values()
        (values.artist, values.title) = (nil, "")
        let stem = NameTemplate.track.path(values).stem
        #expect(stem.hasPrefix("Demo FM 2023-11-1"))
    }

    @Test("a template that cannot work says why", arguments: ["", "{nonsense}", "{title", "a/b/c/d/e/f/g"])
    func mistakes(template: String) {
        #expect(throws: NameTemplate.Mistake.self) { try NameTemplate(template) }
    }

    @Test("every placeholder that there is stands in the documentation")
    func documented() throws {
        let page = try String(
            contentsOfFile: #filePath.replacing(
                "Tests/RecordingTests/SafeNameTests.swift", with: "docs/recordings.md"), encoding: .utf8)
        for name in NameTemplate.names {
            #expect(page.contains("`{\(name)}`") || page.contains("`{\(name):"), "{\(name)}")
        }
    }

    @Test("the built-in templates are right")
    func builtIn() {
        for template in [NameTemplate.whole, .wholeHere, .track, .libraryTrack] {
            #expect(template.path(values()).stem != SafeName.untitled)
        }
    }
}

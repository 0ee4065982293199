import Testing

@testable import TOMLText

@Suite("TOML text")
struct TOMLTextTests {
    @Test("keeps the order and the place of every key")
    func order() throws {
        let document = try TOMLValue.parse(
            "zulu = 1\nalpha = \"x\"\n[[station]]\n  id = 'a'\n", file: "t.toml")
        let entries = try #require(document.entries)
        #expect(entries.map(\.key) == ["zulu", "alpha", "station"])
        let station = try #require(document["station"]?.array?.first)
        #expect(station.position.line == 3)
        #expect(station.entries?.first?.position == TOMLPosition(line: 4, column: 3))
        #expect(station["id"]?.string == "a")
    }

    @Test("gives every kind of value")
    func kinds() throws {
        let text = "a = 1\nb = 2.5\nc = true\nd = 08:00:00\ne = [1, 'two']\nf = { g = \"\" }\nh = NO\n"
        #expect(throws: TOMLError.self) { try TOMLValue.parse(text, file: "t.toml") }
        let document = try TOMLValue.parse(text.replacing("h = NO\n", with: ""), file: "t.toml")
        #expect(document["a"]?.integer == 1)
        #expect(document["b"]?.real == 2.5)
        #expect(document["c"]?.boolean == true)
        #expect(document["d"]?.content == .moment("08:00:00"))
        #expect(document["e"]?.array?.count == 2)
        #expect(document["f"]?["g"]?.string == "")
    }

    @Test(
        "says file, line and column",
        arguments: [
            ("a = 1\nb = \n", 2), ("a = 1\na = 2\n", 2), ("x = \"\\q\"\n", 1), ("[t\n", 1),
            ("k = 'open\n", 1),
        ])
    func places(text: String, line: Int) {
        let error = #expect(throws: TOMLError.self) { try TOMLValue.parse(text, file: "dir/t.toml") }
        #expect(error?.position?.line == line)
        #expect(error?.description.hasPrefix("dir/t.toml:\(line):") == true)
    }

    @Test(
        "refuses names that nest too deep, however they are quoted",
        arguments: [
            "", "x = 'a.b'\n", "x = \"\"\"\n.\"\"\"\"\n", "x = '''q'''\n", "x = \"\\\"\" # '\n", "x = '' \n",
            "x = { y = \"\"\"z\"\"\"\"\", ", "x = { y = \"\"\"z\"\"\"\", ", "x = { y = \"\", ",
            "x = { y = '', ",
            "x = { y = '''''', ", "x = { y = \"\\\\\", ", "\"#\" = 1\n",
        ])
    func deepNames(prefix: String) throws {
        let deep = prefix + Array(repeating: "a", count: 20_000).joined(separator: ".") + " = 1"
        let error = #expect(throws: TOMLError.self) { try TOMLValue.parse(deep, file: "t.toml") }
        #expect(error?.message.contains("too deep") == true)
    }

    @Test("refuses values that nest too deep")
    func deepValues() {
        let deep = "a = " + String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)
        #expect(throws: TOMLError.self) { try TOMLValue.parse(deep, file: "t.toml") }
    }

    @Test("does not mistake dots in texts for names")
    func dotsInTexts() throws {
        let dots = String(repeating: ".", count: 200)
        let text =
            "a = \"\(dots)\"\nb = '\(dots)'\nc = \"\"\"\(dots)\n\(dots)\"\"\"\n# \(dots)\nd = '''\(dots)''''\n"
        let document = try TOMLValue.parse(text, file: "t.toml")
        #expect(document["a"]?.string == dots)
        #expect(document["d"]?.string == dots + "'")
    }

    @Test("survives any bytes", arguments: 0..<60)
    func anyBytes(seed: Int) {
        var random = Seeded(state: UInt64(seed) &+ 1)
        let alphabet = Array("ab.=[]{}\"'#\\\n\r \t,0123:-+_eTZ\u{0}\u{FF}é".utf8)
        let bytes = (0..<400).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] }
        _ = try? TOMLValue.parse(bytes, file: "t.toml")
    }
}

private struct Seeded {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}

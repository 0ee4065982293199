import Testing

@testable import JSONText

@Suite("JSON text")
struct JSONTextTests {
    @Test(
        "is read and written the same",
        arguments: [
            "null", "true", "[]", "{}", "-1", "0", "9223372036854775807", "\"\"", "[1,[2,[3]],{\"a\":null}]",
            "{\"b\":1,\"a\":[false,\"x\"]}", "\"\\\"\\\\\\n\\t\\u0000\"", "\"Grüße 🎷\"", "-0.5", "1e+20",
        ])
    func roundTrip(text: String) throws { #expect(try JSONValue.parse(text).text() == text) }

    @Test("takes escapes, blanks and pairs")
    func escapes() throws {
        #expect(try JSONValue.parse(" \t\r\n{ \"a\" : [ 1 , 2 ] } ").text() == "{\"a\":[1,2]}")
        #expect(try JSONValue.parse("\"\\u00e9\\/\\ud83c\\udfb7\\b\\f\"").string == "é/🎷\u{8}\u{C}")
        #expect(try JSONValue.parse("1.0").double == 1)
        #expect(try JSONValue.parse("99999999999999999999").double == 1e20)
    }

    @Test(
        "is refused where it is none",
        arguments: [
            "", " ", "nul", "tru", "[1,]", "{\"a\":1,}", "{a:1}", "{\"a\" 1}", "[1 2]", "\"", "\"\\x\"",
            "\"\\u12\"",
            "\"\\ud83c\"", "\"\\udfb7\"", "\"\\ud83c\\u0041\"", "01", "-", "1.", ".5", "1e", "+1", "NaN",
            "Infinity",
            "1e999", "[1]]", "{\"a\":}", "'a'", "\"a\nb\"", "[", "{", "\u{FEFF}1", "1 //", "[,1]",
        ])
    func refused(text: String) { #expect(throws: JSONValue.ParseError.self) { try JSONValue.parse(text) } }

    @Test("is refused where it is not UTF-8, too deep or too long")
    func limits() {
        #expect(throws: JSONValue.ParseError.self) { try JSONValue.parse([0x22, 0xFF, 0x22]) }
        let deep = String(repeating: "[", count: 30_000)
        #expect(throws: JSONValue.ParseError.self) { try JSONValue.parse(deep) }
        #expect(throws: JSONValue.ParseError.self) { try JSONValue.parse("[1,2,3]", limit: 3) }
    }

    @Test("with a double key keeps the later", arguments: [2, 16, 17, 40])
    func doubleKeys(count: Int) throws {
        let members = (0..<count).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        let object = try JSONValue.parse("{\(members),\"k0\":\"later\"}")
        #expect(object["k0"]?.string == "later")
        #expect(object.members?.count == count)
    }

    @Test("survives any bytes", arguments: 0..<40)
    func anyBytes(seed: UInt64) {
        var state = seed &+ 1
        let alphabet = Array("{}[]\",:\\u0aef123.-+eE tfn\u{1}é".utf8)
        let bytes = (0..<300).map { _ -> UInt8 in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return alphabet[Int(state >> 33) % alphabet.count]
        }
        _ = try? JSONValue.parse(bytes)
    }
}

@Suite("JSON array splitter")
struct JSONArraySplitterTests {
    private static let text = " [ {\"a\":\"],\\\"\"} ,{\"b\":[1,2]},3, \"x,]\" ,[]] \n"

    private func elements(_ text: String, chunk: Int) throws -> [String] {
        var splitter = JSONArraySplitter()
        var found: [String] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            try splitter.feed(bytes[start..<min(start + chunk, bytes.count)]) {
                found.append(String(decoding: $0, as: UTF8.self))
            }
        }
        try splitter.finish()
        return found
    }

    @Test("finds every element however the bytes come", arguments: [1, 2, 3, 7, 1000])
    func chunks(size: Int) throws {
        let found = try elements(Self.text, chunk: size).map { try JSONValue.parse($0).text() }
        #expect(found == ["{\"a\":\"],\\\"\"}", "{\"b\":[1,2]}", "3", "\"x,]\"", "[]"])
    }

    @Test(
        "says what is wrong around them",
        arguments: [
            ("{}", JSONArraySplitter.Problem.notAnArray), ("", .notAnArray), ("[1,2", .unfinished),
            ("[{\"a\":1}", .unfinished),
        ])
    func problems(text: String, problem: JSONArraySplitter.Problem) {
        #expect(throws: problem) { try elements(text, chunk: 5) }
    }

    @Test("keeps no element that is too long")
    func tooLong() {
        var splitter = JSONArraySplitter(longestElement: 10)
        #expect(throws: JSONArraySplitter.Problem.elementTooLong) {
            try splitter.feed(Array("[\"0123456789\"]".utf8)) { _ in }
        }
    }
}

import Foundation
import TestStations
import Testing

/// One case of a `WildCases/*.txt` file: what a server answers, and what must come of it.
///
/// The format is explained in `WildCases/README.md`.
struct WildCase: Sendable, CustomTestStringConvertible {
    /// What is answered to requests for one target; the n-th request gets the n-th answer.
    struct Answer: Sendable {
        /// Nil answers any target that no other answer is for.
        var target: String?
        var steps: [Step] = []
    }

    /// One `= key value…` line.
    struct Expectation: Sendable {
        var key: String
        var values: [String]
        var line: Int
    }

    var id: String
    var about: String
    var path = "/live"
    var seconds = 0.8
    var charset: String?
    var name = ""
    var answers: [Answer] = []
    var expected: [Expectation] = []

    var testDescription: String { "\(id) \(about)" }

    /// What is wrong with a case file.
    struct Fault: Error, CustomStringConvertible {
        var description: String
    }

    /// All cases of one file.
    static func load(_ file: String) throws -> [WildCase] {
        guard let path = Bundle.module.path(forResource: file, ofType: "txt", inDirectory: "WildCases") else {
            throw Fault(description: "no case file \(file)")
        }
        var reader = WildCaseReader(file: file)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            try reader.read(line, number: number + 1)
        }
        return reader.cases
    }
}

/// Reads a case file line by line.
struct WildCaseReader {
    let file: String
    private(set) var cases: [WildCase] = []
    /// Every frame of this file's running sequence has its own number.
    private var nextUnit = 0
    private var offsetInUnit = 0

    init(file: String) { self.file = file }

    mutating func read(_ line: Substring, number: Int) throws {
        let words = try Self.words(line, file: file, number: number)
        guard let first = words.first else { return }
        if case .bare("case") = first {
            let rest = words.dropFirst().map(\.text)
            cases.append(WildCase(id: rest.first ?? "", about: rest.dropFirst().joined(separator: " ")))
            nextUnit = 0
            offsetInUnit = 0
            return
        }
        guard !cases.isEmpty else { throw fault(number, "a line before the first case") }
        switch first {
        case .quoted(let bytes): add([.bytes(bytes)])
        case .bare(let word): try command(word, Array(words.dropFirst()), number)
        }
    }

    private func fault(_ number: Int, _ text: String) -> WildCase.Fault {
        WildCase.Fault(description: "\(file).txt:\(number): \(text)")
    }

    private mutating func add(_ steps: [Step]) {
        let last = cases.count - 1
        if cases[last].answers.isEmpty { cases[last].answers.append(.init()) }
        cases[last].answers[cases[last].answers.count - 1].steps += steps
    }

    // MARK: Commands

    private mutating func command(_ word: String, _ rest: [Word], _ number: Int) throws {
        let last = cases.count - 1
        let texts = rest.map(\.text)
        switch word {
        case "path": cases[last].path = texts.first ?? "/"
        case "for": cases[last].seconds = try double(texts.first, number)
        case "charset": cases[last].charset = texts.first
        case "from": (nextUnit, offsetInUnit) = (try int(texts.first, number), 0)
        case "name": cases[last].name = texts.first ?? ""
        case "answer": cases[last].answers.append(.init(target: texts.first))
        case "=":
            guard let key = texts.first else { throw fault(number, "nothing expected") }
            cases[last].expected.append(.init(key: key, values: Array(texts.dropFirst()), line: number))
        default: add(try steps(word, rest, number))
        }
    }

    private mutating func steps(_ word: String, _ rest: [Word], _ number: Int) throws -> [Step] {
        let texts = rest.map(\.text)
        switch word {
        case "mp3": return [.bytes(try frames(texts, header: "FFFB9064", length: 417, number))]
        case "adts": return [.bytes(try frames(texts, header: "FFF150802E7FFC", length: 371, number))]
        case "audio": return [.bytes(running(try int(texts.first, number)))]
        case "fill":
            return [
                .bytes(
                    [UInt8](
                        repeating: try hexByte(texts.dropFirst().first, number),
                        count: try int(texts.first, number)))
            ]
        case "meta": return [.block(rest.first?.bytes ?? [])]
        case "id3":
            return [.bytes(HLSBroadcast.id3(pairs(texts)))]
        case "chunked": return [.chunked]
        case "wait": return [.stall(try double(texts.first, number))]
        case "stall": return [.stall(3600)]
        case "close": return [.close]
        case "reset": return [.reset]
        case "refuse": return [.refuse(try double(texts.first, number))]
        case "list":
            // A whole answer of a type and a body.
            return Step.answer(type: texts.first ?? "", body: rest.dropFirst().flatMap(\.bytes))
        case "status":
            return Step.answer(texts.first ?? "", type: "text/plain", body: rest.dropFirst().flatMap(\.bytes))
        case "redirect": return Step.redirect(to: texts.first ?? "")
        default: throw fault(number, "unknown word \(word)")
        }
    }

    private func pairs(_ texts: [String]) -> [(String, String)] {
        stride(from: 0, to: texts.count - 1, by: 2).map { (texts[$0], texts[$0 + 1]) }
    }

    /// `N [HEADER LENGTH]`: frames whose payload is zeros.
    private func frames(_ texts: [String], header: String, length: Int, _ number: Int) throws -> [UInt8] {
        let count = try int(texts.first, number)
        let digits = Array((texts.count > 1 ? texts[1] : header).utf8)
        let size = texts.count > 2 ? try int(texts[2], number) : length
        var frame: [UInt8] = []
        for place in stride(from: 0, to: digits.count - 1, by: 2) {
            guard let byte = UInt8(String(decoding: digits[place..<(place + 2)], as: UTF8.self), radix: 16)
            else {
                throw fault(number, "no frame header")
            }
            frame.append(byte)
        }
        frame += [UInt8](repeating: 0, count: size - frame.count)
        return Array(repeatElement(frame, count: count).joined())
    }

    /// The next bytes of the running sequence of numbered frames.
    private mutating func running(_ count: Int) -> [UInt8] {
        let source = NumberedFrames()
        var bytes: [UInt8] = []
        while bytes.count < count {
            let rest = source.unit(nextUnit).dropFirst(offsetInUnit).prefix(count - bytes.count)
            bytes += rest
            offsetInUnit += rest.count
            if offsetInUnit == source.frameLength { (nextUnit, offsetInUnit) = (nextUnit + 1, 0) }
        }
        return bytes
    }

    private func int(_ text: String?, _ number: Int) throws -> Int {
        guard let text, let value = Int(text) else { throw fault(number, "a number is missing") }
        return value
    }

    private func double(_ text: String?, _ number: Int) throws -> Double {
        guard let text, let value = Double(text) else { throw fault(number, "a number is missing") }
        return value
    }

    private func hexByte(_ text: String?, _ number: Int) throws -> UInt8 {
        guard let text, let value = UInt8(text, radix: 16) else { throw fault(number, "a byte is missing") }
        return value
    }

    // MARK: Words

    enum Word {
        case bare(String)
        case quoted([UInt8])

        var bytes: [UInt8] {
            switch self {
            case .bare(let text): Array(text.utf8)
            case .quoted(let bytes): bytes
            }
        }

        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    private static func words(_ line: Substring, file: String, number: Int) throws -> [Word] {
        var words: [Word] = []
        var rest = Array(line.utf8)[...]
        while let first = rest.first {
            if first == UInt8(ascii: " ") {
                rest = rest.dropFirst()
            } else if first == UInt8(ascii: "#"), words.isEmpty {
                return []
            } else if first == UInt8(ascii: "\"") {
                rest = rest.dropFirst()
                words.append(.quoted(try quoted(&rest, file: file, number: number)))
            } else {
                let word = rest.prefix { $0 != UInt8(ascii: " ") }
                words.append(.bare(String(decoding: word, as: UTF8.self)))
                rest = rest.dropFirst(word.count)
            }
        }
        return words
    }

    private static func quoted(_ rest: inout ArraySlice<UInt8>, file: String, number: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") { return bytes }
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "r"): bytes.append(13)
            case UInt8(ascii: "n"): bytes.append(10)
            case UInt8(ascii: "t"): bytes.append(9)
            case UInt8(ascii: "0"): bytes.append(0)
            case UInt8(ascii: "x"):
                let digits = String(decoding: rest.prefix(2), as: UTF8.self)
                rest = rest.dropFirst(2)
                guard let value = UInt8(digits, radix: 16) else { break }
                bytes.append(value)
            case let other?: bytes.append(other)
            case nil: break
            }
        }
        throw WildCase.Fault(description: "\(file).txt:\(number): a quote is not closed")
    }
}

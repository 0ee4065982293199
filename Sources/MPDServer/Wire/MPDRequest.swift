/// A command and its arguments, as a line has them.
package struct MPDRequest: Sendable, Hashable {
    package let command: String
    package let arguments: [String]

    /// Most arguments of one command.
    private static let mostArguments = 64

    package init(_ command: String, _ arguments: [String] = []) {
        self.command = command
        self.arguments = arguments
    }

    /// Reads a line: words apart by blanks or tabs, each as it is or in double quotes with backslashes before what is meant
    /// literally. Bytes that are not UTF-8 become the replacement character.
    /// - Throws: `MPDFailure`, in the words that clients know.
    package init(line: [UInt8]) throws(MPDFailure) {
        var words = MPDWords(line)
        guard let command = try words.next() else { throw MPDFailure(.unknown, "No command given") }
        var arguments: [String] = []
        while let word = try words.next() {
            guard arguments.count < Self.mostArguments else {
                throw MPDFailure(.argument, "Too many arguments")
            }
            arguments.append(word)
        }
        self.init(command, arguments)
    }

    /// Whether a line may begin so. Every command is a lower-case word; a web page that was talked into sending its request
    /// here begins with an upper-case one, and is hung up on.
    package static func mayBegin(_ line: [UInt8]) -> Bool {
        line.first.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) } ?? false
    }
}

/// The words of a line, one after another.
private struct MPDWords {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() throws(MPDFailure) -> String? {
        while place < bytes.count, Self.isBlank(bytes[place]) { place += 1 }
        guard place < bytes.count else { return nil }
        return bytes[place] == UInt8(ascii: "\"") ? try quoted() : try bare()
    }

    private mutating func bare() throws(MPDFailure) -> String {
        let start = place
        while place < bytes.count, !Self.isBlank(bytes[place]) {
            guard bytes[place] != UInt8(ascii: "\"") else {
                throw MPDFailure(.argument, "Invalid unquoted character")
            }
            place += 1
        }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private mutating func quoted() throws(MPDFailure) -> String {
        var word: [UInt8] = []
        place += 1
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            if bytes[place] == UInt8(ascii: "\\") { place += 1 }
            guard place < bytes.count else { break }
            word.append(bytes[place])
            place += 1
        }
        guard place < bytes.count else { throw MPDFailure(.argument, "Missing closing '\"'") }
        place += 1
        guard place == bytes.count || Self.isBlank(bytes[place]) else {
            throw MPDFailure(.argument, "Space expected after closing '\"'")
        }
        return String(decoding: word, as: UTF8.self)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}

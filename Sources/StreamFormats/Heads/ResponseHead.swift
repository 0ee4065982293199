/// The head of a server's answer, read line by line as strangers send them.
///
/// libcurl hands over one line at a time, those of redirects and interim answers included: a status line starts a new
/// head, and the limits count over all of them. Values stay bytes; a name may be Latin-1.
package struct ResponseHead: Sendable, Hashable {
    /// What the first line says is spoken.
    package enum Wire: String, Sendable, Hashable {
        case icy
        case http10 = "http/1.0"
        case http11 = "http/1.1"
        case http2 = "http/2"
    }

    package struct Field: Sendable, Hashable {
        /// As it was written.
        package var name: String
        /// Without the blanks around it.
        package var value: [UInt8]
    }

    /// How much head is read, over all redirects and interim answers of one request.
    package struct Limits: Sendable, Hashable {
        package var line = 8 << 10
        package var total = 64 << 10
        package var lines = 256

        package init() {}
    }

    /// Which limit an answer broke. The request is to be given up.
    package enum Breach: String, Error, Sendable, Hashable {
        case line, total, lines
    }

    package private(set) var wire: Wire?
    /// 0 as long as no status line was seen.
    package private(set) var status = 0
    /// The words behind the number: `OK`, `Server Full`.
    package private(set) var reason: [UInt8] = []
    /// In the order they came.
    package private(set) var fields: [Field] = []
    /// The empty line was seen.
    package private(set) var isComplete = false

    private let limits: Limits
    private var total = 0
    private var lines = 0

    package init(limits: Limits = Limits()) { self.limits = limits }

    /// Takes one line, with or without its CRLF or LF.
    /// - Throws: the limit that this line breaks; the head keeps what it had.
    package mutating func line(_ bytes: Span<UInt8>) throws(Breach) {
        lines += 1
        total += bytes.count
        guard bytes.count <= limits.line else { throw .line }
        guard total <= limits.total else { throw .total }
        guard lines <= limits.lines else { throw .lines }
        var line: [UInt8] = []
        line.reserveCapacity(bytes.count)
        for index in bytes.indices { line.append(bytes[index]) }
        while let last = line.last, last == 0x0A || last == 0x0D { line.removeLast() }
        take(line)
    }

    private mutating func take(_ line: [UInt8]) {
        if let start = StatusLine(line) {
            begin(start)
        } else if line.isEmpty {
            isComplete = status != 0
        } else if let first = line.first, ASCII.isBlank(first) {
            fold(line)
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            let name = String(decoding: ASCII.trimmed(line[..<colon]), as: UTF8.self)
            fields.append(Field(name: name, value: Array(ASCII.trimmed(line[(colon + 1)...]))))
        }
    }

    private mutating func begin(_ start: StatusLine) {
        wire = start.wire
        status = start.status
        reason = start.reason
        fields = []
        isComplete = false
    }

    /// A line that starts with a blank goes on with the value before it (RFC 9112 §5.2).
    private mutating func fold(_ line: [UInt8]) {
        guard let last = fields.indices.last else { return }
        fields[last].value += [0x20] + ASCII.trimmed(line)
    }
}

/// `HTTP/1.1 200 OK`, `ICY 200 OK`, `HTTP/2 200`.
private struct StatusLine {
    var wire: ResponseHead.Wire
    var status: Int
    var reason: [UInt8]

    init?(_ line: [UInt8]) {
        guard let word = line.firstIndex(where: ASCII.isBlank), let wire = Self.wire(line[..<word]) else {
            return nil
        }
        let rest = ASCII.trimmed(line[word...])
        let digits = rest.prefix(while: ASCII.isDigit)
        guard digits.count == 3, let status = ASCII.number(digits), status >= 100 else { return nil }
        self.wire = wire
        self.status = status
        reason = Array(ASCII.trimmed(rest[digits.endIndex...]))
    }

    private static func wire(_ word: ArraySlice<UInt8>) -> ResponseHead.Wire? {
        if ASCII.equal(word, "ICY") { return .icy }
        guard ASCII.hasPrefix(word, "HTTP/") else { return nil }
        let version = word.dropFirst(5)
        if version.first == UInt8(ascii: "2") { return .http2 }
        return version.elementsEqual("1.1".utf8) ? .http11 : .http10
    }
}

/// The shape of what both executables say to each other over their socket: a length, a kind, a body.
///
/// `u32 length` (of what follows, little endian), `u8 kind`, body. Integers are little endian, doubles are their IEEE
/// bits, bytes and text carry a `u32` length. Both executables come out of one build; the version guards against a
/// stray binary of another one.
package enum WireFormat {
    /// Raised whenever the meaning of a message changes.
    package static let version: UInt16 = 3
    /// Longest message, in bytes. A run of frames is cut into pieces far below it.
    package static let messageLimit = 4 << 20
    /// Bytes of audio that one message carries at most; a single frame may be longer.
    package static let pieceBytes = 256 << 10
}

/// What is wrong with a message. Nothing can be read after it: the other side is dropped.
package enum WireError: Error, Sendable, Hashable {
    case tooLong(Int)
    case truncated
    case unknownKind(UInt8)
    case invalid(String)
}

/// One message as it stands on the wire, not yet understood.
package struct WireMessage: Sendable, Hashable {
    package var kind: UInt8
    package var body: [UInt8]

    package init(kind: UInt8, body: [UInt8]) {
        self.kind = kind
        self.body = body
    }

    /// Length, kind and body, ready to be sent.
    package var encoded: [UInt8] {
        var writer = WireWriter()
        writer.put(UInt32(body.count + 1))
        writer.put(kind)
        return writer.bytes + body
    }
}

/// Cuts a byte stream into messages, however the socket cuts the bytes.
package struct MessageReader: Sendable {
    private var buffer: [UInt8] = []
    private var start = 0

    package init() {}

    /// Adds bytes that arrived. Copies them.
    package mutating func push(_ bytes: UnsafeRawBufferPointer) {
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: true)
            start = 0
        } else if start > 64 << 10 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next whole message, or nil until more bytes come.
    package mutating func next() throws(WireError) -> WireMessage? {
        guard buffer.count - start >= 4 else { return nil }
        var length = 0
        for index in 0..<4 { length |= Int(buffer[start + index]) << (8 * index) }
        guard length >= 1, length <= WireFormat.messageLimit else { throw .tooLong(length) }
        guard buffer.count - start - 4 >= length else { return nil }
        let body = start + 5
        let end = start + 4 + length
        let message = WireMessage(kind: buffer[start + 4], body: Array(buffer[body..<end]))
        start = end
        return message
    }
}

/// Puts values into a body.
struct WireWriter {
    private(set) var bytes: [UInt8] = []

    mutating func put<Number: FixedWidthInteger>(_ value: Number) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func put(_ value: Bool) { bytes.append(value ? 1 : 0) }
    mutating func put(_ value: Double) { put(value.bitPattern) }
    mutating func put(_ value: Float) { put(value.bitPattern) }

    mutating func put(_ value: [UInt8]) {
        put(UInt32(value.count))
        bytes.append(contentsOf: value)
    }

    mutating func put(_ value: String) { put(Array(value.utf8)) }

    mutating func put(_ value: String?) {
        put(value != nil)
        if let value { put(value) }
    }

    mutating func put<Element>(_ values: [Element], _ each: (inout WireWriter, Element) -> Void) {
        put(UInt32(values.count))
        for value in values { each(&self, value) }
    }

    mutating func put(floats values: [Float]) {
        put(UInt32(values.count))
        for value in values { put(value.bitPattern) }
    }

    mutating func put(samples values: [Int16]) {
        put(UInt32(values.count))
        values.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }
}

/// Takes values out of a body; throws where the body is too short.
struct WireReader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var remaining: Int { bytes.count - place }

    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(WireError)
        -> Number
    {
        let size = MemoryLayout<Number>.size
        guard remaining >= size else { throw .truncated }
        let value = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: Number.self) }
        place += size
        return Number(littleEndian: value)
    }

    mutating func bool() throws(WireError) -> Bool { try number(UInt8.self) != 0 }
    mutating func double() throws(WireError) -> Double { Double(bitPattern: try number(UInt64.self)) }
    mutating func float() throws(WireError) -> Float { Float(bitPattern: try number(UInt32.self)) }

    mutating func data() throws(WireError) -> [UInt8] {
        let length = try count(of: 1)
        defer { place += length }
        return Array(bytes[place..<place + length])
    }

    mutating func text() throws(WireError) -> String { String(decoding: try data(), as: UTF8.self) }

    mutating func optionalText() throws(WireError) -> String? { try bool() ? try text() : nil }

    mutating func list<Element>(
        elementBytes: Int, _ each: (inout WireReader) throws(WireError) -> Element
    ) throws(WireError) -> [Element] {
        let length = try count(of: elementBytes)
        var values: [Element] = []
        values.reserveCapacity(length)
        for _ in 0..<length { values.append(try each(&self)) }
        return values
    }

    mutating func floats() throws(WireError) -> [Float] {
        try list(elementBytes: 4) { reader throws(WireError) in try reader.float() }
    }

    mutating func samples() throws(WireError) -> [Int16] {
        try list(elementBytes: 2) { reader throws(WireError) in try reader.number(Int16.self) }
    }

    /// A length that the rest of the body can hold, so that no message makes us reserve more than it brought.
    private mutating func count(of elementBytes: Int) throws(WireError) -> Int {
        let length = Int(try number(UInt32.self))
        guard length <= remaining / elementBytes else { throw .truncated }
        return length
    }

    func end() throws(WireError) {
        guard remaining == 0 else { throw .invalid("\(remaining) bytes too many") }
    }
}

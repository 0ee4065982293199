/// The bytes of a stream that are still being looked at, with their place in the stream.
///
/// Appended at the end, dropped at the front; what was dropped is given back to memory once a push.
struct ByteWindow: Sendable {
    private var bytes: [UInt8] = []
    private var head = 0
    /// Stream offset of the first byte held.
    private(set) var offset: Int64 = 0

    var count: Int { bytes.count - head }
    /// Stream offset behind the last byte held.
    var endOffset: Int64 { offset + Int64(count) }

    subscript(index: Int) -> UInt8 { bytes[head + index] }

    /// A view of held bytes, counted from the first one held.
    func slice(_ range: Range<Int>) -> ArraySlice<UInt8> {
        bytes[head + range.lowerBound..<head + range.upperBound]
    }

    mutating func append(_ span: Span<UInt8>) {
        unsafe span.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }

    mutating func append(_ more: ArraySlice<UInt8>) {
        bytes.append(contentsOf: more)
    }

    mutating func drop(_ length: Int) {
        head += length
        offset += Int64(length)
    }

    /// Gives back what was dropped: between two pushes the memory is as large as what is held, part of a frame mostly.
    mutating func compact() {
        guard head > 0 else { return }
        bytes = Array(bytes[head...])
        head = 0
    }

    /// True where `text` begins at `index`; false too where it reaches beyond what is held.
    func has(_ text: StaticString, at index: Int) -> Bool {
        let length = text.utf8CodeUnitCount
        guard index >= 0, count - index >= length else { return false }
        for place in 0..<length where self[index + place] != text[place] { return false }
        return true
    }

    /// True where the held bytes from `index` on begin `text`, be it cut off by the end of what is held.
    func mayHave(_ text: StaticString, at index: Int) -> Bool {
        let length = min(text.utf8CodeUnitCount, count - index)
        for place in 0..<length where self[index + place] != text[place] { return false }
        return true
    }

    func big32(at index: Int) -> Int {
        Int(self[index]) << 24 | Int(self[index + 1]) << 16 | Int(self[index + 2]) << 8 | Int(self[index + 3])
    }
}

extension StaticString {
    /// One byte of the text; the caller keeps within its length.
    fileprivate subscript(index: Int) -> UInt8 {
        precondition(hasPointerRepresentation && index < utf8CodeUnitCount)
        return unsafe utf8Start[index]
    }
}

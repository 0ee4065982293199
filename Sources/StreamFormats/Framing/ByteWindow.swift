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

    /// The first place of 0xFF in a range of what is held; nil where there is none. Eight bytes at a time: every byte of
    /// every stream comes by here.
    func firstFF(in range: Range<Int>) -> Int? {
        let range = range.clamped(to: 0..<count)
        let found = unsafe bytes.withUnsafeBytes { all -> Int? in
            var (place, end) = (head + range.lowerBound, head + range.upperBound)
            while place + 8 <= end {
                let word = unsafe all.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                // A zero byte in the complement borrows its top bit.
                if (~word &- 0x0101_0101_0101_0101) & word & 0x8080_8080_8080_8080 != 0 { end = place + 8 }
                if end == place + 8 { break }
                place += 8
            }
            while place < end {
                if unsafe all[place] == 0xFF { return place - head }
                place += 1
            }
            return nil
        }
        return found
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

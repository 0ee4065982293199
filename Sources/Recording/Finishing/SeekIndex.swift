/// Where in a file each moment begins, in a few hundred entries however long the file is.
///
/// When it is full every other entry goes and the rest stand for twice as many frames.
package struct SeekIndex: Sendable, Hashable {
    /// More than one for each of the hundred that a player looks up; two kilobytes for every file that grows.
    private static let limit = 256

    private var offsets: [Int64] = []
    private var stride: Int64 = 1
    private var frames: Int64 = 0
    private var shortest = Int32.max
    private var longest = Int32.min

    package init() {}

    /// True where all frames have one bit rate: they differ by the padding alone.
    package var isConstant: Bool { frames == 0 || longest - shortest <= 1 }

    /// A frame that begins after so many bytes of audio.
    package mutating func add(at offset: Int64, length: Int32) {
        if frames % stride == 0 {
            if offsets.count == Self.limit { thin() }
            if frames % stride == 0 { offsets.append(offset) }
        }
        frames += 1
        shortest = min(shortest, length)
        longest = max(longest, length)
    }

    private mutating func thin() {
        offsets = offsets.indices.filter { $0 % 2 == 0 }.map { offsets[$0] }
        stride *= 2
    }

    /// Bytes of audio before the frame that stands at `share` (0…1) of the whole; between entries in proportion.
    package func offset(at share: Double, total: Int64) -> Int64 {
        guard frames > 0 else { return 0 }
        let place = share * Double(frames) / Double(stride)
        let index = min(Int(place), offsets.count - 1)
        let next = index + 1 < offsets.count ? offsets[index + 1] : total
        let end = index + 1 < offsets.count ? Double(index + 1) : Double(frames) / Double(stride)
        let part = end > Double(index) ? min(1, (place - Double(index)) / (end - Double(index))) : 0
        return offsets[index] + Int64(Double(next - offsets[index]) * part)
    }
}

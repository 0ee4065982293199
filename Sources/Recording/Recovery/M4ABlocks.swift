internal import Platform
internal import StreamFormats

/// The AAC of an M4A file in blocks of ADTS, as it was before it was finished.
struct M4ABlocks {
    /// A day of 43 samples a second has an index of 15 MiB.
    private static let indexLimit: Int64 = 96 << 20
    private static let blockLength = 256 << 10
    /// Boxes before the index, and after the audio.
    private static let boxLimit = 64

    private let file: any DiskFile
    private let index: MP4FileIndex
    private var place = 0

    /// Nil where the file is no M4A that can be read.
    init?(_ file: any DiskFile) throws(SystemError) {
        guard let moov = try Self.indexBox(of: file)?.bytes, let index = MP4FileIndex(moov: moov) else {
            return nil
        }
        self.file = file
        self.index = index
    }

    /// The box that says what is where in an MP4 file, and where it stands; nil where the file is none.
    static func indexBox(of file: any DiskFile) throws(SystemError) -> (bytes: [UInt8], place: Int64)? {
        var place: Int64 = 0
        for number in 0..<boxLimit {
            let head = try file.read(16, at: place)
            guard head.count >= 8 else { return nil }
            let type = head[4..<8]
            if number == 0, !type.elementsEqual("ftyp".utf8) { return nil }
            let short = head[0..<4].reduce(Int64(0)) { $0 << 8 | Int64($1) }
            let long = head.dropFirst(8).reduce(Int64(0)) { ($0 & 0x007F_FFFF_FFFF_FFFF) << 8 | Int64($1) }
            let length = short == 1 ? long : short
            guard length >= 8 else { return nil }
            if type.elementsEqual("moov".utf8) {
                return length <= indexLimit ? (try file.read(Int(length), at: place), place) : nil
            }
            let (next, overflow) = place.addingReportingOverflow(length)
            if overflow { return nil }
            place = next
        }
        return nil
    }

    /// The next frames; nil at the end.
    mutating func next() throws(SystemError) -> [UInt8]? {
        guard place < index.samples.count else { return nil }
        // Samples that lie behind each other are read together.
        let first = index.samples[place]
        var last = place
        var length = first.length
        while last + 1 < index.samples.count, length < Self.blockLength,
            index.samples[last + 1].offset == first.offset &+ Int64(length)
        {
            last += 1
            length += index.samples[last].length
        }
        let bytes = try file.read(min(length, 16 << 20), at: first.offset)
        var block: [UInt8] = []
        var at = 0
        for sample in index.samples[place...last] {
            guard sample.length <= bytes.count - at else { break }
            block += index.frame(bytes[at..<at + sample.length]) ?? []
            at += sample.length
        }
        place = last + 1
        return block
    }
}

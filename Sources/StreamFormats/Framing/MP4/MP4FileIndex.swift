/// Where the AAC of a finished MP4 file lies, sample by sample (ISO 14496-12 §8.5 to §8.7), and how it becomes ADTS again.
package struct MP4FileIndex: Sendable {
    package struct Sample: Sendable, Hashable {
        /// In the file.
        package var offset: Int64
        package var length: Int
    }

    /// Three days of frames.
    private static let mostSamples = 20_000_000

    package let samples: [Sample]
    private let config: AudioSpecificConfig

    /// Nil where the box is none, or holds no AAC that ADTS can carry.
    /// - Parameter moov: the whole box, its head included.
    package init?(moov bytes: [UInt8]) {
        guard let moov = MP4Box.all(in: bytes[...]).first, moov.has("moov"),
            case .aac(let config)? = MP4Track.choose(in: moov).track?.coding,
            let table = moov.children.first(where: Self.isSound)?.find("mdia", "minf", "stbl")
        else { return nil }
        self.config = config
        samples = Self.samples(table)
        if samples.isEmpty { return nil }
    }

    /// The sample as a frame of ADTS; nil where it is too long for one.
    package func frame(_ sample: ArraySlice<UInt8>) -> [UInt8]? {
        ADTSHeader.bytes(for: config, payload: sample.count).map { $0 + sample }
    }

    private static func isSound(_ box: MP4Box) -> Bool {
        guard box.has("trak"), let handler = box.find("mdia", "hdlr") else { return false }
        return MP4Fields.number(handler.body, 8, 4) == Int(MP4Box.code("soun"))
    }

    private static func samples(_ table: MP4Box) -> [Sample] {
        guard let sizes = table.child("stsz")?.body, let runs = table.child("stsc")?.body else { return [] }
        let chunks = chunks(table)
        let same = MP4Fields.number(sizes, 4, 4)
        let count = min(MP4Fields.number(sizes, 8, 4), mostSamples)
        guard same > 0 || sizes.count >= 12 + count * 4 else { return [] }
        var found: [Sample] = []
        found.reserveCapacity(count)
        var run = 0
        let runCount = min(MP4Fields.number(runs, 4, 4), max(runs.count - 8, 0) / 12)
        for (number, chunk) in chunks.enumerated() {
            // Entries hold for all chunks up to the next one's first, counted from 1.
            while run + 1 < runCount, MP4Fields.number(runs, 8 + (run + 1) * 12, 4) <= number + 1 { run += 1 }
            var offset = chunk
            for _ in 0..<min(MP4Fields.number(runs, 8 + run * 12 + 4, 4), count - found.count) {
                let length = same > 0 ? same : MP4Fields.number(sizes, 12 + found.count * 4, 4)
                found.append(Sample(offset: offset, length: length))
                offset &+= Int64(length)
            }
        }
        return found
    }

    private static func chunks(_ table: MP4Box) -> [Int64] {
        let (body, width) =
            if let long = table.child("co64")?.body { (long, 8) } else {
                (table.child("stco")?.body ?? [], 4)
            }
        let count = min(MP4Fields.number(body, 4, 4), max(body.count - 8, 0) / width)
        return (0..<count).map { index in
            let place = 8 + index * width
            let high = width == 8 ? MP4Fields.number(body, place, 4) & 0x7FFF_FFFF : 0
            return Int64(high) << 32 | Int64(MP4Fields.number(body, place + width - 4, 4))
        }
    }
}

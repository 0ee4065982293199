import StreamFormats

/// The bytes of a text in which every character stands for one byte: `"Caf\u{E9}"`.
func bytes(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }

func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

/// A title block: the length byte, the text, the padding.
func metaBlock(_ text: [UInt8]) -> [UInt8] {
    let units = (text.count + 15) / 16
    return [UInt8(units)] + text + [UInt8](repeating: 0, count: units * 16 - text.count)
}

func metaBlock(_ text: String) -> [UInt8] { metaBlock(Array(text.utf8)) }

/// What came out of a demuxer, with the audio put together again.
struct Demuxed: Equatable {
    var audio: [UInt8] = []
    var titles: [RawTitle] = []
    /// Audio bytes before each title.
    var places: [Int] = []
    var drifts = 0

    init(_ stream: [UInt8], interval: Int, cut: Int = 4096) {
        var demuxer = IcyDemuxer(interval: interval)
        var start = 0
        while start < stream.count {
            let piece = Array(stream[start..<min(start + cut, stream.count)])
            push(piece, into: &demuxer)
            start += cut
        }
    }

    init(_ pushes: [[UInt8]], interval: Int) {
        var demuxer = IcyDemuxer(interval: interval)
        for piece in pushes { push(piece, into: &demuxer) }
    }

    private mutating func push(_ bytes: [UInt8], into demuxer: inout IcyDemuxer) {
        var pieces: [IcyPiece] = []
        demuxer.push(bytes.span, into: &pieces)
        for piece in pieces {
            switch piece {
            case .audio(let range): audio += bytes[range]
            case .title(let title):
                titles.append(title)
                places.append(audio.count)
            case .drift: drifts += 1
            }
        }
    }

    var texts: [String] { titles.map { String(decoding: $0.text, as: UTF8.self) } }
}

/// xorshift64*: the same numbers in every run.
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_F491_4F6C_DD1D
    }

    mutating func bytes(_ count: Int, of alphabet: ClosedRange<UInt8> = 0...255) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: alphabet, using: &self) }
    }
}

import StreamFormats
import Testing

/// Kinds: bursts of text, noise, sync words and tag marks, in front of a frame and inside one.
@Suite("Junk in the stream")
struct JunkTests {
    enum Kind: String, CaseIterable {
        case text, zeros, noise, syncWords, adtsWords, tagMarks, oggMarks

        func bytes(_ count: Int) -> [UInt8] {
            func repeated(_ word: [UInt8]) -> [UInt8] { (0..<count).map { word[$0 % word.count] } }
            return switch self {
            case .text: repeated(Array("HTTP/1.0 502 Bad Gateway; ID3 TAG OggS fLaC moof\r\n".utf8))
            case .zeros: repeated([0])
            case .noise: Made.noise(count, seed: 7)
            case .syncWords: repeated([0xFF, 0xFB, 0x90, 0x64])
            // Length 372: no multiple of seven, else the words would be a row of true frames.
            case .adtsWords: repeated([0xFF, 0xF1, 0x50, 0x80, 0x2E, 0x9F, 0xFC])
            case .tagMarks: repeated(Array("ID3".utf8) + [4, 0, 0, 0, 0x7F, 0x7F, 0x7F])
            case .oggMarks: repeated(Array("OggS".utf8) + [0, 2, 0, 0, 0])
            }
        }
    }

    @Test(
        "costs at most the frame it hits and never comes out", arguments: Kind.allCases, [335, 4000, 20_000])
    func bursts(kind: Kind, length: Int) {
        let clean = Made.sounding(60)
        for place in [20 * 417, 20 * 417 + 2, 20 * 417 + 5, 20 * 417 + 200, 21 * 417 - 3] {
            var stream = clean
            stream.insert(contentsOf: kind.bytes(length), at: place)
            let heard = Heard(stream, chunk: 1400)
            #expect(heard.frames.count >= 59, "at \(place)")
            let isClean = isSubsequence(heard.bytes, of: clean)
            #expect(isClean, "at \(place)")
        }
    }

    @Test("costs nothing in front of a frame where it is text", arguments: Heard.chunks)
    func textBetweenFrames(chunk: Int) {
        let junk = Kind.text.bytes(500)
        let heard = Heard(Made.mp3(10) + junk + Made.mp3(10), chunk: chunk)
        #expect(heard.story == ["mp3 44100/2", "10 frames", "500 junk", "10 frames"])
    }

    @Test("the same for AAC", arguments: Kind.allCases)
    func burstsInAAC(kind: Kind) {
        let clean = Made.soundingADTS(60)
        for place in [20 * 371, 20 * 371 + 3, 20 * 371 + 200] {
            var stream = clean
            stream.insert(contentsOf: kind.bytes(5000), at: place)
            let heard = Heard(stream, chunk: 1400)
            #expect(heard.frames.count >= 59)
            let isClean = isSubsequence(heard.bytes, of: clean)
            #expect(isClean, "at \(place)")
        }
    }

    @Test("does not change what comes out when the stream is cut elsewhere", arguments: Heard.chunks)
    func chunking(chunk: Int) {
        var stream: [UInt8] = []
        for (index, kind) in Kind.allCases.enumerated() {
            stream += Made.sounding(4) + kind.bytes(300 + index) + Made.adts(3) + Made.sounding(1).prefix(100)
        }
        #expect(Heard(stream, chunk: chunk) == Heard(stream))
    }

    /// True where `found` is `clean` with whole frames missing.
    private func isSubsequence(_ found: [UInt8], of clean: [UInt8]) -> Bool {
        let frame = clean.count % 417 == 0 ? 417 : 371
        var place = 0
        for start in stride(from: 0, to: found.count, by: frame) {
            let bytes = found[start..<min(start + frame, found.count)]
            while place < clean.count, !clean[place..<place + frame].elementsEqual(bytes) { place += frame }
            guard place < clean.count else { return false }
            place += frame
        }
        return true
    }
}

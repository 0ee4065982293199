import StreamFormats
import Testing

private func audio(_ count: Int, _ byte: UInt8 = 0xAA) -> [UInt8] { [UInt8](repeating: byte, count: count) }

@Suite("ICY demuxer")
struct IcyDemuxerTests {
    /// Two titles, an empty block between them, one that fills its block.
    private static let stream =
        audio(16, 1) + metaBlock("StreamTitle='Night Drive';StreamUrl='';") + audio(16, 2) + [0]
        + audio(16, 3)
        + metaBlock("StreamTitle='0123456789012345';") + audio(7, 4)

    @Test("finds every title at its byte however the network cuts the stream", arguments: 1...120)
    func chunking(cut: Int) {
        let found = Demuxed(Self.stream, interval: 16, cut: cut)
        #expect(found.texts == ["Night Drive", "0123456789012345"])
        #expect(found.places == [16, 48])
        #expect(found.audio == audio(16, 1) + audio(16, 2) + audio(16, 3) + audio(7, 4))
        #expect(found.drifts == 0)
    }

    @Test("gives the same for every single cut in two")
    func everyCut() {
        let whole = Demuxed(Self.stream, interval: 16)
        for cut in 0...Self.stream.count {
            #expect(Demuxed([Array(Self.stream[..<cut]), Array(Self.stream[cut...])], interval: 16) == whole)
        }
    }

    @Test("passes over hundreds of empty blocks in one read, and drops none of the audio")
    func emptyBlocks() {
        let stream = [[UInt8]](repeating: audio(32) + [0], count: 500).flatMap { $0 }
        let found = Demuxed(stream, interval: 32, cut: 8192)
        #expect(found.audio == audio(500 * 32) && found.titles.isEmpty && found.drifts == 0)
    }

    @Test("stays in step after the largest block there can be")
    func largestBlock() {
        let title = String(repeating: "x", count: 4064)
        let block = [255] + Array("StreamTitle='\(title)';".utf8) + [0]
        #expect(block.count == 4081)
        let found = Demuxed(audio(10) + block + audio(10, 7), interval: 10, cut: 1000)
        #expect(found.texts == [title] && found.audio == audio(10) + audio(10, 7))
    }

    @Test("goes on with the right byte after a block whose quote never closes")
    func openQuote() {
        let block = [3] + Array("StreamTitle='Artist - A Song Without End".utf8)
        let padded = block + [UInt8](repeating: 0, count: 49 - block.count)
        let found = Demuxed(audio(8) + padded + [0xEE], interval: 8)
        #expect(found.texts == ["Artist - A Song Without End"] && found.audio == audio(8) + [0xEE])
    }

    @Test("loses half a block at the end of a connection, and makes no title of it")
    func endInsideBlock() {
        let found = Demuxed(audio(8) + [5] + Array("StreamTitle='Half a ti".utf8), interval: 8)
        #expect(found.titles.isEmpty && found.audio == audio(8))
    }

    @Test("says once that it is out of step when two blocks in a row are no text")
    func drift() {
        let rubbish = [UInt8(1)] + (0..<16).map { UInt8($0) &* 37 | 0x80 }
        let text = metaBlock("StreamTitle='A';")
        #expect(
            Demuxed(audio(4) + rubbish + audio(4) + rubbish + audio(4) + rubbish, interval: 4).drifts == 1)
        #expect(Demuxed(audio(4) + rubbish + audio(4) + text + audio(4) + rubbish, interval: 4).drifts == 0)
    }

    @Test("takes text without a key for text that it does not understand, not for being out of step")
    func foreignText() {
        let block = metaBlock("Now: Artist - Song")
        let found = Demuxed(audio(4) + block + audio(4) + block + audio(4) + block, interval: 4)
        #expect(found.drifts == 0 && found.titles.isEmpty)
    }

    @Test("leaves the payload alone without an interval")
    func noInterval() {
        let stream = Seeded(1).sample(5000)
        #expect(Demuxed(stream, interval: 0, cut: 333).audio == stream)
        #expect(Demuxed(stream, interval: -1, cut: 333).audio == stream)
    }

    @Test(
        "keeps audio, blocks and length bytes together equal to the input, whatever the input",
        arguments: 1...40)
    func nothingLost(seed: UInt64) {
        var random = Seeded(seed)
        let interval = Int.random(in: 1...300, using: &random)
        let stream = random.bytes(3000, of: 0...UInt8.random(in: 0...255, using: &random))
        var left = stream.count
        var audio = 0
        var index = 0
        while left > 0 {
            let run = min(interval, left)
            audio += run
            left -= run
            index += run
            guard left > 0 else { break }
            let block = min(1 + Int(stream[index]) * 16, left)
            left -= block
            index += block
        }
        let found = Demuxed(stream, interval: interval, cut: Int.random(in: 1...500, using: &random))
        #expect(found.audio.count == audio)
        #expect(found == Demuxed(stream, interval: interval, cut: 1))
    }
}

extension Seeded {
    fileprivate func sample(_ count: Int) -> [UInt8] {
        var copy = self
        return copy.bytes(count)
    }
}

@Suite("ICY blocks that nobody announced")
struct UnannouncedBlockTests {
    private static let sound = [UInt8](repeating: 0x55, count: 8192)
    private static let block = metaBlock("StreamTitle='A - B';")
    private static let stream =
        sound + block + sound + [0] + sound + metaBlock("StreamTitle='C - D';") + sound

    @Test("are found by their words; then the distance is known", arguments: [997, 4096, 100_000])
    func stripped(cut: Int) {
        let found = Demuxed(Self.stream, interval: 0, cut: cut)
        #expect(found.texts == ["A - B", "C - D"])
        #expect(found.places == [8192, 3 * 8192])
        #expect(found.audio == [UInt8](repeating: 0x55, count: 4 * 8192))
    }

    @Test("give the usual distance away even when empty ones came before")
    func emptyOnesBefore() {
        let stream = Self.sound + [0] + Self.sound + [0] + Self.stream
        let found = Demuxed(stream, interval: 0)
        #expect(found.texts == ["A - B", "C - D"])
        // The two empty ones are audio as far as anybody could know; the frame scanner drops them.
        #expect(found.audio.count == 6 * 8192 + 2)
    }

    @Test("leave at most the start of one block in the audio when a read ends inside its words")
    func cutInTheWords() {
        let cut = 8192 + 6
        let found = Demuxed([Array(Self.stream[..<cut]), Array(Self.stream[cut...])], interval: 0)
        #expect(found.texts == ["A - B", "C - D"])
        #expect(found.audio.count == 4 * 8192 + 6)
    }
}

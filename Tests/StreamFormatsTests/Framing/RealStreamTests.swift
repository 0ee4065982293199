import StreamFormats
import Testing

/// Every fixture against what ffprobe counted in it, however it is cut.
@Suite("Real streams")
struct RealStreamTests {
    @Test("give the packets, bytes and samples that ffprobe counts", arguments: try Fixture.counts())
    func agreesWithProbe(count: Fixture.Count) throws {
        let heard = Heard(try Fixture.bytes(count.name))
        let format = try #require(heard.formats.first)
        #expect(heard.formats.count == 1)
        #expect(format.codec.rawValue == (count.name == "he-v2.aac" ? "he-aac-v2" : count.codec))
        #expect(format.sampleRate == count.rate)
        #expect(format.channels == count.channels)
        #expect(heard.frames.count == count.packets)
        // In MP4 the frames of AAC have no headers; they get some.
        let headers = count.name == "fragmented-aac.mp4" ? count.packets * ADTSHeader.length : 0
        #expect(heard.bytes.count == count.bytes + headers)
        #expect(heard.samples == count.samples)
    }

    @Test("come out the same however they are cut", arguments: try Fixture.counts(), [1, 2, 3, 7, 255])
    func chunking(count: Fixture.Count, chunk: Int) throws {
        // A push a byte is slow in a debug build: there the first frames must do.
        let stream = Array(try Fixture.bytes(count.name).prefix(chunk < 4 ? 5000 : .max))
        let isSame = Heard(stream, chunk: chunk) == Heard(stream)
        #expect(isSame)
    }
}

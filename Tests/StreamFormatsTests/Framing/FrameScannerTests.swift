import StreamFormats
import Testing

/// Kinds: joining in the middle, false sync words, tags between frames, changes of format, broken frames, the end.
@Suite("Frame scanner")
struct FrameScannerTests {
    @Test("joins in the middle of a frame with a false sync word first", arguments: Heard.chunks)
    func joinInTheMiddle(chunk: Int) {
        let junk =
            [UInt8](repeating: 0x55, count: 31) + Made.big(0xFFFB_9064) + [UInt8](repeating: 0x55, count: 38)
        let heard = Heard(junk + Made.mp3(30), chunk: chunk)
        #expect(heard.story == ["73 junk", "mp3 44100/2", "30 frames"])
    }

    @Test("frames that borrow from before the join are passed on")
    func borrowingFrames() {
        var stream = Made.mp3(4)
        stream[4] = 100  // main_data_begin 200
        stream[417 + 4] = 209  // and 418
        let heard = Heard(stream)
        #expect(heard.bytes == stream)
        #expect(MPEGAudioHeader.mainDataBegin(stream.span.extracting(0..<417)) == 200)
        #expect(MPEGAudioHeader.mainDataBegin(stream.span.extracting(417..<834)) == 418)
    }

    @Test(
        "counts frames and samples of every layer and version",
        arguments: [
            (0xFFFB_9064 as UInt32, 417, 1152, Codec.mp3), (0xFFF3_8064, 208, 576, .mp3),
            (0xFFE3_28C4, 144, 576, .mp3),
            (0xFFFD_A004, 626, 1152, .mp2), (0xFFFF_8004, 276, 384, .mp1),
        ])
    func versionsAndLayers(header: UInt32, length: Int, samples: Int, codec: Codec) {
        let heard = Heard(Made.mp3(40, header, length))
        #expect(heard.frames.count == 40)
        #expect(heard.samples == 40 * samples)
        #expect(heard.verdict == .audio(codec))
        #expect(heard.junk == 0)
    }

    @Test("padding and variable bit rates", arguments: Heard.chunks)
    func variableRate(chunk: Int) {
        let stream = (0..<10).flatMap { _ in
            Made.mp3(1) + Made.mp3(1, 0xFFFB_9264, 418) + Made.mp3(1, 0xFFFB_E064, 1044)
                + Made.mp3(1, 0xFFFB_1064, 104)
        }
        let heard = Heard(stream, chunk: chunk)
        #expect(heard.story == ["mp3 44100/2", "40 frames"])
        #expect(heard.bytes == stream)
    }

    @Test("free format: the distance of the headers is the length", arguments: Heard.chunks)
    func freeFormat(chunk: Int) {
        let stream =
            Made.mp3(3, 0xFFFB_0064, 600) + Made.mp3(1, 0xFFFB_0264, 601) + Made.mp3(6, 0xFFFB_0064, 600)
        let heard = Heard([1, 2, 3] + stream, chunk: chunk)
        #expect(heard.story == ["3 junk", "mp3 44100/2", "10 frames"])
        #expect(heard.bytes == stream)
    }

    @Test("AAC under the name of MP3", arguments: Heard.chunks)
    func mislabelled(chunk: Int) {
        let heard = Heard(Made.adts(40), chunk: chunk, hint: ContentHint(mediaType: "audio/mpeg"))
        #expect(heard.story == ["aac 44100/2", "40 frames"])
        #expect(heard.verdict == .audio(.aac))
    }

    @Test("ADTS with CRC")
    func adtsWithCRC() {
        let heard = Heard(Made.adts(20, 0xFFF0_5080_2EBF_FC, 373))
        #expect(heard.story == ["aac 44100/2", "20 frames"])
    }

    @Test("several raw data blocks in a frame: as many times 1024 samples")
    func severalBlocks() {
        let heard = Heard(Made.adts(20, 0xFFF1_5080_2E7F_FE, 371))
        #expect(heard.frames.allSatisfy { $0.samples == 3072 })
        #expect(heard.frames.count == 20)
    }

    @Test("an impossible ADTS length costs the false header only", arguments: Heard.chunks)
    func impossibleLength(chunk: Int) {
        let lie: [UInt8] = [0xFF, 0xF1, 0x50, 0x83, 0xFF, 0xFF, 0xFC] + [UInt8](repeating: 0, count: 100)
        let heard = Heard(Made.adts(20) + lie + Made.adts(20), chunk: chunk)
        #expect(heard.story == ["aac 44100/2", "20 frames", "107 junk", "20 frames"])
    }

    @Test("ADTS lengths below the header are invalid", arguments: [0 as UInt8, 0x20, 0xC0, 0xE0])
    func tooShort(length: UInt8) {
        let lie: [UInt8] = [0xFF, 0xF1, 0x50, 0x80, 0, length, 0xFC]
        let heard = Heard(Made.adts(5) + lie + Made.adts(5))
        #expect(heard.story == ["aac 44100/2", "5 frames", "7 junk", "5 frames"])
    }

    @Test("the rate may change after any frame", arguments: Heard.chunks)
    func rateChanges(chunk: Int) {
        let heard = Heard(Made.mp3(38) + Made.mp3(100, 0xFFFB_9464, 384), chunk: chunk)
        #expect(heard.story == ["mp3 44100/2", "38 frames", "mp3 48000/2", "100 frames"])
    }

    @Test("channels, layer and codec may change after any frame", arguments: Heard.chunks)
    func formatChanges(chunk: Int) {
        let stream =
            Made.mp3(5) + Made.mp3(5, 0xFFFB_90C4, 417) + Made.mp3(5, 0xFFFD_A004, 626) + Made.adts(5)
            + Made.mp3(5)
        #expect(
            Heard(stream, chunk: chunk).story == [
                "mp3 44100/2", "5 frames", "mp3 44100/1", "5 frames", "mp2 44100/2", "5 frames",
                "aac 44100/2", "5 frames",
                "mp3 44100/2", "5 frames",
            ])
    }

    @Test("half a frame at a splice costs that half alone", arguments: Heard.chunks)
    func halfFrame(chunk: Int) {
        let heard = Heard(Made.mp3(50) + Made.mp3(1).prefix(180) + Made.mp3(50), chunk: chunk)
        #expect(heard.story == ["mp3 44100/2", "50 frames", "180 junk", "50 frames"])
    }

    @Test("a file's Info frame in mid-stream is left out", arguments: ["Info", "Xing"], [0 as UInt32, 1])
    func infoFrame(mark: String, crc: UInt32) {
        var info = Made.mp3(1, 0xFFFB_9064 - crc << 16)
        info.replaceSubrange(36..<48, with: Array(mark.utf8) + [0, 0, 0, 1, 0, 0, 0x27, 0x0F])
        let heard = Heard(Made.mp3(50) + info + Made.mp3(50))
        #expect(heard.story == ["mp3 44100/2", "100 frames"])
        #expect(Heard(info + Made.mp3(50)).frames.count == 50)
    }

    @Test("an ID3 tag between frames is a title and no frame is lost", arguments: Heard.chunks)
    func id3BetweenFrames(chunk: Int) {
        var tag = Made.id3([("TIT2", Made.text("Song")), ("TPE1", Made.text("Band"))])
        tag += [UInt8](repeating: 0, count: 10 + 256 - tag.count)
        tag.replaceSubrange(6..<10, with: [0, 0, 2, 0])
        let stream = (0..<5).flatMap { _ in Made.mp3(10) + tag } + Made.mp3(10)
        let heard = Heard(stream, chunk: chunk)
        #expect(heard.frames.count == 60)
        #expect(heard.junk == 0)
        #expect(heard.titles.count == 5)
        #expect(heard.titles.first?.text == Array("Song".utf8))
        #expect(heard.titles.first?.artist == Array("Band".utf8))
        #expect(heard.story.prefix(4) == ["mp3 44100/2", "10 frames", "title Song", "10 frames"])
    }

    @Test("a tag that lies about its length swallows nothing", arguments: [10, 300, 5000, 100_000])
    func lyingTag(size: Int) {
        let tag = Array("ID3".utf8) + [4, 0, 0] + Made.safe(size)
        let heard = Heard(Made.mp3(20) + tag + Made.mp3(300))
        #expect(heard.frames.count == 320)
    }

    @Test("ID3v1, APE and Lyrics3 trailers are stepped over", arguments: Heard.chunks)
    func trailers(chunk: Int) {
        let id3v1 = Array("TAG".utf8) + [UInt8](repeating: 0x41, count: 125)
        let ape =
            Array("APETAGEX".utf8) + [0xD0, 7, 0, 0, 0x60, 0, 0, 0] + [UInt8](repeating: 0x42, count: 112)
        let lyrics = Array("LYRICSBEGINLYR00005hello000022LYRICS200".utf8)
        let heard = Heard(
            Made.mp3(50) + id3v1 + Made.mp3(50) + ape + Made.mp3(50) + lyrics + id3v1 + Made.mp3(50),
            chunk: chunk)
        #expect(heard.story == ["mp3 44100/2", "200 frames"])
    }

    @Test("an end inside a frame leaves that frame out", arguments: Heard.chunks)
    func endInsideFrame(chunk: Int) {
        #expect(
            Heard(Made.mp3(10) + Made.mp3(1).prefix(200), chunk: chunk).story == [
                "mp3 44100/2", "10 frames", "200 junk",
            ])
        #expect(Heard(Made.mp3(10) + [0xFF], chunk: chunk).story == ["mp3 44100/2", "10 frames", "1 junk"])
    }

    @Test("two frames that reach exactly to the end are a stream", arguments: Heard.chunks)
    func shortStream(chunk: Int) {
        #expect(Heard(Made.mp3(2), chunk: chunk).story == ["mp3 44100/2", "2 frames"])
        #expect(Heard(Made.mp3(1), chunk: chunk).story == ["417 junk"])
    }

    @Test("a title stands before the first frame that starts at or after it", arguments: Heard.chunks)
    func titlePlaces(chunk: Int) {
        let title = RawTitle(source: .icy, text: Array("T".utf8))
        func story(_ place: Int) -> [String] {
            Heard(Made.mp3(10), chunk: chunk, titles: [(at: place, title: title)]).story
        }
        #expect(story(0) == ["mp3 44100/2", "title T", "10 frames"])
        #expect(story(417) == ["mp3 44100/2", "1 frames", "title T", "9 frames"])
        #expect(story(418) == ["mp3 44100/2", "2 frames", "title T", "8 frames"])
        #expect(story(834) == ["mp3 44100/2", "2 frames", "title T", "8 frames"])
        #expect(story(4170) == ["mp3 44100/2", "10 frames", "title T"])
    }

    @Test("a frame comes out as soon as four bytes of the next are there")
    func latency() {
        var reader = ElementaryReader()
        var found: [StreamElement] = []
        let stream = Made.mp3(5)
        reader.push(stream.span.extracting(0..<2 * 417 + 4), into: &found)
        let frames = found.map { if case .frames(let run) = $0 { run.frames.count } else { 0 } }
        #expect(frames.reduce(0, +) == 2)
    }
}

import StreamFormats
import Testing

/// Kinds: MPEG-TS, fragmented MP4, packed audio of HLS, native FLAC, and what is none of these.
@Suite("Containers")
struct ContainerTests {
    @Test(
        "the type in the PMT decides, not the codec string",
        arguments: [("mp3.ts", Codec.mp3), ("aac.ts", .aac)])
    func transportStream(name: String, codec: Codec) throws {
        let heard = Heard(try Fixture.bytes(name), hint: ContentHint(mediaType: "video/mp2t"))
        #expect(heard.verdict == .audio(codec))
        #expect(heard.junk == 0)
    }

    @Test("segments one after another lose nothing, whatever the container of each", arguments: [7, 188, 0])
    func segments(chunk: Int) throws {
        let names = [
            "aac.ts", "aac.ts", "mp3.ts", "lc.aac", "fragmented-aac.mp4", "fragmented-aac.mp4", "aac.ts",
        ]
        let streams = try names.map { try Fixture.bytes($0) }
        let frames = streams.reduce(0) { $0 + Heard($1).frames.count }
        let heard = Heard(streams.flatMap { $0 }, chunk: chunk)
        #expect(heard.frames.count == frames)
        #expect(heard.junk == 0)
    }

    @Test("a packet that is missing costs the frames it carried")
    func missingPacket() throws {
        var stream = try Fixture.bytes("mp3.ts")
        let all = Heard(stream)
        stream.removeSubrange(try soundPacket(stream))
        let heard = Heard(stream)
        // A packet of 184 bytes touches two frames of 209 at the most.
        #expect(heard.frames.count >= all.frames.count - 2)
        #expect(heard.frames.count < all.frames.count)
    }

    @Test("a packet that is sent twice is read once")
    func doubledPacket() throws {
        var stream = try Fixture.bytes("mp3.ts")
        let all = Heard(stream)
        let packet = try soundPacket(stream)
        stream.insert(contentsOf: stream[packet], at: packet.lowerBound)
        #expect(Heard(stream) == all)
    }

    /// A packet of the audio in mid-stream, full of it.
    private func soundPacket(_ stream: [UInt8]) throws -> Range<Int> {
        let starts = stride(from: 20 * 188, to: stream.count, by: 188)
        let start = try #require(
            starts.first { stream[$0 + 1] == 0x01 && stream[$0 + 2] == 0 && stream[$0 + 3] >> 4 == 1 })
        return start..<start + 188
    }

    @Test("junk between packets is left out", arguments: [1, 100, 5000])
    func junkBetweenPackets(length: Int) throws {
        var stream = try Fixture.bytes("aac.ts")
        stream.insert(contentsOf: Made.noise(length), at: 20 * 188)
        #expect(Heard(stream).frames.count >= 44)
    }

    @Test("timed ID3 in a transport stream is a title", arguments: [7, 188, 0])
    func timedID3(chunk: Int) {
        let heard = Heard(MadeTransport.stream(song: "Song", artist: "Band"), chunk: chunk)
        #expect(heard.story == ["aac 44100/2", "10 frames", "title Song", "10 frames"])
        #expect(heard.titles.first?.artist == Array("Band".utf8))
    }

    @Test("packed audio with two tags in front: both are read, none comes out", arguments: [7, 255, 0])
    func packedAudio(chunk: Int) {
        let stamp =
            Array("com.apple.streaming.transportStreamTimestamp\0".utf8) + [
                0, 0, 0, 1, 0x23, 0x45, 0x67, 0x89,
            ]
        let segment =
            Made.id3([("PRIV", stamp)])
            + Made.id3([("TIT2", Made.text("Song")), ("TPE1", Made.text("Band"))])
            + Made.adts(20)
        let heard = Heard(segment + segment, chunk: chunk)
        #expect(heard.story == ["aac 44100/2", "title Song", "20 frames", "title Song", "20 frames"])
        #expect(ID3Tag(segment[...])?.timestamp == 0x1_2345_6789)
    }

    @Test("AAC out of MP4 has the headers that ADTS wants")
    func fragmentedAAC() throws {
        let heard = Heard(try Fixture.bytes("fragmented-aac.mp4"))
        #expect(Heard(heard.bytes).frames == heard.frames)
    }

    @Test("an init section and its fragments read as one, across a new init section")
    func initSections() throws {
        let stream = try Fixture.bytes("fragmented-aac.mp4")
        let heard = Heard(stream + stream)
        #expect(heard.frames.count == 46)
        #expect(heard.formats.count == 1)
    }

    @Test("native FLAC: frames end where the next begins; names come from its comments")
    func nativeFLAC() throws {
        let heard = Heard(try Fixture.bytes("native.flac"))
        #expect(heard.story == ["flac 16000/1", "title Native", "7 frames"])
        #expect(heard.titles.first?.source == .flac)
        let setup = try #require(heard.formats.first?.setup.first)
        #expect(setup.count < 300)
        #expect(Heard(setup + heard.bytes).bytes == heard.bytes)
    }

    @Test("FLAC at a rate that no sound has is not believed; of many comments the first are kept")
    func strangeFLACHeads() throws {
        let heard = Heard(try Fixture.bytes("native.flac"))
        var slow = heard.formats[0].setup[0]
        slow.replaceSubrange(18..<21, with: [0, 0, 0x10 | slow[20] & 0x0F])
        #expect(Heard(slow + heard.bytes).formats.isEmpty)
        var talkative = heard.formats[0].setup[0]
        let comments = [4, 0, 0x40, 0] + [UInt8](repeating: 0, count: 0x4000)
        talkative.insert(contentsOf: (0..<100).flatMap { _ in comments }, at: 4 + 4 + 34)
        let again = Heard(talkative + heard.bytes)
        #expect(again.frames == heard.frames)
        #expect(again.formats.first.map { $0.setup[0].count < 0x5000 } == true)
    }

    @Test(
        "a fragment that claims billions of samples, also of another track, costs no more than a long one",
        arguments: [0, .max])
    func endlessFragment(size: UInt32) throws {
        let stream = try Fixture.bytes("fragmented-aac.mp4")
        let clean = Heard(stream)
        let moof = try #require(stream.firstRange(of: Array("moof".utf8))?.lowerBound) - 4
        let run = Made.big(16) + Array("trun".utf8) + Made.big(0) + Made.big(.max)
        let header = Made.big(20) + Array("tfhd".utf8) + Made.big(0x10) + Made.big(99) + Made.big(size)
        let runs = (0..<22_000).flatMap { _ in run }
        let traf = Made.big(UInt32(8 + header.count + runs.count)) + Array("traf".utf8) + header + runs
        let hostile = Made.big(UInt32(8 + traf.count)) + Array("moof".utf8) + traf
        let heard = Heard(stream[..<moof] + hostile + stream[moof...])
        #expect(heard.frames == clean.frames)
    }

    @Test("a broken FLAC frame is left out and the next goes on", arguments: [7, 255, 0])
    func brokenFLAC(chunk: Int) throws {
        let clean = Heard(try Fixture.bytes("native.flac"))
        var stream = clean.formats[0].setup[0] + clean.bytes
        let start = clean.formats[0].setup[0].count + Int(clean.frames[0].length)
        stream[start + 100] ^= 0x55
        #expect(Heard(stream, chunk: chunk).frames.count == 6)
        stream.insert(contentsOf: Made.noise(5000), at: start + 200)
        #expect(Heard(stream, chunk: chunk).frames.count == 6)
        stream.removeSubrange(start..<start + 5000 + Int(clean.frames[1].length))
        #expect(Heard(stream, chunk: chunk).frames.count == 6)
        #expect(Heard(stream, chunk: chunk).junk == 0)
    }

    @Test(
        "what is no audio is named",
        arguments: [
            ("<!DOCTYPE html>\n<html lang=\"nl\">", StreamVerdict.notAudio(.webPage)),
            ("\n<HTML><HEAD><TITLE>SHOUTcast", .notAudio(.webPage)), ("{\"status\":1}", .notAudio(.json)),
            ("\u{FEFF}#EXTM3U\r\n", .notAudio(.playlist)),
            ("[playlist]\nFile1=http://a.example/", .notAudio(.playlist)),
            ("<?xml version=\"1.0\"?><playlist>", .notAudio(.xml)),
            ("http://a.example/live", .notAudio(.playlist)),
            ("\u{1}\u{2}\u{3}", .notAudio(.noFrames)), ("Station offline", .notAudio(.text)),
            ("FLV\u{1}\u{4}\0\0\0\u{9}\0\0\0\0\u{8}", .unsupported("FLV")),
            ("RIFF\0\0\0\0WAVEfmt ", .unsupported("WAV")),
            ("NSVs\0\0", .unsupported("NSV")), ("", .notAudio(.noFrames)),
        ])
    func named(text: String, verdict: StreamVerdict) {
        #expect(Heard(Array(text.utf8)).verdict == verdict)
        #expect(Heard(Array(text.utf8), chunk: 1).verdict == verdict)
    }

    @Test(
        "an image, an archive, LATM and Matroska are named",
        arguments: [
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] as [UInt8], StreamVerdict.notAudio(.image)),
            ([0x50, 0x4B, 3, 4, 20, 0], .notAudio(.archive)),
            ([0x1A, 0x45, 0xDF, 0xA3], .unsupported("Matroska or WebM")),
            ([0x56, 0xE0, 2, 0, 0, 0x56, 0xE0, 2, 0, 0, 0x56, 0xE0, 2, 0, 0], .unsupported("AAC in LATM")),
        ])
    func binaries(bytes: [UInt8], verdict: StreamVerdict) {
        #expect(Heard(bytes).verdict == verdict)
    }

    @Test("FLV with AAC inside is never taken for AAC")
    func flvWithFrames() {
        let heard = Heard(Array("FLV".utf8) + [1, 4, 0, 0, 0, 9, 0, 0, 0, 0, 8] + Made.adts(10))
        #expect(heard.verdict == .unsupported("FLV"))
        #expect(heard.frames.isEmpty)
    }

    @Test("where the bytes say nothing, the head may name the codec")
    func namedByHead() {
        let hint = ContentHint(mediaType: "Audio/X-MS-WMA; charset=x")
        #expect(Heard(Made.noise(3000), hint: hint).verdict == .unsupported("Windows Media"))
        #expect(Heard(Made.mp3(10), hint: hint).verdict == .audio(.mp3))
    }

    @Test("the time stamp of a segment is told")
    func timestamps() throws {
        func timestamp(_ bytes: [UInt8]) -> UInt64? {
            var reader = ElementaryReader()
            var found: [StreamElement] = []
            reader.push(bytes.span, into: &found)
            return reader.timestamp
        }
        let stamp =
            Array("com.apple.streaming.transportStreamTimestamp\0".utf8) + [
                0, 0, 0, 1, 0x23, 0x45, 0x67, 0x89,
            ]
        #expect(timestamp(Made.id3([("PRIV", stamp)]) + Made.adts(5)) == 0x1_2345_6789)
        #expect(timestamp(Made.adts(5)) == nil)
        // Of the last PES packet: behind 1.4 s, where ffmpeg begins.
        let stream = try Fixture.bytes("mp3.ts")
        #expect(timestamp(stream).map { $0 > 126_000 && $0 < 126_000 + 90_000 } == true)
    }

    @Test(
        "a title from outside stands before the first frame behind its place",
        arguments: ["opus.ogg", "fragmented-aac.mp4", "native.flac", "mp3.ts"])
    func outsideTitle(name: String) throws {
        let stream = try Fixture.bytes(name)
        let title = RawTitle(source: .extinf, text: Array("T".utf8))
        let heard = Heard(stream + stream, titles: [(at: stream.count, title: title)])
        let frames = Heard(stream).frames.count
        let place = try #require(heard.story.firstIndex(of: "title T"))
        let before = heard.elements[..<place].reduce(0) {
            if case .frames(let run) = $1 { $0 + run.frames.count } else { $0 }
        }
        #expect(before == frames)
        #expect(heard.frames.count == 2 * frames)
    }

    @Test("audio behind a page is audio")
    func audioBehindPage() {
        let page = Array("<html>busy</html>".utf8) + [UInt8](repeating: 0x20, count: 600)
        #expect(Heard(page + Made.mp3(10)).verdict == .audio(.mp3))
    }
}

import StreamFormats
import Testing

/// Kinds: chains, comments, damage, long headers, streams beside the audio, our own pages.
@Suite("Ogg")
struct OggTests {
    @Test("a new link is the next song: a format and a title, no packet lost", arguments: [7, 255, 0])
    func chain(chunk: Int) throws {
        let one = try Fixture.bytes("vorbis.ogg")
        let two = try Fixture.bytes("vorbis-two.ogg")
        let heard = Heard(one + two + one, chunk: chunk)
        #expect(
            heard.story == [
                "vorbis 44100/2", "title One", "52 frames", "vorbis 48000/1", "title Two", "54 frames",
                "vorbis 44100/2",
                "title One", "52 frames",
            ])
        #expect(heard.titles.first?.artist == Array("A".utf8))
        #expect(heard.formats[1].setup.count == 3)
        #expect(heard.bytes == Heard(one).bytes + Heard(two).bytes + Heard(one).bytes)
    }

    @Test("Vorbis, Opus and FLAC may follow each other, and MP3 them")
    func mixedChain() throws {
        let stream = try ["opus.ogg", "flac.ogg", "cbr.mp3", "vorbis.ogg", "lc.aac", "native.flac"]
            .flatMap { try Fixture.bytes($0) }
        let codecs = Heard(stream).formats.map(\.codec)
        #expect(codecs == [.opus, .flac, .mp3, .vorbis, .aac, .flac])
        #expect(Heard(stream).junk == 0)
    }

    @Test("FLAC under the name of application/ogg is told by its first packet")
    func flacByContent() throws {
        let heard = Heard(try Fixture.bytes("flac.ogg"), hint: ContentHint(mediaType: "application/ogg"))
        #expect(heard.verdict == .audio(.flac))
        #expect(heard.formats.first?.container == .ogg)
    }

    @Test(
        "comments in any case, with line ends, without a title",
        arguments: [
            (["artist=Band", "title= Come Down", "server=Icecast"], " Come Down", "Band" as String?),
            (["ARTIST=The W", "TITLE=The A\r\n"], "The A\r\n", "The W"),
            (["TITLE=Rob - Spell"], "Rob - Spell", nil),
            (["artist=Nobody", "ENCODER=x"], "", nil),
            (["Title=Two", "ARTIST=A", "ARTIST=B"], "Two", "A, B"),
        ])
    func comments(lines: [String], title: String, artist: String?) throws {
        let heard = Heard(try link("vorbis.ogg", comments: lines))
        #expect(heard.titles.map { String(decoding: $0.text, as: UTF8.self) } == [title])
        #expect(heard.titles.first?.artist.map { String(decoding: $0, as: UTF8.self) } == artist)
        #expect(heard.titles.first?.encoding == .utf8)
    }

    @Test(
        "tags over several pages: the title is read, the picture goes to no listener",
        arguments: [410_000, 2_000_000])
    func longTags(length: Int) throws {
        let picture = "METADATA_BLOCK_PICTURE=" + String(repeating: "A", count: length)
        let heard = Heard(try link("opus.ogg", comments: ["TITLE=Big", picture]), chunk: 4096)
        #expect(heard.frames.count == 51)
        // Beyond a mebibyte the tags are stepped over and the audio is kept.
        #expect(heard.titles.first?.text == Array((length < 1 << 20 ? "Big" : "").utf8))
        #expect(heard.formats.first.map { $0.setup[1].count < 1000 } == true)
        #expect(heard.formats.first?.setup[1].starts(with: "OpusTags".utf8) == true)
    }

    @Test("a damaged page is left out and the next goes on")
    func damagedPage() throws {
        let whole = Heard(try Fixture.bytes("opus.ogg"))
        var pager = OggPager(serial: 1, format: whole.formats[0], pageSamples: 4800)
        var pages = [pager.headers()]
        for packet in packets(whole) {
            pages.append(pager.append(packet.bytes[...], samples: packet.samples))
        }
        pages.append(pager.end())
        pages.removeAll { $0.isEmpty }
        let broken = pages.count / 2
        let lost = Heard(pages[0] + pages[broken]).frames.count
        pages[broken][60] ^= 1
        let heard = Heard(pages.flatMap { $0 })
        #expect(lost > 0)
        #expect(heard.frames.count == 51 - lost)
        #expect(heard.junk == pages[broken].count)
        pages.remove(at: broken)
        #expect(Heard(pages.flatMap { $0 }).frames.count == 51 - lost)
    }

    @Test("junk between pages and a cut page cost what they hit", arguments: [7, 255, 0])
    func junkBetweenPages(chunk: Int) throws {
        let clean = Heard(try Fixture.bytes("opus.ogg"))
        let one = paged(clean)
        let heard = Heard(one.dropLast(500) + Made.noise(3000) + one, chunk: chunk)
        #expect(heard.titles.count == 2)
        #expect(heard.frames.count >= 51 + 40)
        #expect(heard.bytes.suffix(clean.bytes.count) == clean.bytes[...])
    }

    @Test("streams beside the audio are left alone")
    func besideTheAudio() throws {
        let audio = Heard(try Fixture.bytes("opus.ogg"))
        var pager = OggPager(serial: 7, format: audio.formats[0])
        var other = OggPager(
            serial: 8,
            format: AudioFormat(
                codec: .opus, container: .ogg, sampleRate: 48000, channels: 2,
                setup: [Array("fishead\0".utf8) + [UInt8](repeating: 0, count: 56)]))
        let heads = pager.headers()
        let first = 28 + audio.formats[0].setup[0].count
        var stream = Array(heads[..<first]) + other.headers() + heads[first...]
        for packet in packets(audio) {
            stream += pager.append(packet.bytes[...], samples: packet.samples) + pager.flush()
            stream += other.append([1, 2, 3], samples: 960) + other.flush()
        }
        let heard = Heard(stream + pager.end())
        #expect(heard.bytes == audio.bytes)
        #expect(heard.formats == audio.formats)
        #expect(heard.junk == 0)
    }

    @Test(
        "our pages give the same packets and samples again",
        arguments: ["vorbis.ogg", "opus.ogg", "flac.ogg", "fragmented-opus.mp4"])
    func repaging(name: String) throws {
        let heard = Heard(try Fixture.bytes(name))
        let again = Heard(paged(heard))
        #expect(again.frames == heard.frames)
        #expect(again.bytes == heard.bytes)
        #expect(again.formats == heard.formats)
        #expect(again.junk == 0)
    }

    @Test("packets longer than a page go over several")
    func longPackets() throws {
        var format = Heard(try Fixture.bytes("opus.ogg")).formats[0]
        format.setup[1] += Made.noise(300_000)
        for length in [255, 510, 255 * 255, 255 * 255 + 1, 200_000] {
            var pager = OggPager(serial: 5, format: format)
            let packet = [0x78] + Made.noise(length - 1)
            let stream =
                pager.headers() + pager.append(packet[...], samples: 960)
                + pager.append(packet[...], samples: 960) + pager.end()
            #expect(Heard(stream).bytes == packet + packet, "\(length)")
        }
    }

    @Test("a chain of ours reads as two links")
    func restart() throws {
        let one = Heard(try Fixture.bytes("vorbis.ogg"))
        let two = Heard(try Fixture.bytes("vorbis-two.ogg"))
        var pager = OggPager(serial: 1, format: one.formats[0])
        var stream = pager.headers()
        for packet in packets(one) { stream += pager.append(packet.bytes[...], samples: packet.samples) }
        stream += pager.end()
        pager.restart(serial: 2, format: two.formats[0])
        stream += pager.headers()
        for packet in packets(two) { stream += pager.append(packet.bytes[...], samples: packet.samples) }
        stream += pager.end()
        #expect(Heard(stream).elements == one.elements + two.elements)
    }

    @Test("a rate that no sound has is not believed")
    func oneHertz() throws {
        let heard = Heard(try Fixture.bytes("vorbis.ogg"))
        var format = heard.formats[0]
        format.setup[0].replaceSubrange(12..<16, with: [1, 0, 0, 0])
        var pager = OggPager(serial: 3, format: format)
        var stream = pager.headers()
        for packet in packets(heard) { stream += pager.append(packet.bytes[...], samples: packet.samples) }
        #expect(Heard(stream + pager.end()).formats.isEmpty)
    }

    @Test("more header packets than any stream has are not waited for", arguments: [(3, true), (80, false)])
    func manyHeaders(count: Int, isRead: Bool) throws {
        let heard = Heard(try Fixture.bytes("flac.ogg"))
        var format = heard.formats[0]
        format.setup[0].replaceSubrange(7..<9, with: [0, UInt8(count)])
        let padding: [UInt8] = [1, 0, 0, 4, 0, 0, 0, 0]
        format.setup += [[UInt8]](repeating: padding, count: count + 1 - format.setup.count)
        var pager = OggPager(serial: 3, format: format)
        var stream = pager.headers()
        for packet in packets(heard) { stream += pager.append(packet.bytes[...], samples: packet.samples) }
        #expect(Heard(stream + pager.end()).frames.isEmpty == !isRead)
    }

    @Test("a codec that we lack is named")
    func unsupported() {
        var pager = OggPager(
            serial: 8,
            format: AudioFormat(
                codec: .opus, container: .ogg, sampleRate: 48000, channels: 2,
                setup: [Array("Speex   1.2".utf8) + [UInt8](repeating: 0, count: 69)]))
        #expect(Heard(pager.headers()).verdict == .unsupported("Speex in Ogg"))
    }

    /// A fixture's packets in a link with other comments.
    private func link(_ name: String, comments: [String]) throws -> [UInt8] {
        let heard = Heard(try Fixture.bytes(name))
        var format = heard.formats[0]
        func little(_ value: Int) -> [UInt8] {
            [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
        }
        let texts = comments.reduce(into: little(0) + little(comments.count)) {
            $0 += little($1.utf8.count) + Array($1.utf8)
        }
        format.setup[1] =
            format.codec == .opus ? Array("OpusTags".utf8) + texts : [3] + Array("vorbis".utf8) + texts + [1]
        var pager = OggPager(serial: 3, format: format)
        var stream = pager.headers()
        for packet in packets(heard) { stream += pager.append(packet.bytes[...], samples: packet.samples) }
        return stream + pager.end()
    }

    /// The packets again, on pages of a tenth of a second.
    private func paged(_ heard: Heard) -> [UInt8] {
        var pager = OggPager(
            serial: 5, format: heard.formats[0], pageSamples: heard.formats[0].sampleRate / 10)
        var stream = pager.headers()
        for packet in packets(heard) { stream += pager.append(packet.bytes[...], samples: packet.samples) }
        return stream + pager.end()
    }

    private func packets(_ heard: Heard) -> [(bytes: [UInt8], samples: Int)] {
        heard.runs.flatMap { run in
            var place = 0
            return run.frames.map { frame in
                defer { place += Int(frame.length) }
                return (Array(run.bytes[place..<place + Int(frame.length)]), Int(frame.samples))
            }
        }
    }
}

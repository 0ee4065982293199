import StreamFormats
import Testing

@Suite("ID3v2")
struct ID3TagTests {
    @Test(
        "every encoding of text",
        arguments: [
            ([3] + Array("Zoë".utf8), Array("Zoë".utf8), RawTitle.Encoding.utf8),
            ([0, 0x5A, 0x6F, 0xEB, 0], [0x5A, 0x6F, 0xEB], .latin1),
            ([1, 0xFF, 0xFE, 0x5A, 0, 0x6F, 0, 0xEB, 0, 0, 0], Array("Zoë".utf8), .utf8),
            ([1, 0xFE, 0xFF, 0, 0x5A, 0, 0x6F, 0, 0xEB], Array("Zoë".utf8), .utf8),
            ([2, 0, 0x5A, 0, 0x6F, 0, 0xEB], Array("Zoë".utf8), .utf8),
        ] as [([UInt8], [UInt8], RawTitle.Encoding)])
    func encodings(body: [UInt8], text: [UInt8], encoding: RawTitle.Encoding) {
        let tag = Made.id3([("TIT2", body)])
        let title = ID3Tag(tag[...])?.rawTitle(block: tag[...])
        #expect(title?.text == text)
        #expect(title?.encoding == encoding)
        #expect(title?.source == .id3)
        #expect(title?.block == tag)
    }

    @Test("artist and title stand apart and are never split")
    func apart() {
        let tag = Made.id3([("TIT2", Made.text("No Split - Here")), ("TPE1", Made.text("Band"))])
        let title = ID3Tag(tag[...])?.rawTitle(block: [])
        #expect(title?.text == Array("No Split - Here".utf8))
        #expect(title?.artist == Array("Band".utf8))
    }

    @Test("two encodings in one tag become UTF-8")
    func mixedEncodings() {
        let tag = Made.id3([("TIT2", [0, 0xE9]), ("TPE1", Made.text("Bänd"))])
        let title = ID3Tag(tag[...])?.rawTitle(block: [])
        #expect(title?.encoding == .utf8)
        #expect(title?.text == Array("é".utf8))
    }

    @Test("versions 2.2 and 2.3, extended header and unsynchronisation")
    func versions() {
        let old: [UInt8] =
            Array("ID3".utf8) + [2, 0, 0] + Made.safe(9) + Array("TT2".utf8) + [0, 0, 3, 0, 0x41, 0x42]
        #expect(ID3Tag(old[...])?.title?.bytes == [0x41, 0x42])
        let frame = Array("TIT2".utf8) + [0, 0, 0, 5, 0, 0, 0, 0xFF, 0, 0xE0, 0x41, 0x42]
        let extended: [UInt8] = [0, 0, 0, 6, 0, 0, 0, 0, 0, 0]
        let body = extended + frame
        let three = Array("ID3".utf8) + [3, 0, 0xC0] + Made.safe(body.count) + body
        #expect(ID3Tag(three[...])?.title?.bytes == [0xFF, 0xE0, 0x41, 0x42])
    }

    @Test("a 2.4 tag whose frame sizes are plain numbers")
    func plainSizes() {
        let long = [UInt8](repeating: 0x41, count: 199)
        let frames =
            Array("TIT2".utf8) + [0, 0, 0, 200, 0, 0, 3] + long + Array("TPE1".utf8) + [
                0, 0, 0, 2, 0, 0, 3, 0x42,
            ]
        let tag = Array("ID3".utf8) + [4, 0, 0] + Made.safe(frames.count) + frames
        #expect(ID3Tag(tag[...])?.title?.bytes == long)
        #expect(ID3Tag(tag[...])?.artist?.bytes == [0x42])
    }

    @Test("user texts, links and pictures")
    func others() {
        let tag = Made.id3([
            ("TXXX", [3] + Array("StreamTitle\0A - B".utf8)),
            ("WXXX", [3] + Array("\0http://a.example/".utf8)),
            ("APIC", [0] + Array("image/png\0".utf8) + [3] + Array("cover\0".utf8) + [1, 2, 3]),
        ])
        let read = ID3Tag(tag[...])
        #expect(read?.pictures.first?.data == [1, 2, 3])
        #expect(read?.pictures.first?.kind == 3)
        #expect(read?.pictures.first?.mediaType == Array("image/png".utf8))
        let title = read?.rawTitle(block: [])
        #expect(title?.text == Array("A - B".utf8))
        #expect(title?.url == Array("http://a.example/".utf8))
    }

    @Test("a tag cut anywhere gives what came before the cut")
    func truncated() {
        let tag = Made.id3([("TIT2", Made.text("Song")), ("TPE1", [1, 0xFF, 0xFE, 0x41, 0])])
        for length in 0..<tag.count {
            let read = ID3Tag(tag[..<length])
            #expect((read != nil) == (length >= 10))
        }
    }
}

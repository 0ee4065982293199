import StreamFormats
import Testing

private let base = "http://b.example/x/y/live.m3u8?t=1"

private func media(_ text: String) -> HLSMedia? {
    guard case .media(let media) = HLSPlaylist.parse(bytes(text), url: base) else { return nil }
    return media
}

private func master(_ text: String) -> HLSMaster? {
    guard case .master(let master) = HLSPlaylist.parse(bytes(text), url: base) else { return nil }
    return master
}

/// A list of one segment, with these lines before it.
private func segment(_ lines: String) -> HLSMedia.Segment? {
    media("#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXT-X-MEDIA-SEQUENCE:7\n\(lines)\n")?.segments.first
}

@Suite("HLS: media lists")
struct HLSMediaTests {
    @Test("segments with their numbers, times and titles")
    func segments() {
        let got = media(
            "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:10\n#EXT-X-MEDIA-SEQUENCE:7\n#EXTINF:9.984,Band R - Song S\n"
                + "s7.aac\n#EXTINF:10.031,\n/s8.aac\n#EXTINF:9.984\nhttps://c.example/s9.aac?a=1,2\n")
        #expect(
            got?.version == 3 && got?.targetDuration == .seconds(10) && got?.sequence == 7
                && got?.isEnded == false)
        #expect(
            got?.segments.map(\.url) == [
                "http://b.example/x/y/s7.aac", "http://b.example/s8.aac", "https://c.example/s9.aac?a=1,2",
            ])
        #expect(got?.segments.map(\.sequence) == [7, 8, 9])
        #expect(
            got?.segments.map(\.duration) == [
                .milliseconds(9984), .milliseconds(10_031), .milliseconds(9984),
            ])
        #expect(got?.segments.map { text($0.title) } == ["Band R - Song S", nil, nil])
    }

    @Test("no version, no sequence, a mark in front, CRLF, a target behind its use")
    func loose() {
        #expect(media("#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:4.92,\nout1.ts\n")?.segments.count == 1)
        let got = media(
            "\u{EF}\u{BB}\u{BF}#EXTM3U\r\n#EXTINF:x,\r\na.ts\r\n# comment\r\nb.ts\r\n#EXT-X-TARGETDURATION:6\r\n#EXT-X-ENDLIST\r\n"
        )
        #expect(got?.segments.map(\.duration) == [.seconds(6), .seconds(6)] && got?.isEnded == true)
        #expect(HLSPlaylist.parse(bytes("#EXTM3U\n#EXTINF:-1,X\nhttp://a.example/live\n"), url: base) == nil)
    }

    @Test("titles keep their commas and attributes")
    func titles() {
        let list = "title=\"Sun, Flower\",artist=\"P\",url=\"song_spot=\\\"M\\\"\""
        #expect(text(segment("#EXTINF:10,\(list)\ns.aac")?.title) == list)
        #expect(text(segment("#EXTINF:4.99, no desc\ns.aac")?.title) == "no desc")
    }

    @Test(
        "durations that are no number count as the target",
        arguments: ["-1", "1e309", "NaN", "inf", "+5", "", ".", "99999999999999999999", "86401", "5x"])
    func oddDurations(value: String) { #expect(segment("#EXTINF:\(value),\ns.ts")?.duration == .seconds(10)) }

    @Test(
        "durations to the nanosecond",
        arguments: [("5", 5.0), ("5.", 5), (".5", 0.5), ("5.01551", 5.01551), ("0.0000000019", 1e-9)])
    func durations(value: String, seconds: Double) {
        #expect(
            segment("#EXTINF:\(value),\ns.ts").map { abs($0.duration / .seconds(1) - seconds) < 1e-10 }
                == true)
    }

    @Test("a break, a gap and a date belong to the next address, wherever they stand before it")
    func marks() {
        let got = media(
            "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-DISCONTINUITY-SEQUENCE:4\n#EXTINF:6,\na1.ts\n#EXT-X-DISCONTINUITY\n"
                + "#EXTINF:4, no desc\n#EXT-X-PROGRAM-DATE-TIME:2016-02-26T09:00:15Z\nad.ts\n#EXT-X-DISCONTINUITY\n#EXT-X-GAP\n"
                + "#EXT-X-PROGRAM-DATE-TIME:2016-02-26T09:00:19.5+0200\n#EXTINF:6,\na2.ts\n#EXTINF:6,\na3.ts\n"
        )
        #expect(got?.segments.map(\.isDiscontinuity) == [false, true, true, false])
        #expect(got?.segments.map(\.discontinuitySequence) == [4, 5, 6, 6])
        #expect(got?.segments.map(\.isGap) == [false, false, true, false])
        #expect(
            got?.segments.map(\.programDateTime) == [
                nil, "2016-02-26T09:00:15Z", "2016-02-26T09:00:19.5+0200", nil,
            ])
    }

    @Test("byte ranges, told and following on")
    func ranges() {
        let got = media(
            "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-MAP:URI=\"init.mp4\",BYTERANGE=\"718@0\"\n#EXT-X-BYTERANGE:1000@718\n#EXTINF:6,\na.mp4\n"
                + "#EXT-X-BYTERANGE:500\n#EXTINF:6,\na.mp4\n#EXT-X-BYTERANGE:5\n#EXTINF:6,\nb.mp4\n#EXT-X-BYTERANGE:-5@x\n#EXTINF:6,\nb.mp4\n"
        )
        #expect(
            got?.segments.map(\.range) == [
                .init(offset: 718, length: 1000), .init(offset: 1718, length: 500),
                .init(offset: 0, length: 5), nil,
            ])
        #expect(
            got?.segments.last?.map
                == .init(url: "http://b.example/x/y/init.mp4", range: .init(offset: 0, length: 718)))
    }

    @Test("keys count until the next one")
    func keys() {
        let got = media(
            "#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:7\n#EXT-X-KEY:METHOD=AES-128,URI=\"key.bin\"\n#EXTINF:4,\nf7.aac\n#EXTINF:4,\nf8.aac\n"
                + "#EXT-X-KEY:METHOD=NONE\n#EXTINF:4,\nf9.aac\n#EXT-X-KEY:METHOD=AES-128,URI=\"k2\",IV=0x0000000000000000000000000000000A\n"
                + "#EXTINF:4,\nf10.aac\n")
        let first = got?.segments.first?.key
        #expect(
            first == .init(method: .aes128, url: "http://b.example/x/y/key.bin", iv: nil, format: "identity"))
        #expect(got?.segments.map { $0.key?.isSupported } == [true, true, nil, true])
        #expect(got?.segments.last?.key?.iv == [UInt8](repeating: 0, count: 15) + [10])
    }

    @Test("encryption that we do not have is named; one that we have is taken where both are offered")
    func foreignKeys() {
        let fairplay =
            "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://key\",KEYFORMAT=\"com.apple.streamingkeydelivery\""
        let key = segment("\(fairplay)\n#EXTINF:6,\ns.ts")?.key
        #expect(key?.method == .other("SAMPLE-AES") && key?.isSupported == false && key?.url == nil)
        let aes = "#EXT-X-KEY:METHOD=AES-128,URI=\"k\""
        #expect(segment("\(aes)\n\(fairplay)\n#EXTINF:6,\ns.ts")?.key?.isSupported == true)
        #expect(segment("\(fairplay)\n\(aes)\n#EXTINF:6,\ns.ts")?.key?.isSupported == true)
    }

    @Test(
        "initialization vectors of up to 32 digits",
        arguments: [
            ("0xA", true), ("0X0a", true), ("12", false), ("0x", false), ("0xg", false),
            ("0x\(String(repeating: "1", count: 33))", false),
        ])
    func vectors(text: String, isRead: Bool) {
        #expect(
            (segment("#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=\(text)\n#EXTINF:6,\ns.ts")?.key?.iv != nil)
                == isRead)
    }

    @Test(
        "an address that cannot be followed is a gap in its place",
        arguments: ["file:///etc/passwd", "skd://x", "http:///x", "data:audio/aac;base64,AA"])
    func badAddresses(address: String) {
        let got = media("#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:7\n#EXTINF:4,\n\(address)\n#EXTINF:4,\nok.aac\n")
        #expect(got?.segments.map(\.isGap) == [true, false] && got?.segments.map(\.sequence) == [7, 8])
    }

    @Test("keeps the last thousand segments, and their numbers")
    func window() {
        let lines = (0..<1500).map { "#EXTINF:1,\n\($0).ts\n" }.joined()
        let got = media("#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:999999999999999\n\(lines)")
        #expect(got?.segments.count == 1000 && got?.segments.last?.sequence == 999_999_999_999_999 + 1499)
    }

    @Test("never fails, and gives addresses of http alone", arguments: 1...120)
    func anyBytes(seed: UInt64) {
        var random = Seeded(seed)
        let words = [
            "#EXTM3U\n", "#EXTINF:", "#EXT-X-KEY:", "METHOD=", "AES-128", "URI=", "\"", ",", "\n", "9.9",
            "#EXT-X-MEDIA-SEQUENCE:", "9", "@", "-",
            "#EXT-X-BYTERANGE:", "#EXT-X-STREAM-INF:", "BANDWIDTH=", "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=",
            "#EXT-X-MAP:", "IV=0x", "\u{FF}", "http://", "a", "..", "=", "#EXT-X-DISCONTINUITY\n",
            "#EXT-X-TARGETDURATION:",
        ]
        var body = bytes("#EXTM3U\n#EXT-X-TARGETDURATION:1\n")
        for _ in 0..<100 { body += bytes(words.randomElement(using: &random) ?? "") }
        switch HLSPlaylist.parse(body, url: base) {
        case .media(let media): #expect(media.segments.allSatisfy { $0.url.hasPrefix("http") || $0.isGap })
        case .master(let master): #expect(master.choices.allSatisfy { $0.url.hasPrefix("http") })
        case nil: break
        }
    }
}

@Suite("HLS: master lists")
struct HLSMasterTests {
    @Test("the second of two equal variants is what to fall back on")
    func equalVariants() {
        let got = master(
            "#EXTM3U\n#EXT-X-STREAM-INF:PROGRAM-ID=1,BANDWIDTH=54000,CODECS=\"mp4a.40.2\"\nhttps://lh.example/a-p.m3u8?sd=10&rebase=on\n"
                + "#EXT-X-STREAM-INF:PROGRAM-ID=1,BANDWIDTH=54000,CODECS=\"mp4a.40.2\"\nhttps://lh.example/a-b.m3u8?sd=10&rebase=on\n"
        )
        #expect(
            got?.choices.map(\.url) == [
                "https://lh.example/a-p.m3u8?sd=10&rebase=on", "https://lh.example/a-b.m3u8?sd=10&rebase=on",
            ])
        #expect(got?.variants.first?.codecs == ["mp4a.40.2"] && got?.variants.first?.bandwidth == 54_000)
    }

    @Test("the highest bandwidth of those without video and with a codec that we have")
    func choice() {
        let got = master(
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=2000000,RESOLUTION=1x1,CODECS=\"avc1.4d,mp4a.40.2\"\nvideo.m3u8\n"
                + "#EXT-X-STREAM-INF:BANDWIDTH=700000,CODECS=\"ec-3\"\nsurround.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=64000\nlow.m3u8\n"
                + "#EXT-X-STREAM-INF:BANDWIDTH=128000.0,CODECS=\"mp4a.40.34\"\n# between\nhigh.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlow.m3u8\n"
        )
        #expect(
            got?.choices.map { $0.url.split(separator: "/").last } == [
                "high.m3u8", "low.m3u8", "surround.m3u8", "video.m3u8",
            ])
        #expect(got?.choices.map(\.hasVideo) == [false, false, false, true])
    }

    @Test("the audio of a group, its default first")
    func groups() {
        let got = master(
            "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"Comment, live\",URI=\"c.m3u8\",AUTOSELECT=YES\n"
                + "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"Main\",LANGUAGE=\"en\",DEFAULT=YES,URI=\"m.m3u8\"\n"
                + "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"a\",URI=\"s.m3u8\"\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"inside\",NAME=\"x\"\n"
                + "#EXT-X-STREAM-INF:BANDWIDTH=9,RESOLUTION=1x1,AUDIO=\"a\"\nv.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=5,AUDIO=\"inside\"\nw.m3u8\n"
        )
        #expect(got?.audio.count == 3 && got?.audio.first?.name == "Comment, live")
        #expect(got?.choices.map(\.url) == ["http://b.example/x/y/m.m3u8", "http://b.example/x/y/w.m3u8"])
        #expect(got?.choices.first?.hasVideo == false)
    }
}

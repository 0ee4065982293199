import StreamFormats
import Testing

/// Kinds: HE-AAC told from AAC though no header says it; configurations for MP4.
@Suite("AAC kinds")
struct AACTests {
    @Test("HE-AAC v2 is known by its frames: rate and channels are what comes out", arguments: [7, 255, 0])
    func version2(chunk: Int) throws {
        let heard = Heard(try Fixture.bytes("he-v2.aac"), chunk: chunk)
        #expect(heard.story == ["he-aac-v2 44100/2", "26 frames"])
        #expect(heard.samples == 26 * 2048)
        #expect(heard.verdict == .audio(.heAACv2))
    }

    @Test("HE-AAC without PS is version 1", arguments: [0, 1, 2], [1 as UInt64, 2, 3, 4, 5])
    func version1(following: Int, seed: UInt64) {
        let heard = Heard(stream(following: following, seed: seed))
        #expect(heard.story == ["he-aac 44100/1", "40 frames"])
    }

    @Test("AAC alone is never taken for HE-AAC", arguments: 1...20 as ClosedRange<UInt64>)
    func plain(seed: UInt64) {
        let stream = (0..<60).flatMap { frame in
            Made.big(0xFFF1_5080_2E7F_FC, 7)
                + Made.noise(363, seed: seed * 1000 + UInt64(frame)).map { $0 & 0xFE } + [0x0E]
        }
        #expect(Heard(stream).formats.map(\.codec) == [.aac])
    }

    @Test("22.05 kHz without SBR stays 22.05 kHz")
    func halfRate() {
        let heard = Heard(Made.adts(60, 0xFFF1_5C80_2E7F_FC))
        #expect(heard.story == ["aac 22050/2", "60 frames"])
        #expect(heard.samples == 60 * 1024)
    }

    @Test("AAC that turns into HE-AAC under the same headers is noticed")
    func turns() {
        let plain = Made.adts(50, 0xFFF1_5C40_2E7F_FC)
        let heard = Heard(plain + stream(following: 1, seed: 9) + plain)
        #expect(heard.formats.map(\.codec) == [.aac, .heAAC, .aac])
        #expect(heard.frames.count == 140)
    }

    @Test(
        "configurations survive writing and reading",
        arguments: [
            AudioSpecificConfig(sampleRate: 44100, channelConfiguration: 2),
            AudioSpecificConfig(sampleRate: 22050, channelConfiguration: 1, hasSBR: true, hasPS: true),
            AudioSpecificConfig(sampleRate: 24000, channelConfiguration: 2, hasSBR: true),
        ])
    func configurations(config: AudioSpecificConfig) {
        #expect(AudioSpecificConfig(config.bytes[...]) == config)
    }

    @Test(
        "explicit configurations of HE-AAC are read",
        arguments: [
            ([0x12, 0x10], 44100, 2, Codec.aac), ([0x2B, 0x92, 0x08, 0x00], 44100, 2, .heAAC),
            ([0xEB, 0x8A, 0x08, 0x00], 44100, 2, .heAACv2),
            ([0x13, 0x90, 0x56, 0xE5, 0xA0], 44100, 2, .heAAC),
        ] as [([UInt8], Int, Int, Codec)])
    func explicit(bytes: [UInt8], rate: Int, channels: Int, codec: Codec) throws {
        let config = try #require(AudioSpecificConfig(bytes[...]))
        #expect(config.outputRate == rate)
        #expect(config.outputChannels == channels)
        #expect(config.codec == codec)
    }

    @Test("an ADTS header made for a configuration reads back")
    func headers() throws {
        let config = AudioSpecificConfig(sampleRate: 24000, channelConfiguration: 1)
        let bytes = try #require(ADTSHeader.bytes(for: config, payload: 100))
        let read = ADTSHeader(bytes.span)
        let header = try #require(read)
        #expect(header.frameLength == 107)
        #expect(AudioSpecificConfig(header, codec: .aac) == config)
        #expect(ADTSHeader.bytes(for: config, payload: 9000) == nil)
    }

    /// Forty frames of one channel at 22.05 kHz: noise for a core, a fill element with SBR of noise, as many with
    /// padding as asked for, the end mark.
    private func stream(following: Int, seed: UInt64) -> [UInt8] {
        (0..<40).flatMap { frame in
            var bits = BitWriter()
            for byte in Made.noise(150, seed: seed * 100 + UInt64(frame)) { bits.write(Int(byte), 8) }
            // The core ends at any bit.
            bits.write(0, frame & 7)
            bits.write(6 << 12 | 15 << 8 | 27, 15)  // fill element of 14 + 27 bytes
            // 41 bytes: the type, then noise.
            bits.write(13, 4)
            bits.write(1, 4)
            for byte in Made.noise(40, seed: seed * 777 + UInt64(frame)) { bits.write(Int(byte), 8) }
            for _ in 0..<following {
                bits.write(6 << 4 | 3, 7)
                bits.write(0x10A5A5, 24)
            }
            bits.write(7, 3)
            let payload = bits.finished()
            let config = AudioSpecificConfig(sampleRate: 22050, channelConfiguration: 1)
            return (ADTSHeader.bytes(for: config, payload: payload.count) ?? []) + payload
        }
    }
}

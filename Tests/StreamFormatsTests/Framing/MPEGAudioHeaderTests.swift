import StreamFormats
import Testing

@Suite("MPEG audio header")
struct MPEGAudioHeaderTests {
    @Test(
        "knows length, samples and rate of every version and layer",
        arguments: [
            (0xFFFB_9064 as UInt32, 417, 1152, 44100, 2), (0xFFFB_9464, 384, 1152, 48000, 2),
            (0xFFF3_8064, 208, 576, 22050, 2), (0xFFE3_28C4, 144, 576, 8000, 1),
            (0xFFFD_A004, 626, 1152, 44100, 2),
            (0xFFFF_8004, 276, 384, 44100, 2),
        ])
    func facts(header: UInt32, length: Int, samples: Int, rate: Int, channels: Int) throws {
        let found = try #require(MPEGAudioHeader(header))
        #expect(found.frameLength == length)
        #expect(found.samples == samples)
        #expect(found.sampleRate == rate)
        #expect(found.channels == channels)
    }
}

extension MPEGAudioHeader {
    init?(_ word: UInt32) {
        self.init(
            UInt8(truncatingIfNeeded: word >> 24), UInt8(truncatingIfNeeded: word >> 16),
            UInt8(truncatingIfNeeded: word >> 8), UInt8(truncatingIfNeeded: word))
    }
}

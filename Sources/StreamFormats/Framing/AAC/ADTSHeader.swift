/// The header of an ADTS frame (ISO 13818-7 §6.2, ISO 14496-3 §1.A.2.2).
package struct ADTSHeader: Sendable, Hashable {
    /// Bytes without the CRC.
    package static let length = 7
    /// An AAC frame has at most 6144 bits a channel (ISO 14496-3 §4.5.3.1).
    private static let longestBlock = 768
    static let longest = 8191

    /// The header says MPEG-2.
    package let isMPEG2: Bool
    package let hasCRC: Bool
    /// Audio object type less one: 0 Main, 1 LC, 2 SSR, 3 LTP.
    package let profile: UInt8
    /// Index into the table of sampling rates.
    package let rateIndex: UInt8
    /// 1 to 7; 0 where a program config element inside the frame says it.
    package let channelConfiguration: UInt8
    /// Bytes of the whole frame, header included, as the header says; see `frameLength`.
    private let announcedLength: Int
    /// Raw data blocks in the frame, of 1024 samples each.
    package let blocks: Int

    /// Nil where the bytes are no ADTS header. `bytes` are the seven of the header.
    package init?(_ bytes: (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8)) {
        guard bytes.0 == 0xFF, bytes.1 & 0xF6 == 0xF0 else { return nil }
        rateIndex = (bytes.2 >> 2) & 15
        guard rateIndex < 13 else { return nil }
        isMPEG2 = bytes.1 & 8 != 0
        hasCRC = bytes.1 & 1 == 0
        profile = bytes.2 >> 6
        channelConfiguration = (bytes.2 & 1) << 2 | bytes.3 >> 6
        announcedLength = Int(bytes.3 & 3) << 11 | Int(bytes.4) << 3 | Int(bytes.5 >> 5)
        blocks = Int(bytes.6 & 3) + 1
    }

    /// The header at the front of a frame; nil where there is none.
    package init?(_ frame: Span<UInt8>) {
        guard frame.count >= Self.length else { return nil }
        self.init((frame[0], frame[1], frame[2], frame[3], frame[4], frame[5], frame[6]))
    }

    /// A header without CRC for one raw data block of so many bytes; nil where it would be too long or ADTS has no code
    /// for the rate or the object type.
    package static func bytes(for config: AudioSpecificConfig, payload: Int) -> [UInt8]? {
        let total = length + payload
        guard total <= longest, 1...4 ~= config.objectType, 0...7 ~= config.channelConfiguration,
            let rate = AudioSpecificConfig.rateIndex(of: config.sampleRate)
        else { return nil }
        var bits = BitWriter()
        bits.write(0xFFF1, 16)
        bits.write(config.objectType - 1, 2)
        bits.write(rate, 4)
        bits.write(0, 1)
        bits.write(config.channelConfiguration, 3)
        bits.write(0, 4)
        bits.write(total, 13)
        bits.write(0x7FF, 11)  // buffer fullness: variable rate
        bits.write(0, 2)
        return bits.finished()
    }

    /// Bytes before the first raw data block, the CRC and the block positions that it brings included.
    package var headerLength: Int {
        hasCRC ? Self.length + 2 * blocks : Self.length
    }

    /// Bytes of the whole frame; nil where the announced length cannot be true.
    package var frameLength: Int? {
        let longest =
            channelConfiguration == 0 ? Self.longest : Self.longestBlock * channels * blocks + headerLength
        return announcedLength > headerLength && announcedLength <= longest ? announcedLength : nil
    }

    /// Hz of the core coder; SBR doubles it.
    package var sampleRate: Int { AudioSpecificConfig.sampleRate(index: Int(rateIndex)) ?? 0 }

    /// Channels of the core coder, two where the header leaves it to the frame.
    package var channels: Int {
        switch channelConfiguration {
        case 0: 2
        case 7: 8
        default: Int(channelConfiguration)
        }
    }

    /// Core samples per channel.
    package var samples: Int { 1024 * blocks }

    /// True where `other` may follow in the same stream.
    package func isConsistent(with other: ADTSHeader) -> Bool {
        isMPEG2 == other.isMPEG2 && profile == other.profile && rateIndex == other.rateIndex
            && channelConfiguration == other.channelConfiguration
    }
}

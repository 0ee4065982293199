/// What MP4 and a decoder are told of AAC: object type, rate, channels, SBR and PS (ISO 14496-3 §1.6.2.1).
package struct AudioSpecificConfig: Sendable, Hashable {
    /// Audio object type of the core coder: 2 for LC.
    package var objectType: Int
    /// Hz of the core coder.
    package var sampleRate: Int
    /// 0 to 7, as in ADTS.
    package var channelConfiguration: Int
    package var hasSBR: Bool
    package var hasPS: Bool

    private static let rates: [13 of Int] = [
        96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
    ]

    package init(
        objectType: Int = 2, sampleRate: Int, channelConfiguration: Int, hasSBR: Bool = false,
        hasPS: Bool = false
    ) {
        self.objectType = objectType
        self.sampleRate = sampleRate
        self.channelConfiguration = channelConfiguration
        self.hasSBR = hasSBR
        self.hasPS = hasPS
    }

    /// The configuration of an ADTS stream whose codec has been told by its frames.
    package init(_ header: ADTSHeader, codec: Codec) {
        self.init(
            objectType: Int(header.profile) + 1, sampleRate: header.sampleRate,
            channelConfiguration: Int(header.channelConfiguration),
            hasSBR: codec == .heAAC || codec == .heAACv2,
            hasPS: codec == .heAACv2)
    }

    /// Reads a configuration as it stands in `esds`; nil where it is cut short or uses a reserved rate.
    package init?(_ bytes: ArraySlice<UInt8>) {
        var bits = BitReader(bytes)
        var type = Self.objectType(&bits)
        guard let core = Self.rate(&bits) else { return nil }
        self.init(objectType: type, sampleRate: core, channelConfiguration: bits.read(4))
        if type == 5 || type == 29 {
            hasSBR = true
            hasPS = type == 29
            guard Self.rate(&bits) != nil else { return nil }
            type = Self.objectType(&bits)
            objectType = type
        } else {
            readSyncExtension(&bits)
        }
        guard !bits.isOverrun else { return nil }
    }

    package static func sampleRate(index: Int) -> Int? {
        index < rates.count && index >= 0 ? rates[index] : nil
    }

    package static func rateIndex(of sampleRate: Int) -> Int? {
        rates.indices.first { rates[$0] == sampleRate }
    }

    /// Hz that come out of the decoder.
    package var outputRate: Int { hasSBR ? sampleRate * 2 : sampleRate }

    /// Channels that come out of the decoder.
    package var outputChannels: Int {
        switch channelConfiguration {
        case 0: 2
        case 1: hasPS ? 2 : 1
        case 7: 8
        default: channelConfiguration
        }
    }

    package var codec: Codec { hasPS ? .heAACv2 : hasSBR ? .heAAC : .aac }

    /// The configuration as it stands in `esds`, SBR and PS told in the way that old decoders skip.
    package var bytes: [UInt8] {
        var bits = BitWriter()
        bits.write(objectType, 5)
        Self.write(rate: sampleRate, to: &bits)
        bits.write(channelConfiguration, 4)
        bits.write(0, 3)  // 1024 samples a frame, no core coder, no extension
        if hasSBR {
            bits.write(0x2B7, 11)
            bits.write(5, 5)
            bits.write(1, 1)
            Self.write(rate: outputRate, to: &bits)
            bits.write(0x548, 11)
            bits.write(hasPS ? 1 : 0, 1)
        }
        return bits.finished()
    }

    private static func objectType(_ bits: inout BitReader) -> Int {
        let type = bits.read(5)
        return type == 31 ? 32 + bits.read(6) : type
    }

    private static func rate(_ bits: inout BitReader) -> Int? {
        let index = bits.read(4)
        return index == 15 ? bits.read(24) : sampleRate(index: index)
    }

    private static func write(rate: Int, to bits: inout BitWriter) {
        if let index = rateIndex(of: rate) {
            bits.write(index, 4)
        } else {
            bits.write(15, 4)
            bits.write(rate, 24)
        }
    }

    /// Looks for the extension that says SBR behind the general configuration; where it is missing nothing is known.
    private mutating func readSyncExtension(_ bits: inout BitReader) {
        bits.skip(2)  // frame length, depends on core coder
        guard bits.read(1) == 0, channelConfiguration != 0, bits.left >= 16, bits.read(11) == 0x2B7,
            bits.read(5) == 5,
            bits.read(1) == 1, let doubled = Self.rate(&bits)
        else { return }
        hasSBR = doubled > sampleRate
        hasPS = bits.left >= 12 && bits.read(11) == 0x548 && bits.read(1) == 1
    }
}

/// The four header bytes of an MPEG audio frame, understood (ISO 11172-3 and 13818-3 §2.4.1.3; MPEG-2.5 by custom).
package struct MPEGAudioHeader: Sendable, Hashable {
    package enum Version: UInt8, Sendable, Hashable {
        case mpeg25 = 0
        case mpeg2 = 2
        case mpeg1 = 3
    }

    package static let length = 4

    package let version: Version
    /// 1, 2 or 3.
    package let layer: Int
    /// Two bytes of CRC follow the header.
    package let hasCRC: Bool
    /// kbit/s; 0 says free format, where the distance to the next header is the length.
    package let bitrate: Int
    /// Hz.
    package let sampleRate: Int
    package let isPadded: Bool
    /// 0 stereo, 1 joint stereo, 2 dual channel, 3 mono.
    package let channelMode: UInt8

    /// Nil where the bytes are no header, or one with a reserved value.
    package init?(_ first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8) {
        guard first == 0xFF, second & 0xE0 == 0xE0, let version = Version(rawValue: (second >> 3) & 3) else {
            return nil
        }
        let layerBits = Int((second >> 1) & 3)
        let bitrateIndex = Int(third >> 4)
        let rateIndex = Int((third >> 2) & 3)
        guard layerBits != 0, bitrateIndex != 15, rateIndex != 3, fourth & 3 != 2 else { return nil }
        self.version = version
        layer = 4 - layerBits
        hasCRC = second & 1 == 0
        bitrate = Self.bitrate(version: version, layer: layer, index: bitrateIndex)
        sampleRate = Self.sampleRate(version: version, index: rateIndex)
        isPadded = third & 2 != 0
        channelMode = fourth >> 6
    }

    package var isFreeFormat: Bool { bitrate == 0 }
    package var channels: Int { channelMode == 3 ? 1 : 2 }

    package var codec: Codec {
        switch layer {
        case 1: .mp1
        case 2: .mp2
        default: .mp3
        }
    }

    /// Samples per channel.
    package var samples: Int {
        switch (layer, version) {
        case (1, _): 384
        case (2, _), (_, .mpeg1): 1152
        default: 576
        }
    }

    /// Bytes that the padding bit stands for.
    package var paddingLength: Int { isPadded ? (layer == 1 ? 4 : 1) : 0 }

    /// Bytes of the whole frame; nil for free format.
    package var frameLength: Int? {
        guard bitrate > 0 else { return nil }
        if layer == 1 { return 12 * bitrate * 1000 / sampleRate * 4 + paddingLength }
        return samples / 8 * bitrate * 1000 / sampleRate + paddingLength
    }

    /// Bytes of layer III side information, which follow header and CRC.
    package var sideInfoLength: Int {
        switch (version, channels) {
        case (.mpeg1, 1): 17
        case (.mpeg1, _): 32
        case (_, 1): 9
        default: 17
        }
    }

    /// Where a Xing or Info tag begins in a frame like this one: behind the place of the side information, which
    /// encoders count without a CRC.
    package var xingOffset: Int { Self.length + sideInfoLength }

    /// True where `other` may follow in the same stream: version, layer and rate agree.
    package func isConsistent(with other: MPEGAudioHeader) -> Bool {
        version == other.version && layer == other.layer && sampleRate == other.sampleRate
            && isFreeFormat == other.isFreeFormat
    }

    /// Bytes before this frame's own data that its sound begins in (the bit reservoir), header bytes not counted. A
    /// file or a listener starts well at a frame where it is 0 or small. Nil where it is no layer III frame.
    package static func mainDataBegin(_ frame: Span<UInt8>) -> Int? {
        guard frame.count >= 8, let header = MPEGAudioHeader(frame[0], frame[1], frame[2], frame[3]),
            header.layer == 3
        else { return nil }
        let at = header.hasCRC ? 6 : 4
        if header.version != .mpeg1 { return Int(frame[at]) }
        return Int(frame[at]) << 1 | Int(frame[at + 1] >> 7)
    }

    private static func sampleRate(version: Version, index: Int) -> Int {
        let base: Int =
            switch index {
            case 0: 44100
            case 1: 48000
            default: 32000
            }
        return switch version {
        case .mpeg1: base
        case .mpeg2: base / 2
        case .mpeg25: base / 4
        }
    }

    private static func bitrate(version: Version, layer: Int, index: Int) -> Int {
        switch (version, layer) {
        case (.mpeg1, 1): 32 * index
        case (.mpeg1, 2): layer2[index]
        case (.mpeg1, _): layer3[index]
        case (_, 1): lowRateLayer1[index]
        default: lowRate[index]
        }
    }

    private static let layer2: [15 of Int] = [
        0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384,
    ]
    private static let layer3: [15 of Int] = [
        0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320,
    ]
    private static let lowRateLayer1: [15 of Int] = [
        0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256,
    ]
    private static let lowRate: [15 of Int] = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
}

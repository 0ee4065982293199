/// What the frames of a stream are coded with.
package enum Codec: String, Sendable, Hashable, CaseIterable {
    case mp1
    case mp2
    case mp3
    case aac
    case heAAC = "he-aac"
    case heAACv2 = "he-aac-v2"
    case vorbis
    case opus
    case flac

    /// True for the codecs whose frames stand alone in a byte stream (MPEG audio, ADTS); the others need a container.
    package var isSelfFraming: Bool {
        switch self {
        case .mp1, .mp2, .mp3, .aac, .heAAC, .heAACv2: true
        case .vorbis, .opus, .flac: false
        }
    }
}

/// The container that a stream arrived in and that a recording or a relay gives it again.
package enum Container: String, Sendable, Hashable {
    /// Frames one after another: MPEG audio, ADTS.
    case elementary
    case ogg
    /// `fLaC` and bare frames.
    case nativeFLAC = "flac"
}

/// How the frames that follow are to be read. It may change at any frame.
package struct AudioFormat: Sendable, Hashable {
    package var codec: Codec
    package var container: Container
    /// Output samples a second, Hz; for HE-AAC the doubled rate.
    package var sampleRate: Int
    /// Output channels; for HE-AAC v2 two.
    package var channels: Int
    /// Rates that audio has, Hz. A header that tells another is not believed: at 1 Hz a byte would last for hours.
    static let soundRates = 1_000...768_000
    /// Setup packets that a decoder needs before the first frame: the Ogg header packets in order, or `fLaC` with its
    /// metadata blocks as one. Empty for MPEG audio and ADTS.
    package var setup: [[UInt8]]

    package init(
        codec: Codec, container: Container = .elementary, sampleRate: Int, channels: Int,
        setup: [[UInt8]] = []
    ) {
        self.codec = codec
        self.container = container
        self.sampleRate = sampleRate
        self.channels = channels
        self.setup = setup
    }

    /// The media type that listeners are told. `audio/aac`, never `aacp`: Chromium says no to that.
    package var mediaType: String {
        switch (codec, container) {
        case (.mp1, _), (.mp2, _), (.mp3, _): "audio/mpeg"
        case (.aac, _), (.heAAC, _), (.heAACv2, _): "audio/aac"
        case (.flac, .nativeFLAC): "audio/flac"
        case (.flac, _), (.vorbis, _), (.opus, _): "audio/ogg"
        }
    }

    /// The extension of a file that holds such a stream as it came.
    package var fileExtension: String {
        switch (codec, container) {
        case (.mp1, _): "mp1"
        case (.mp2, _): "mp2"
        case (.mp3, _): "mp3"
        case (.aac, _), (.heAAC, _), (.heAACv2, _): "aac"
        case (.flac, .nativeFLAC): "flac"
        case (.opus, _): "opus"
        case (.flac, _), (.vorbis, _): "ogg"
        }
    }
}

/// One whole frame (MPEG audio, ADTS, FLAC) or packet (Ogg) inside a `FrameRun`.
package struct FrameInfo: Sendable, Hashable {
    /// Bytes of the frame, header included.
    package var length: Int32
    /// Samples per channel that it decodes to, at the format's `sampleRate`. 0 for a packet that carries no sound.
    package var samples: Int32

    package init(length: Int32, samples: Int32) {
        self.length = length
        self.samples = samples
    }
}

/// Whole frames of one format, back to back. `bytes.count` is the sum of the lengths.
package struct FrameRun: Sendable, Hashable {
    package var bytes: [UInt8]
    package var frames: [FrameInfo]

    package init(bytes: [UInt8] = [], frames: [FrameInfo] = []) {
        self.bytes = bytes
        self.frames = frames
    }

    /// Samples per channel of all frames together.
    package var samples: Int64 { frames.reduce(0) { $0 + Int64($1.samples) } }
}

/// What a demuxer or scanner found, in the order of the stream.
package enum StreamElement: Sendable, Hashable {
    /// From the next frame on.
    case format(AudioFormat)
    case frames(FrameRun)
    /// Valid from the next frame on.
    case title(RawTitle)
    /// So many bytes were neither frame nor metadata and were left out.
    case junk(byteCount: Int)
}

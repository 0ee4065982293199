internal import CAVCodec
internal import CAVLazy
internal import StreamFormats

/// Sound as a decoder lends it; valid during the call alone.
struct DecodedSound {
    /// One plane per channel, or one for all where the format is interleaved.
    var planes: UnsafePointer<UnsafePointer<UInt8>?>
    /// Per channel.
    var samples: Int32
    var shape: SoundShape
}

/// How samples lie in memory.
struct SoundShape: Hashable {
    var format: AVSampleFormat
    var rate: Int32
    var channels: Int32
}

/// Turns frames into sound, one after another.
protocol FrameDecoder: AnyObject {
    /// For people: `libmpg123`, `aac`.
    var name: String { get }
    /// Decodes one frame and lends what came out, none or several times. Throws when the decoder is of no use any more;
    /// a frame that is merely broken gives nothing.
    func decode(_ frame: UnsafeRawBufferPointer, _ heard: (DecodedSound) -> Void) throws
}

struct DecodingError: Error, CustomStringConvertible {
    var description: String
}

enum Decoders {
    /// A decoder for frames of this format.
    static func decoder(for format: AudioFormat) throws(DecodingError) -> any FrameDecoder {
        let isMPEG = [.mp1, .mp2, .mp3].contains(format.codec)
        guard isMPEG || aircheck_av_load() != 0 else {
            throw DecodingError(description: "FFmpeg's libraries are not installed (libavcodec, libavformat)")
        }
        return switch format.codec {
        case .mp1, .mp2, .mp3: try MPEGDecoder()
        case .aac, .heAAC, .heAACv2: try PacketDecoder(AV_CODEC_ID_AAC, setup: [])
        case .vorbis: try PacketDecoder(AV_CODEC_ID_VORBIS, setup: CodecSetup.vorbis(format.setup))
        case .opus: try PacketDecoder(AV_CODEC_ID_OPUS, setup: CodecSetup.opus(format.setup))
        case .flac: try PacketDecoder(AV_CODEC_ID_FLAC, setup: CodecSetup.flac(format.setup))
        }
    }
}

/// What the headers of self-framing audio say together: keeps the format and notices when it changes.
struct AudioShape: Sendable {
    private(set) var format: AudioFormat?
    private var last: FrameHeader?

    /// Takes the next frame in; the format where it has become another one.
    mutating func update(
        _ header: FrameHeader, _ frame: ArraySlice<UInt8>, told: AudioSpecificConfig? = nil
    ) -> AudioFormat? {
        if let last, last == header { return nil }
        last = header
        let new = Self.format(of: header)
        guard new != format else { return nil }
        format = new
        return new
    }

    /// Samples per channel at the format's rate.
    func samples(of header: FrameHeader) -> Int {
        header.samples
    }

    private static func format(of header: FrameHeader) -> AudioFormat {
        switch header {
        case .mpeg(let mpeg):
            AudioFormat(codec: mpeg.codec, sampleRate: mpeg.sampleRate, channels: mpeg.channels)
        case .adts(let adts):
            AudioFormat(codec: .aac, sampleRate: adts.sampleRate, channels: adts.channels)
        }
    }
}

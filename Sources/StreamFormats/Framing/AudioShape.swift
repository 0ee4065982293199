/// What the headers of self-framing audio say together: keeps the format and notices when it changes.
struct AudioShape: Sendable {
    private(set) var format: AudioFormat?
    private var last: FrameHeader?
    private var profile = AACProfile()

    /// True where frames must be looked into (`consider`) before the first of them has a format.
    func isOpen(for header: FrameHeader) -> Bool {
        guard case .adts = header else { return false }
        return isNew(header) || profile.isOpen
    }

    /// Takes in one of the frames that an AAC stream begins with.
    mutating func consider(_ header: FrameHeader, _ frame: ArraySlice<UInt8>) {
        guard case .adts(let adts) = header else { return }
        if isNew(header) { profile = AACProfile() }
        last = header
        profile.consider(frame, adts)
    }

    /// No more frames of the begin are there.
    mutating func decide() {
        profile.decide()
    }

    /// Takes the next frame in; the format where it has become another one. `told` is what a container says of it.
    mutating func update(
        _ header: FrameHeader, _ frame: ArraySlice<UInt8>, told: AudioSpecificConfig? = nil
    ) -> AudioFormat? {
        if let told {
            if told.hasSBR { profile.know(told.codec) } else { consider(header, frame) }
        }
        last = header
        let new = format(of: header)
        if case .adts(let adts) = header, profile.watch(frame, adts) { profile = AACProfile() }
        guard new != format else { return nil }
        format = new
        return new
    }

    /// Samples per channel at the format's rate: SBR doubles them.
    func samples(of header: FrameHeader) -> Int {
        let isDoubled = format?.codec == .heAAC || format?.codec == .heAACv2
        return isDoubled ? header.samples * 2 : header.samples
    }

    private func isNew(_ header: FrameHeader) -> Bool {
        last.map { !$0.isConsistent(with: header) } ?? true
    }

    private func format(of header: FrameHeader) -> AudioFormat {
        switch header {
        case .mpeg(let mpeg):
            return AudioFormat(codec: mpeg.codec, sampleRate: mpeg.sampleRate, channels: mpeg.channels)
        case .adts(let adts):
            let config = AudioSpecificConfig(adts, codec: profile.codec ?? .aac)
            return AudioFormat(
                codec: config.codec, sampleRate: config.outputRate, channels: config.outputChannels)
        }
    }
}

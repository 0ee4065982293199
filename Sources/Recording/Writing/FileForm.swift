internal import StreamFormats

/// How frames become the bytes of a file: as they are, or packed into a container.
struct FileForm: Sendable {
    let format: AudioFormat
    let head: FileHead

    init(format: AudioFormat, head: FileHead = .none) {
        self.format = format
        self.head = head
    }

    /// Appends what `run` becomes.
    mutating func encode(_ run: FrameRun, into bytes: inout [UInt8]) { bytes += run.bytes }

    /// Appends what must stand after the last frame.
    mutating func end(into bytes: inout [UInt8]) {}

    /// True where frames of `next` may follow in the same file.
    /// - Parameter strictly: a change of the sample rate also ends the file; players that mind are many.
    func continues(with next: AudioFormat, strictly: Bool) -> Bool {
        guard format.codec.isSelfFraming else { return next == format }
        return next.container == format.container && family(next.codec) == family(format.codec)
            && (!strictly || next.sampleRate == format.sampleRate)
    }

    /// HE-AAC is AAC with more in it, and is often only recognised after some frames.
    private func family(_ codec: Codec) -> Codec {
        switch codec {
        case .heAAC, .heAACv2: .aac
        default: codec
        }
    }
}

internal import Feed
internal import Platform
internal import StreamFormats

/// Some seconds of a mount as HLS hands them out: whole frames, never re-encoded, with where and when they sound.
struct HLSSegment: Sendable {
    var sequence: Int64
    var format: AudioFormat
    var frames: FrameRun
    /// Samples since the output began, at the format's rate: the decoder's clock.
    var startSample: Int64
    var samples: Int64
    /// When its first frame sounds.
    var wall: WallTime
    /// Valid at its first frame.
    var title: TitleText?
    /// What came before does not join on: something is missing, or the format is another.
    var isDiscontinuity: Bool
    /// Which of the output's formats it has; each needs an initialisation of its own.
    var generation: Int64

    var seconds: Double { Double(samples) / Double(max(1, format.sampleRate)) }
}

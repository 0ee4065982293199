/// Decides over several frames whether AAC is HE-AAC, and keeps watching.
///
/// Two frames decide about SBR: they are there anyway when a chain is found. Where SBR comes with one channel, ten frames
/// decide about PS. Later one frame in eight is looked at, so that a stream that turns from AAC into HE-AAC under the
/// same headers is noticed within two seconds.
struct AACProfile: Sendable {
    /// Frames that decide about SBR.
    static let sbrFrames = 2
    /// Frames that decide about PS, and how many of them must have it.
    static let psFrames = 10
    private static let enoughPS = 9
    private static let sampleDistance = 8
    /// Samples in a row that must say otherwise.
    private static let enoughOtherwise = 4

    private(set) var codec: Codec?
    private var seen = 0
    private var withSBR = 0
    private var withPS = 0
    private var sinceSample = 0
    private var otherwise = 0

    /// True while `codec` waits for more frames.
    var isOpen: Bool { codec == nil }

    /// Takes one of the first frames in.
    mutating func consider(_ frame: ArraySlice<UInt8>, _ header: ADTSHeader) {
        guard isOpen else { return }
        let finding = SBRFinder.look(into: frame, headerLength: header.headerLength)
        seen += 1
        withSBR += finding.hasSBR ? 1 : 0
        withPS += finding.hasPS ? 1 : 0
        guard seen >= Self.sbrFrames else { return }
        if withSBR < Self.sbrFrames || header.channels != 1 { return decide() }
        if seen == Self.psFrames || seen - withPS > Self.psFrames - Self.enoughPS { decide() }
    }

    /// No more frames will help.
    mutating func decide() {
        guard codec == nil else { return }
        let hasSBR = withSBR >= Self.sbrFrames
        let hasPS = hasSBR && withPS >= Self.enoughPS
        codec = hasPS ? .heAACv2 : hasSBR ? .heAAC : .aac
    }

    /// The container has told what it is.
    mutating func know(_ codec: Codec) {
        self.codec = codec
    }

    /// Looks at one frame in eight; true once they say that the decision no longer holds.
    mutating func watch(_ frame: ArraySlice<UInt8>, _ header: ADTSHeader) -> Bool {
        guard codec != nil else { return false }
        sinceSample += 1
        guard sinceSample >= Self.sampleDistance else { return false }
        sinceSample = 0
        let hasSBR = SBRFinder.look(into: frame, headerLength: header.headerLength).hasSBR
        otherwise = hasSBR == (codec != .aac) ? 0 : otherwise + 1
        return otherwise >= Self.enoughOtherwise
    }
}

import StreamFormats

/// One connection's bytes on their way to frames: titles are taken out first, then the container, then the frames.
/// Pure; every layer goes on wherever the reads were cut.
struct StreamPipeline: Sendable {
    private var demuxer: IcyDemuxer
    private var reader: ElementaryReader
    private var pieces: [IcyPiece] = []
    /// Two blocks in a row were none: we are out of step, and what follows is not to be trusted.
    private(set) var hasDrifted = false

    init(head: ResponseHead, hint: ContentHint) {
        var interval = 0
        if case .every(let bytes) = head.metadata { interval = bytes }
        demuxer = IcyDemuxer(interval: interval)
        reader = ElementaryReader(hint: hint)
    }

    var verdict: StreamVerdict { reader.verdict }

    /// Takes the next bytes and appends what they complete.
    /// - Returns: what the stream is by now. Told here, because asking a value of so many layers from outside copies it.
    mutating func push(
        _ bytes: Span<UInt8>, into found: inout [StreamElement]
    ) -> (verdict: StreamVerdict, hasDrifted: Bool) {
        pieces.removeAll(keepingCapacity: true)
        demuxer.push(bytes, into: &pieces)
        for piece in pieces where !hasDrifted {
            switch piece {
            case .audio(let range): reader.push(bytes.extracting(range), into: &found)
            case .title(let title): reader.push(title: title, into: &found)
            case .drift: hasDrifted = true
            }
        }
        return (reader.verdict, hasDrifted)
    }

    /// The connection is over: a whole last frame comes out, a partial one does not.
    mutating func finish(into found: inout [StreamElement]) { reader.finish(into: &found) }
}

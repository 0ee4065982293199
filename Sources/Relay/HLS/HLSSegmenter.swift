internal import Feed
internal import Platform
internal import StreamFormats

/// Cuts a feed into segments: on frames, after about so many seconds, and at a new title where the segment is long enough
/// to be cut. Pure.
struct HLSSegmenter {
    /// Seconds of a segment.
    let target: Double
    /// A title cuts no segment shorter than this.
    private static let shortest = 1.5
    /// A segment of more bytes is cut before its time: there are packets that last no time at all.
    private static let mostBytes = 4 << 20

    private var sequence: Int64
    private var generation: Int64
    private var format: AudioFormat?
    private var open = FrameRun()
    private var openSamples: Int64 = 0
    private var openTitle: TitleText?
    private var title: TitleText?
    private var isDiscontinuity = false
    /// Of the present run without a break: its first sample, its clock, and samples closed since.
    private var runWall: WallTime?
    private var runSamples: Int64 = 0
    private var totalSamples: Int64 = 0

    /// - Parameter firstSequence: grows from one start of the service to the next, so that names are never used twice.
    init(target: Double, firstSequence: Int64) {
        self.target = target
        sequence = firstSequence
        generation = firstSequence
    }

    /// Takes the next event and appends the segments that it completes.
    mutating func take(_ event: FeedEvent, into done: inout [HLSSegment]) {
        switch event {
        case .format(let new, _): take(new, into: &done)
        case .audio(let chunk):
            take(chunk.format, into: &done)
            take(chunk, into: &done)
        case .title(let mark):
            if openSeconds >= Self.shortest { close(into: &done) }
            title = mark.text
            if open.frames.isEmpty { openTitle = title }
        case .gap(let gap):
            guard gap.lostSeconds > 0 else { return }
            close(into: &done)
            startRun()
        case .retitled(let marks): title = marks.last?.text ?? title
        }
    }

    private var openSeconds: Double { Double(openSamples) / Double(max(1, format?.sampleRate ?? 1)) }

    private mutating func take(_ new: AudioFormat, into done: inout [HLSSegment]) {
        guard new != format else { return }
        close(into: &done)
        if format != nil {
            generation += 1
            startRun()
        }
        format = new
    }

    /// What follows does not join on to what was.
    private mutating func startRun() {
        isDiscontinuity = true
        runWall = nil
        runSamples = 0
    }

    private mutating func take(_ chunk: Chunk, into done: inout [HLSSegment]) {
        if runWall == nil {
            let seconds = Double(chunk.end.nanoseconds - chunk.start.nanoseconds) / 1e9
            runWall = chunk.wall.advanced(bySeconds: -seconds)
        }
        var offset = 0
        for info in chunk.run.frames {
            let end = offset + Int(info.length)
            if open.frames.isEmpty { openTitle = title }
            open.bytes += chunk.bytes[offset..<end]
            open.frames.append(info)
            openSamples += Int64(info.samples)
            offset = end
            if openSeconds >= target || open.bytes.count >= Self.mostBytes { close(into: &done) }
        }
    }

    private mutating func close(into done: inout [HLSSegment]) {
        guard let format, let runWall, !open.frames.isEmpty else { return }
        let seconds = Double(runSamples) / Double(max(1, format.sampleRate))
        done.append(
            HLSSegment(
                sequence: sequence, format: format, frames: open, startSample: totalSamples,
                samples: openSamples,
                wall: runWall.advanced(bySeconds: seconds), title: openTitle,
                isDiscontinuity: isDiscontinuity,
                generation: generation))
        sequence += 1
        runSamples += openSamples
        totalSamples += openSamples
        open = FrameRun()
        openSamples = 0
        isDiscontinuity = false
    }
}

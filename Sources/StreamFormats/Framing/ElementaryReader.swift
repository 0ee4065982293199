/// Bytes of one connection in, whole frames, formats and titles out, whatever the container.
///
/// One reader per connection, or per run of HLS segments. It may be fed in pieces of any size; the pieces do not change
/// what comes out but for where one `FrameRun` or `junk` ends and the next begins. Not shared between threads.
///
/// Content decides: the scanner hunts for chained frames and for the marks of containers; a container that loses its
/// place gives the bytes back to the scanner. So a stream may turn into any other at any place.
package struct ElementaryReader: Sendable {
    private var window = ByteWindow()
    private var outlet = FrameOutlet()
    /// Whose turn it is; nil for the scanner.
    private var container: StreamContainer?
    private var scanner = FrameScanner()
    private var ogg = OggReader()
    private var flac = FLACReader()
    private var transport = TransportReader()
    private var mp4 = MP4Reader()
    private var opening: StreamOpening

    package init(hint: ContentHint = ContentHint()) {
        opening = StreamOpening(hint: hint)
    }

    /// What the stream turned out to be so far.
    package var verdict: StreamVerdict {
        if let format = outlet.format { return .audio(format.codec) }
        if let name = ogg.foreignName ?? transport.foreignName ?? mp4.foreignName {
            return .unsupported(name)
        }
        return opening.verdict
    }

    /// 90 kHz, 33 bits: the time stamp told last, by a transport stream or by the tag in front of packed audio. Nil where
    /// there is none; time goes by the count of frames then.
    package var timestamp: UInt64? { transport.timestamp ?? scanner.timestamp }

    /// Takes the next bytes of the stream and appends what they complete.
    package mutating func push(_ bytes: Span<UInt8>, into found: inout [StreamElement]) {
        opening.push(bytes)
        window.append(bytes)
        outlet.expect(window.count)
        read(atEnd: false)
        window.compact()
        outlet.drain(into: &found)
    }

    /// A title that came between the bytes (ICY, `EXTINF`): valid from the first frame that starts at or after the
    /// present byte; it comes out right before that frame.
    package mutating func push(title: RawTitle, into found: inout [StreamElement]) {
        outlet.push(title: title, at: container == .transportStream ? transport.place : window.endOffset)
    }

    /// The input is over: a complete last frame that ends exactly there comes out, a partial one is junk.
    package mutating func finish(into found: inout [StreamElement]) {
        opening.finish()
        read(atEnd: true)
        outlet.skip(window.count)
        window.drop(window.count)
        outlet.finish(into: &found)
    }

    private mutating func read(atEnd: Bool) {
        if opening.isRefused {
            outlet.skip(window.count)
            window.drop(window.count)
        }
        while step(atEnd) {}
    }

    /// Lets the reader of the moment read; true where another goes on.
    private mutating func step(_ atEnd: Bool) -> Bool {
        guard let container else {
            guard case .container(let found) = scanner.scan(&window, atEnd: atEnd, &outlet) else {
                return false
            }
            enter(found)
            return true
        }
        let isLost =
            switch container {
            case .ogg: ogg.read(&window, atEnd: atEnd, &outlet) == .lost
            case .flac: flac.read(&window, atEnd: atEnd, &outlet) == .lost
            case .transportStream: transport.read(&window, atEnd: atEnd, &outlet) == .lost
            case .mp4: mp4.read(&window, atEnd: atEnd, &outlet) == .lost
            }
        if isLost { leave(container) }
        return isLost
    }

    private mutating func enter(_ container: StreamContainer) {
        // Frames of a transport stream are counted in bytes of the audio, not of the input.
        if container == .transportStream { outlet.restartOffsets() }
        if container == .flac { flac = FLACReader() }
        self.container = container
    }

    /// Back to the hunt. The first byte is given up where it would only lead to the same reader again.
    private mutating func leave(_ container: StreamContainer) {
        if window.count > 0, case .container(container) = StreamContainer.read(window, at: 0, atEnd: true) {
            outlet.skip(1)
            window.drop(1)
        }
        if container == .transportStream { outlet.restartOffsets() }
        self.container = nil
        scanner.restart()
    }
}

/// Bytes of one connection in, whole frames, formats and titles out, whatever the container.
///
/// One reader per connection, or per run of HLS segments. It may be fed in pieces of any size; the pieces do not change
/// what comes out but for where one `FrameRun` or `junk` ends and the next begins. Not shared between threads.
package struct ElementaryReader: Sendable {
    private let hint: ContentHint
    private var window = ByteWindow()
    private var outlet = FrameOutlet()
    private var scanner = FrameScanner(isInner: true)

    package init(hint: ContentHint = ContentHint()) {
        self.hint = hint
    }

    /// What the stream turned out to be so far.
    package var verdict: StreamVerdict {
        scanner.codec.map { .audio($0) } ?? .undecided
    }

    /// Takes the next bytes of the stream and appends what they complete.
    package mutating func push(_ bytes: Span<UInt8>, into found: inout [StreamElement]) {
        window.append(bytes)
        read(atEnd: false)
        window.compact()
        outlet.drain(into: &found)
    }

    /// A title that came between the bytes (ICY, `EXTINF`): valid from the first frame that starts at or after the
    /// present byte; it comes out right before that frame.
    package mutating func push(title: RawTitle, into found: inout [StreamElement]) {
        outlet.push(title: title, at: window.endOffset)
    }

    /// The input is over: a complete last frame that ends exactly there comes out, a partial one is junk.
    package mutating func finish(into found: inout [StreamElement]) {
        read(atEnd: true)
        outlet.finish(into: &found)
    }

    private mutating func read(atEnd: Bool) {
        switch scanner.scan(&window, atEnd: atEnd, &outlet) {
        case .needsMore: break
        case .container:
            outlet.skip(window.count)
            window.drop(window.count)
        }
    }
}

/// Bytes of one connection in, whole frames, formats and titles out, whatever the container.
///
/// One reader per connection, or per run of HLS segments. It may be fed in pieces of any size; the pieces do not change
/// what comes out but for where one `FrameRun` ends and the next begins. Not shared between threads.
package struct ElementaryReader: Sendable {
    /// What the stream turned out to be so far.
    package private(set) var verdict: StreamVerdict = .undecided
    private let hint: ContentHint

    package init(hint: ContentHint = ContentHint()) {
        self.hint = hint
    }

    /// Takes the next bytes of the stream and appends what they complete.
    package mutating func push(_ bytes: Span<UInt8>, into found: inout [StreamElement]) {
        guard !bytes.isEmpty else { return }
        found.append(.junk(byteCount: bytes.count))
    }

    /// A title that came between the bytes (ICY, `EXTINF`): valid from the first frame that starts at or after the
    /// present byte; it comes out right before that frame.
    package mutating func push(title: RawTitle, into found: inout [StreamElement]) {
        found.append(.title(title))
    }

    /// The input is over: a complete last frame that ends exactly there comes out, a partial one is junk.
    package mutating func finish(into found: inout [StreamElement]) {}
}

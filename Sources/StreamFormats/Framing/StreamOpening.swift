/// Looks at the first bytes of a stream for what is no audio, or audio that we do not read.
struct StreamOpening: Sendable {
    /// Bytes that tell the kinds apart.
    private static let enough = 512
    /// Bytes in which frames must have been found (the limit for a source client too).
    private static let patience = 64 * 1024

    private let hint: ContentHint
    private(set) var verdict: StreamVerdict = .undecided
    private var bytes: [UInt8] = []
    private var count = 0

    init(hint: ContentHint) {
        self.hint = hint
    }

    /// Nothing in such a container may be taken for frames.
    var isRefused: Bool {
        if case .unsupported = verdict { true } else { false }
    }

    mutating func push(_ more: Span<UInt8>) {
        guard verdict == .undecided else { return }
        count += more.count
        for index in 0..<min(more.count, Self.enough - bytes.count) { bytes.append(more[index]) }
        if let name = StreamSignature.unsupported(bytes[...]) {
            verdict = .unsupported(name)
        } else if bytes.count == Self.enough {
            decide()
        }
    }

    mutating func finish() {
        guard verdict == .undecided else { return }
        count = max(count, Self.patience)
        decide()
    }

    private mutating func decide() {
        if let kind = StreamSignature.notAudio(bytes[...]) {
            verdict = .notAudio(kind)
        } else if count >= Self.patience {
            // The bytes say nothing: here the head may.
            verdict = StreamSignature.unsupported(hint).map { .unsupported($0) } ?? .notAudio(.noFrames)
        }
    }
}

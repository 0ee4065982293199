import Feed
import StreamFormats
import Transfers

/// Why a connection ended, or never brought audio.
struct Fault: Sendable, Hashable {
    /// What the pace of the next tries depends on.
    enum Kind: Sendable, Hashable {
        /// The way there is broken, or the stream broke off: it may be back at any moment.
        case network
        /// The server says not now; after so many seconds, where it says when.
        case busy(retryAfter: Double?)
        /// The server has no such stream now: the source is away.
        case missing
        /// Nothing that a machine can wait for: forbidden, gone, something else than a stream.
        case wrong
        /// A whole file came, to its announced end. There is no more of it.
        case finished
    }

    var kind: Kind
    /// What the gap ledger calls it.
    var cause: Gap.Cause
    /// For people.
    var text: String
    /// What `probe` calls it; nil where it depends on more.
    var state: ProbeReport.State?
    /// Of the answer that said no.
    var httpStatus: Int?

    init(_ kind: Kind, _ cause: Gap.Cause, _ text: String, state: ProbeReport.State? = nil) {
        self.kind = kind
        self.cause = cause
        self.text = text
        self.state = state
    }

    /// A transfer that ended.
    init(_ result: TransferResult) {
        switch result.outcome {
        case .complete: self.init(.network, .closed, result.text)
        case .reset: self.init(.network, .reset, result.text)
        case .refused: self.init(.network, .refused, result.text, state: .unreachable)
        case .unreachable, .connectTimeout, .answerTimeout, .dns:
            self.init(.network, .unreachable, result.text, state: .unreachable)
        case .tls: self.init(.wrong, .unreachable, result.text, state: .unreachable)
        case .tooManyRedirects, .redirectWithoutTarget, .blockedAddress, .blockedRedirect, .headTooLarge,
            .bodyTooLarge,
            .encodedBody:
            self.init(.wrong, .refused, result.text, state: .refused)
        case .notHTTP, .other: self.init(.network, .refused, result.text, state: .unreachable)
        }
    }

    /// A head that says no; nil where it says yes.
    init?(_ head: ResponseHead) {
        let words = head.reasonText
        let text = words.isEmpty ? "\(head.status)" : "\(head.status) \(words)"
        switch head.status {
        // No status: a stream without a head.
        case 0, 200, 203, 206: return nil
        case 404: self.init(.missing, .refused, text, state: .refused)
        case 401 where head.wire == .icy: self.init(.busy(retryAfter: nil), .refused, text, state: .refused)
        case 401, 407, 410, 451: self.init(.wrong, .refused, text, state: .refused)
        default: self.init(.busy(retryAfter: Self.wait(head)), .refused, text, state: .refused)
        }
        httpStatus = head.status
    }

    /// What came is no audio that we can use; nil where it is, or where nothing can be said yet.
    init?(_ verdict: StreamVerdict) {
        switch verdict {
        case .undecided, .audio: return nil
        case .notAudio(let what):
            self.init(.wrong, .refused, "\(what.rawValue) instead of a stream", state: .notAudio)
        case .unsupported(let what):
            self.init(.wrong, .format, "\(what) is not supported", state: .unsupported)
        }
    }

    /// `Retry-After`, kept within bounds.
    private static func wait(_ head: ResponseHead) -> Double? {
        head.retryAfter.map { min(Double($0.components.seconds), BackOff.longestWish) }
    }
}

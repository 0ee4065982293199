package import StreamFormats

/// A whole small body: a playlist, a key, a segment.
package struct FetchedBody: Sendable {
    /// Nil when no head came.
    package var head: ResponseHead?
    package var bytes: [UInt8]
    package var result: TransferResult

    /// The body came whole, with a status of 200 or 206.
    package var isGood: Bool {
        guard result.outcome == .complete, let head else { return false }
        return head.status == 200 || head.status == 206
    }
}

extension TransferEngine {
    /// Fetches a body that must end in time and fit the limit. On the engine's thread only, and so is `done`, which is
    /// called once unless the transfer is cancelled.
    /// - Parameters:
    ///   - limit: most bytes taken; more ends it with `bodyTooLarge`.
    ///   - seconds: for everything together.
    @discardableResult
    package func fetch(
        _ request: TransferRequest, limit: Int, seconds: Double = 15, done: @escaping (FetchedBody) -> Void
    ) -> Transfer {
        var bounded = request
        bounded.totalSeconds = seconds
        bounded.headSeconds = min(bounded.headSeconds, seconds)
        return start(bounded, delegate: BodyCollecting(limit: limit, done: done))
    }
}

/// Collects a body up to its limit.
private final class BodyCollecting: TransferDelegate {
    private let limit: Int
    private let done: (FetchedBody) -> Void
    private var head: ResponseHead?
    private var bytes: [UInt8] = []

    init(limit: Int, done: @escaping (FetchedBody) -> Void) {
        self.limit = limit
        self.done = done
    }

    func transferResponded(_ transfer: Transfer, head: ResponseHead) { self.head = head }

    func transferReceived(_ transfer: Transfer, bytes more: Span<UInt8>) {
        guard bytes.count + more.count <= limit else {
            transfer.giveUp(.bodyTooLarge, "more than \(limit) bytes from \(transfer.url.host)")
            return
        }
        more.withUnsafeBufferPointer { bytes += $0 }
    }

    func transferFinished(_ transfer: Transfer, result: TransferResult) {
        done(FetchedBody(head: head, bytes: bytes, result: result))
    }
}

import Platform
import StreamFormats

/// What a pull has gone through, for those who want to know more than its status says.
struct PullJournal: Sendable {
    /// Failed requests remembered; the oldest go first.
    static let longest = 200

    /// One a request that failed, in order.
    private(set) var attempts: [(url: String, fault: Fault)] = []
    /// Of the last answer, a refusal too.
    var httpStatus: Int?
    /// The last address that was asked, after redirects.
    var url: String?
    /// A good answer came.
    var hasConnected = false
    /// Bytes that were neither frame nor metadata.
    var junkBytes = 0
    var frames = 0
    var audioBytes: Int64 = 0
    /// When the first frame came.
    var firstAudio: MonotonicTime?

    mutating func failed(_ url: String, _ fault: Fault) {
        attempts.append((url, fault))
        if attempts.count > Self.longest { attempts.removeFirst() }
        httpStatus = fault.httpStatus ?? httpStatus
    }

    /// What best explains why there is no audio: what came furthest.
    var explanation: Fault? {
        let order: [ProbeReport.State] = [.unsupported, .notAudio, .noAudio, .refused, .unreachable]
        for state in order {
            if let found = attempts.last(where: { $0.fault.state == state }) { return found.fault }
        }
        return attempts.last?.fault
    }
}

internal import CLinux

/// How long accepting rests when the process is out of descriptors: a waiting connection would make the loop spin.
struct AcceptBackoff {
    /// Seconds.
    static let shortest = 0.1
    static let longest = 0.5
    private var next = shortest

    /// The seconds to rest now.
    mutating func exhausted() -> Double {
        defer { next = min(Self.longest, next * 2) }
        return next
    }

    mutating func succeeded() { next = Self.shortest }

    /// True for the errors that another accept at once would meet again.
    static func isExhaustion(_ code: Int32) -> Bool { [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) }
}

/// The last descriptors of the process, which no stranger may have: files and databases need them, and libdispatch, which
/// carries Swift's tasks, ends the process when it cannot open one for its own bookkeeping.
struct DescriptorReserve {
    private let firstReserved: Int32

    /// An eighth of what the process may open now, 16 to 256.
    init() {
        var limits = rlimit()
        getrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limits)
        self.init(limit: Int(clamping: limits.rlim_cur))
    }

    init(limit: Int) {
        let reserved = max(16, min(256, limit / 8))
        firstReserved = Int32(clamping: limit - reserved)
    }

    /// Whether a connection may keep this descriptor. The kernel gives the lowest that is free, so its number tells how many are
    /// in use.
    func allows(_ descriptor: Int32) -> Bool { descriptor < firstReserved }
}

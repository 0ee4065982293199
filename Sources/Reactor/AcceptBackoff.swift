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

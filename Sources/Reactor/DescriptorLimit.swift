internal import CLinux

/// How many descriptors the process may have open.
package enum DescriptorLimit {
    private static let resource = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))

    /// Raises the limit to what the administrator allows. A login shell's is 1024, which is fewer than the listeners we are for;
    /// it is kept that low for programs that use select(2), which we do not. Children inherit it.
    package static func raise() {
        var limits = current
        guard limits.rlim_cur < limits.rlim_max else { return }
        limits.rlim_cur = limits.rlim_max
        setrlimit(resource, &limits)
    }

    static var current: rlimit {
        var limits = rlimit()
        getrlimit(resource, &limits)
        return limits
    }
}

/// The last descriptors of the process, which no stranger may have: files and databases need them, and libdispatch, which
/// carries Swift's tasks, ends the process when it cannot open one for its own bookkeeping.
struct DescriptorReserve {
    private let firstReserved: Int32

    /// An eighth of what the process may open now, 16 to 256.
    init() {
        self.init(limit: Int(clamping: DescriptorLimit.current.rlim_cur))
    }

    init(limit: Int) {
        let reserved = max(16, min(256, limit / 8))
        firstReserved = Int32(clamping: limit - reserved)
    }

    /// Whether a connection may keep this descriptor. The kernel gives the lowest that is free, so its number tells how many are
    /// in use.
    func allows(_ descriptor: Int32) -> Bool { descriptor < firstReserved }
}

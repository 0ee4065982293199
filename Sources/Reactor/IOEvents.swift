internal import CLinux

/// What a descriptor is ready for, or what to be told about it; the bits of epoll(7).
package struct IOEvents: OptionSet, Sendable, Hashable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let readable = IOEvents(rawValue: EPOLLIN.rawValue)
    package static let writable = IOEvents(rawValue: EPOLLOUT.rawValue)
    /// The peer sends no more (or has gone); it may still read.
    package static let peerClosed = IOEvents(rawValue: EPOLLRDHUP.rawValue)
    /// Both directions are shut. Told whether asked or not.
    package static let hangUp = IOEvents(rawValue: EPOLLHUP.rawValue)
    /// The socket has an error waiting. Told whether asked or not.
    package static let failed = IOEvents(rawValue: EPOLLERR.rawValue)
    /// Tell about changes only (EPOLLET); without it a descriptor is reported for as long as it is ready.
    package static let edge = IOEvents(rawValue: EPOLLET.rawValue)
}

/// Told on the loop's thread that one of its descriptors is ready.
///
/// One object may watch any number of descriptors and tell them apart by the tag it gave, so that ten thousand
/// listeners need neither an object nor a closure each.
package protocol EventHandler: AnyObject {
    /// Loop thread. May watch, modify and unwatch anything, itself included.
    func ready(_ events: IOEvents, tag: UInt64)
}

/// Names one watched descriptor for as long as it is watched; never reused within a process's life.
package struct WatchToken: Sendable, Hashable {
    let rawValue: UInt64

    /// The slot in the table, in the low half; how often the slot had been used before, in the high half.
    init(index: Int, generation: UInt32) {
        rawValue = UInt64(generation) << 32 | UInt64(UInt32(truncatingIfNeeded: index))
    }

    init(rawValue: UInt64) { self.rawValue = rawValue }

    var index: Int { Int(truncatingIfNeeded: rawValue & 0xFFFF_FFFF) }
    var generation: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 32) }
}

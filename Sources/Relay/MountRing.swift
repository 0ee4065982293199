internal import CLinux
package import Platform

/// The last seconds of a mount's bytes, once for all its listeners.
///
/// Places are absolute: bytes since the mount was opened, 64 bits, never reused. The memory is mapped twice back to
/// back, so whatever lies between two places is one contiguous run and goes out in one write. One loop writes and
/// reads its own ring; another loop that serves the same mount has another ring, so nothing is shared between threads.
package struct MountRing: ~Copyable {
    private let base: UnsafeMutableRawPointer
    /// Bytes held at most: a power of two.
    package let capacity: Int
    private let mask: Int64
    /// The live edge: bytes appended so far.
    package private(set) var head: Int64 = 0
    private var frames = FrameIndex()
    private var pace = PaceMarks()

    /// Maps an empty ring.
    /// - Parameter bytes: rounded up to a power of two, at least 64 KiB.
    /// - Throws: `SystemError` when the kernel has no memory or no descriptor left.
    package init(bytes: Int) throws(SystemError) {
        var size = 64 << 10
        while size < bytes { size <<= 1 }
        guard let memory = aircheck_map_ring(size) else { throw SystemError(while: "mapping a mount's ring") }
        base = memory
        capacity = size
        mask = Int64(size - 1)
    }

    deinit { aircheck_unmap_ring(base, capacity) }

    /// The oldest place whose bytes are still there.
    package var tail: Int64 { max(0, head - Int64(capacity)) }

    /// The bytes from `place` on; valid up to `head` as long as `place` is not before `tail`.
    package func bytes(at place: Int64) -> UnsafeRawPointer { UnsafeRawPointer(base + Int(place & mask)) }

    /// Adds whole frames and forgets as much at the other end.
    /// - Parameters:
    ///   - lengths: of the frames in it; their sum is the number of bytes.
    ///   - nanoseconds: audio time at the end of these frames, for bursts by time.
    /// - Returns: false, and nothing is added, where it is more than `capacity`: a station decides how long a packet is.
    package mutating func append(
        _ bytes: UnsafeRawBufferPointer, frames lengths: some Sequence<Int>, endingAt nanoseconds: Int64
    ) -> Bool {
        guard bytes.count <= capacity else { return false }
        guard let source = bytes.baseAddress, bytes.count > 0 else { return true }
        (base + Int(head & mask)).copyMemory(from: source, byteCount: bytes.count)
        var place = head
        for length in lengths {
            frames.append(place)
            place += Int64(length)
        }
        head += Int64(bytes.count)
        pace.append(place: head, nanoseconds: nanoseconds)
        frames.forget(before: tail)
        pace.forget(before: tail)
        return true
    }

    /// The first frame boundary at or after `place`; the live edge is one.
    package func frame(atOrAfter place: Int64) -> Int64 { frames.first(atOrAfter: place) ?? head }

    /// Where a new listener begins: a frame, at least `burst.bytes` and `burst.seconds` before the live edge as far as
    /// the ring goes back, and never more than `burst.limit` bytes.
    /// - Parameter first: a place that it does not begin before, however little there is then.
    package func start(of burst: Burst, notBefore first: Int64 = 0) -> Int64 {
        let bySeconds = pace.place(at: pace.latest - Nanoseconds.of(burst.seconds)) ?? 0
        let wanted = min(head - Int64(burst.bytes), bySeconds)
        let earliest = max(tail, head - Int64(burst.limit), first)
        guard wanted > earliest else { return frame(atOrAfter: earliest) }
        return frames.last(atOrBefore: wanted) ?? frame(atOrAfter: earliest)
    }

    /// Seconds of audio between `place` and the live edge, to about a chunk.
    package func seconds(from place: Int64) -> Double {
        guard place < head, let then = pace.nanoseconds(at: place) else { return 0 }
        return Double(pace.latest - then) / 1e9
    }

    /// Bytes a second, measured over what the ring holds; nil before there are two marks.
    package var byteRate: Double? { pace.byteRate }
}

/// How much a new listener is given at once, so that it sounds at once.
package struct Burst: Sendable, Hashable {
    /// Browsers start when they hold 32 KiB, whatever the bit rate.
    package static let leastBytes = 32 << 10
    /// More would only delay the listener and fill the socket.
    package static let mostBytes = 256 << 10

    /// At least so many bytes.
    package var bytes: Int
    /// And at least so many seconds of audio.
    package var seconds: Double
    /// But never more bytes than this.
    package var limit: Int

    package init(bytes: Int = 64 << 10, seconds: Double = 3, limit: Int = Burst.mostBytes) {
        self.limit = min(max(limit, Burst.leastBytes), Burst.mostBytes)
        self.bytes = min(max(bytes, Burst.leastBytes), self.limit)
        self.seconds = min(max(seconds, 0), 60)
    }
}

internal import CLinux
internal import Glibc

/// One listener's next write, as the kernel takes it: pieces of the ring with metadata blocks between them.
///
/// Made once a loop and filled anew for each write that needs more than a run of the ring, so that a write allocates
/// nothing.
struct GatherList: ~Copyable {
    /// Pieces in one write at most: 31 blocks with their audio are half a megabyte; the rest goes with the next write.
    private static let limit = 64

    private let pieces: UnsafeMutablePointer<iovec>
    private let emptyBlock: UnsafeMutableRawPointer
    private(set) var count = 0
    /// Bytes of all pieces.
    private(set) var byteCount = 0

    /// Audio bytes between two metadata blocks.
    let interval: Int32

    init(interval: Int32) {
        self.interval = interval
        pieces = .allocate(capacity: Self.limit)
        emptyBlock = .allocate(byteCount: 1, alignment: 1)
        emptyBlock.storeBytes(of: 0, as: UInt8.self)
    }

    deinit {
        pieces.deallocate()
        emptyBlock.deallocate()
    }

    mutating func clear() {
        count = 0
        byteCount = 0
    }

    /// Adds bytes that stay where they are until the write is done.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count > 0 else { return }
        pieces[count] = iovec(
            iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
        count += 1
        byteCount += bytes.count
    }

    /// Adds what a listener is due between two places of the ring.
    mutating func add(
        from start: Int64, to end: Int64, cursor: IcyCursor, ring: borrowing MountRing,
        titles: borrowing TitleTimeline
    ) {
        var (place, cursor) = (start, cursor)
        while count < Self.limit, let piece = cursor.next(available: Int(end - place)) {
            switch piece {
            case .audio(let length):
                add(UnsafeRawBufferPointer(start: ring.bytes(at: place), count: length))
                place += Int64(length)
                cursor.sent(audio: length)
            case .block:
                let (block, number) = self.block(for: cursor, at: place, titles: titles)
                add(block)
                cursor.sentBlock(telling: number, next: interval)
            }
        }
    }

    /// The block due at `place`: the title where it is news, else the empty one.
    private func block(
        for cursor: IcyCursor, at place: Int64, titles: borrowing TitleTimeline
    ) -> (UnsafeRawBufferPointer, Int32) {
        guard let entry = titles.entry(at: place), entry.number != cursor.told else {
            return (UnsafeRawBufferPointer(start: emptyBlock, count: 1), cursor.told)
        }
        return (entry.block, entry.number)
    }

    /// Moves a listener on by `sent` bytes of what `add` described.
    /// - Returns: what of a block did not fit any more; it must go out before anything else.
    func advance(
        by sent: Int, place: inout Int64, cursor: inout IcyCursor, to end: Int64,
        titles: borrowing TitleTimeline
    ) -> UnsafeRawBufferPointer? {
        var left = sent
        while left > 0, let piece = cursor.next(available: Int(end - place)) {
            switch piece {
            case .audio(let length):
                let taken = min(length, left)
                place += Int64(taken)
                cursor.sent(audio: taken)
                left -= taken
            case .block:
                let (block, number) = self.block(for: cursor, at: place, titles: titles)
                cursor.sentBlock(telling: number, next: interval)
                guard block.count <= left else { return UnsafeRawBufferPointer(rebasing: block[left...]) }
                left -= block.count
            }
        }
        return nil
    }

    /// The whole write as bytes of its own.
    func flattened() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount)
        for piece in UnsafeBufferPointer(start: pieces, count: count) {
            bytes += UnsafeRawBufferPointer(start: piece.iov_base, count: piece.iov_len)
        }
        return bytes
    }

    /// Writes without waiting and without a signal; as send(2).
    func send(to socket: Int32) -> Int {
        var message = msghdr()
        message.msg_iov = pieces
        message.msg_iovlen = count
        return Glibc.sendmsg(socket, &message, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    }
}

internal import CLinux
internal import Glibc
internal import Platform
internal import Reactor

/// All listeners of one mount on one loop, back to back in memory, and the writes to them.
///
/// A listener in step costs one `send` a batch and 72 bytes here; what is told about it (address, agent) lies apart
/// and is not touched. Nothing is allocated, retained or dispatched per write. One thread.
struct ListenerTable: ~Copyable {
    /// What every write needs.
    struct Row {
        var place: Int64
        var sentBytes: Int64
        var joined: MonotonicTime
        var cursor: IcyCursor
        var watch: WatchToken?
        var socket: Int32
        /// Its socket is full: wait for the kernel to say that there is room.
        var isFull = false
        /// Bytes in `prefixes` go out before anything else.
        var hasPrefix = false
        /// It sends no more; perhaps it has gone, perhaps it only said all it had to say.
        var isHalfClosed = false
        var skips: UInt8 = 0
    }

    /// Why a listener went.
    enum Leaving: Hashable {
        /// It closed, or the network did.
        case left
        case slow
        case duration
        /// An administrator, the end of the mount, or of the service.
        case ended
    }

    /// What a round of writes came to, for the counters.
    struct Round {
        var bytes: Int64 = 0
        var writes = 0
        var skips = 0
        /// Those that are no longer in the table; their sockets are still open and now the caller's to close.
        var gone: [(row: Row, facts: ListenerFacts, why: Leaving)] = []
    }

    private var rows: UnsafeMutablePointer<Row>
    private var capacity: Int
    private(set) var count = 0
    private var facts: ContiguousArray<ListenerFacts> = []
    /// Rests of heads and blocks, by socket: there only after a write that came up short inside one.
    private var prefixes: [Int32: [UInt8]] = [:]
    private var gather: GatherList
    private let map: SocketMap
    var slowRule: SlowRule

    /// - Parameter map: the loop's; told about every listener that comes, moves and goes.
    /// - Parameter interval: audio bytes between two metadata blocks.
    init(slowRule: SlowRule, interval: Int32 = IcyCursor.usualInterval, map: SocketMap) {
        gather = GatherList(interval: interval)
        self.slowRule = slowRule
        self.map = map
        capacity = 16
        rows = .allocate(capacity: capacity)
    }

    deinit { rows.deallocate() }

    func row(_ index: Int) -> Row { rows[index] }
    func facts(_ index: Int) -> ListenerFacts { facts[index] }

    /// Changes what is noted about a listener, outside of writes.
    mutating func update(_ index: Int, _ change: (inout Row) -> Void) { change(&rows[index]) }

    // MARK: Joining and leaving

    /// Takes a listener in and writes head and burst to it at once.
    /// - Parameters:
    ///   - head: the response head, and for containers their setup.
    ///   - place: a frame boundary in the ring.
    ///   - untilBlock: audio bytes until the first metadata block, where that is not the usual distance.
    mutating func join(
        socket: Int32, head: [UInt8], at place: Int64, wantsTitles: Bool, untilBlock: Int32? = nil,
        facts newFacts: ListenerFacts, now: MonotonicTime, ring: borrowing MountRing,
        titles: borrowing TitleTimeline, round: inout Round
    ) {
        if count == capacity { grow() }
        let row = Row(
            place: place, sentBytes: 0, joined: now,
            cursor: IcyCursor(interval: wantsTitles ? untilBlock ?? gather.interval : nil),
            socket: socket,
            hasPrefix: true)
        (rows + count).initialize(to: row)
        facts.append(newFacts)
        prefixes[socket] = head
        map[socket] = count
        count += 1
        write(count - 1, ring: ring, titles: titles, round: &round)
    }

    /// The rest of the frame that a listener is in, with whatever waited before it: from behind it on, another process may
    /// go on. Changes the listener's place alone.
    mutating func endOfFrame(_ index: Int, ring: borrowing MountRing, titles: borrowing TitleTimeline)
        -> [UInt8]
    {
        finishFrame(index, ring: ring, titles: titles)
        return prefixes[rows[index].socket] ?? []
    }

    /// Takes a listener out whose socket goes elsewhere.
    mutating func forget(_ index: Int) {
        var round = Round()
        remove(index, why: .ended, round: &round)
    }

    /// Takes a listener out; the last one moves into its place.
    mutating func remove(_ index: Int, why: Leaving, round: inout Round) {
        let row = rows[index]
        if row.hasPrefix { prefixes[row.socket] = nil }
        round.gone.append((row, facts[index], why))
        count -= 1
        rows[index] = rows[count]
        map[rows[index].socket] = index
        map[row.socket] = nil
        facts.swapAt(index, count)
        facts.removeLast()
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<Row>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: rows, count: count)
        rows.deallocate()
        rows = larger
        capacity *= 2
    }

    // MARK: Writing

    /// One batch to the listeners `first..<end`, from the last to the first, so that removing one disturbs nothing.
    mutating func writeBatch(
        _ range: Range<Int>, ring: borrowing MountRing, titles: borrowing TitleTimeline, round: inout Round
    ) {
        let head = ring.head
        var index = min(range.upperBound, count)
        while index > range.lowerBound {
            index -= 1
            let row = rows + index
            let due = Int(head - row.pointee.place)
            if due == 0 { continue }
            if row.pointee.isFull {
                judge(index, ring: ring, titles: titles, round: &round)
            } else if row.pointee.hasPrefix || isBlockDue(row.pointee.cursor, within: due)
                || due > ring.capacity
            {
                write(index, ring: ring, titles: titles, round: &round)
            } else {
                writeRun(index, length: due, ring: ring, round: &round)
            }
        }
    }

    @inline(__always)
    private func isBlockDue(_ cursor: IcyCursor, within length: Int) -> Bool {
        cursor.wantsTitles && length > Int(cursor.untilBlock)
    }

    /// The common case: one run of the ring, one call.
    @inline(__always)
    private mutating func writeRun(_ index: Int, length: Int, ring: borrowing MountRing, round: inout Round) {
        let row = rows + index
        let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
        let sent = Glibc.send(row.pointee.socket, ring.bytes(at: row.pointee.place), length, flags)
        round.writes += 1
        guard sent >= 0 else { return failed(index, round: &round) }
        row.pointee.place += Int64(sent)
        row.pointee.sentBytes += Int64(sent)
        row.pointee.cursor.sent(audio: sent)
        row.pointee.isFull = sent < length
        round.bytes += Int64(sent)
    }

    /// Everything that is due, as one gather write: a waiting rest, audio, blocks.
    mutating func write(
        _ index: Int, ring: borrowing MountRing, titles: borrowing TitleTimeline, round: inout Round
    ) {
        keepInRing(index, ring: ring, round: &round)
        let row = rows + index
        guard row.pointee.hasPrefix else {
            return writeGathered(index, [], ring: ring, titles: titles, round: &round)
        }
        let prefix = prefixes[row.pointee.socket] ?? []
        writeGathered(index, prefix, ring: ring, titles: titles, round: &round)
    }

    private mutating func writeGathered(
        _ index: Int, _ prefix: [UInt8], ring: borrowing MountRing, titles: borrowing TitleTimeline,
        round: inout Round
    ) {
        let row = rows + index
        let sent = prefix.withUnsafeBytes { prefix in
            gather.clear()
            gather.add(prefix)
            gather.add(
                from: row.pointee.place, to: ring.head, cursor: row.pointee.cursor, ring: ring, titles: titles
            )
            return gather.send(to: row.pointee.socket)
        }
        round.writes += 1
        guard sent >= 0 else { return failed(index, round: &round) }
        round.bytes += Int64(sent)
        row.pointee.sentBytes += Int64(sent)
        row.pointee.isFull = sent < gather.byteCount
        var rest = prefix.dropFirst(sent)
        if rest.isEmpty,
            let block = gather.advance(
                by: sent - prefix.count, place: &row.pointee.place, cursor: &row.pointee.cursor,
                to: ring.head,
                titles: titles)
        {
            rest = ArraySlice(block)
        }
        setPrefix(Array(rest), of: index)
    }

    private mutating func setPrefix(_ rest: [UInt8], of index: Int) {
        let row = rows + index
        guard row.pointee.hasPrefix || !rest.isEmpty else { return }
        row.pointee.hasPrefix = !rest.isEmpty
        prefixes[row.pointee.socket] = rest.isEmpty ? nil : rest
    }

    private mutating func failed(_ index: Int, round: inout Round) {
        switch errno {
        case EAGAIN: rows[index].isFull = true
        case EINTR: break
        default: remove(index, why: .left, round: &round)
        }
    }

    // MARK: Slow listeners

    /// The kernel has room for this listener again.
    mutating func roomAgain(
        _ index: Int, ring: borrowing MountRing, titles: borrowing TitleTimeline, round: inout Round
    ) {
        guard rows[index].isFull else { return }
        rows[index].isFull = false
        write(index, ring: ring, titles: titles, round: &round)
    }

    private mutating func judge(
        _ index: Int, ring: borrowing MountRing, titles: borrowing TitleTimeline, round: inout Round
    ) {
        let row = rows[index]
        switch slowRule.verdict(behind: ring.head - row.place, skipsTaken: Int(row.skips)) {
        case .keep: break
        case .drop: remove(index, why: .slow, round: &round)
        case .skip:
            finishFrame(index, ring: ring, titles: titles)
            rows[index].place = ring.head
            rows[index].skips += 1
            round.skips += 1
        }
    }

    /// Lays the rest of the frame that a listener is in, as it would have been written, before what comes next.
    private mutating func finishFrame(
        _ index: Int, ring: borrowing MountRing, titles: borrowing TitleTimeline
    ) {
        let row = rows + index
        let end = ring.frame(atOrAfter: row.pointee.place)
        guard row.pointee.place >= ring.tail, end > row.pointee.place else { return }
        gather.clear()
        gather.add(from: row.pointee.place, to: end, cursor: row.pointee.cursor, ring: ring, titles: titles)
        let rest = gather.flattened()
        _ = gather.advance(
            by: rest.count, place: &row.pointee.place, cursor: &row.pointee.cursor, to: end, titles: titles)
        setPrefix((prefixes[row.pointee.socket] ?? []) + rest, of: index)
    }

    /// A listener whose place has been overwritten goes on at the live edge; only an upstream that delivers half a
    /// minute at once can do that between two batches.
    private mutating func keepInRing(_ index: Int, ring: borrowing MountRing, round: inout Round) {
        guard rows[index].place < ring.tail else { return }
        rows[index].place = ring.head
        rows[index].skips += 1
        round.skips += 1
    }
}

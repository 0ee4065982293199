import Platform

/// Memory of pieces of old audio that nobody holds any more, for the next piece, of whatever station.
///
/// Pieces have pages of their own. To give those back to the kernel and ask for others every other second, for each of
/// hundreds of stations, costs more than to fill them. Any thread.
final class PiecePool: Sendable {
    static let shared = PiecePool()

    private let spare = Lock<[[UInt8]]>([])
    /// Stations give as many as they take; so many bridge the time between.
    private static let most = 8
    /// What a piece fits into, and nothing that is much larger.
    private static let sizes = FeedLog.pieceBytes - 2048...FeedLog.pieceBytes + 4096

    /// An empty array with room for so many bytes.
    func take(room: Int) -> [UInt8] {
        var found: [UInt8] = []
        if Self.sizes.contains(room) {
            spare.withLock { spare in if let last = spare.popLast() { found = last } }
        }
        found.removeAll(keepingCapacity: true)
        found.reserveCapacity(room)
        return found
    }

    /// Takes the bytes of a piece that is going; of others nothing.
    func give(_ bytes: [UInt8]) {
        guard Self.sizes.contains(bytes.capacity) else { return }
        spare.withLock { spare in if spare.count < Self.most { spare.append(bytes) } }
    }
}

internal import Platform
internal import Transfers

/// What waits to be sent to one server: at most a minute of most stations, in whole pieces. Engine's thread.
final class PushQueue: UploadBody, @unchecked Sendable {
    // Sendable because every function is called on the engine's thread.
    private var pieces: [ArraySlice<UInt8>] = []
    private var first = 0
    private(set) var count = 0
    private(set) var takenBytes: Int64 = 0
    /// When the server last took something, or had nothing to take.
    private(set) var lastTaken: MonotonicTime
    private let time: any TimeSource

    /// A server that takes nothing for so long is lost anyhow.
    static let limit = 1 << 20

    init(time: any TimeSource) {
        self.time = time
        lastTaken = time.now
    }

    /// False when it is full.
    func add(_ bytes: [UInt8]) -> Bool {
        guard count + bytes.count <= Self.limit else { return false }
        if count == 0 { lastTaken = time.now }
        pieces.append(bytes[...])
        count += bytes.count
        return true
    }

    func next(limit: Int) -> ArraySlice<UInt8> {
        guard first < pieces.count else { return [] }
        let taken = pieces[first].prefix(limit)
        if taken.count == pieces[first].count {
            first += 1
        } else {
            pieces[first] = pieces[first].dropFirst(taken.count)
        }
        if first == pieces.count {
            pieces.removeAll(keepingCapacity: true)
            first = 0
        }
        count -= taken.count
        takenBytes += Int64(taken.count)
        lastTaken = time.now
        return taken
    }
}

package import Feed

/// Reads a station's past and then its present: the window on the disk, and the feed from where the window ends, without
/// a frame lost or doubled between them. One thread at a time; reading blocks while it comes from the disk.
package final class PastReader: EventSource, @unchecked Sendable {
    // Sendable because it has one user at a time, as said above.
    private let feed: Feed
    private let name: String
    private let patience: Int
    private let wake: @Sendable () -> Void
    private let window: WindowReader
    /// Keeps the station connected until the feed is read.
    private var pin: FeedReader?
    private var live: FeedReader?
    /// The feed has not given audio yet.
    private var isAtSeam = true

    /// - Parameters:
    ///   - name: as the feed's readers have one.
    ///   - patience: bytes it may lag behind the feed's memory; see `Feed.open`.
    ///   - wake: as the feed's readers are woken, once the present is read.
    package init(
        window: WindowReader, feed: Feed, name: String, patience: Int = 0,
        wake: @escaping @Sendable () -> Void = {}
    ) {
        self.window = window
        self.feed = feed
        self.name = name
        self.patience = patience
        self.wake = wake
        pin = feed.open(name: name)
    }

    /// The next events, in the order of the stream; none when there is nothing yet.
    package func read() -> FeedBatch {
        if let live { return isAtSeam ? seam(live.read()) : live.read() }
        let events = window.read()
        guard events.isEmpty else { return FeedBatch(events: events, skippedSeconds: 0) }
        let reader = feed.open(name: name, from: window.feedStart, patience: patience, wake: wake)
        live = reader
        pin?.close()
        pin = nil
        return seam(reader.read())
    }

    /// Where the two meet: what is older than asked for is left out, and a hole between them is said.
    private func seam(_ batch: FeedBatch) -> FeedBatch {
        var joined = FeedBatch(events: [], skippedSeconds: batch.skippedSeconds)
        for event in batch.events {
            if isAtSeam, case .audio(let chunk) = event {
                if window.isTooOld(chunk) { continue }
                if let hole = window.hole(before: chunk) { joined.events.append(.gap(hole)) }
                isAtSeam = false
            }
            joined.events.append(event)
        }
        return joined
    }

    /// No more reading: the station may be left.
    package func close() {
        live?.close()
        pin?.close()
    }
}

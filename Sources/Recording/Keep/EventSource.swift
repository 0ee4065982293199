internal import Feed
internal import Platform
internal import StreamFormats

/// Where a recording gets its events: a feed, or a window on the disk and then the feed. One thread at a time.
protocol EventSource: AnyObject, Sendable {
    /// The next events, and seconds of audio that were lost just before them.
    func read() -> (events: [FeedEvent], skippedSeconds: Double)
    func close()
}

extension FeedReader: EventSource {
    func read() -> (events: [FeedEvent], skippedSeconds: Double) {
        let batch = read(limit: 512)
        return (batch.events, batch.skippedSeconds)
    }
}

/// The window first; the feed from where the window ends.
final class WindowSource: EventSource, @unchecked Sendable {
    // Sendable because it has one user at a time, as the protocol says.
    private let feed: Feed
    private let name: String
    private let patience: Int
    private let window: WindowReader
    /// Keeps the station connected until the feed is read.
    private var pin: FeedReader?
    private var live: FeedReader?

    init(window: WindowReader, feed: Feed, name: String, patience: Int) {
        self.window = window
        self.feed = feed
        self.name = name
        self.patience = patience
        pin = feed.open(name: name)
    }

    func read() -> (events: [FeedEvent], skippedSeconds: Double) {
        if let live { return live.read() }
        let events = window.read()
        guard events.isEmpty else { return (events, 0) }
        let reader = feed.open(
            name: name, from: window.position.map { .position($0) } ?? .oldest, patience: patience)
        live = reader
        pin?.close()
        pin = nil
        return reader.read()
    }

    func close() {
        live?.close()
        pin?.close()
    }
}

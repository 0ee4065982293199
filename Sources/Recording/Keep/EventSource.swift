internal import Feed

/// Where a recording gets its events: a feed, or a window on the disk and then the feed. One thread at a time.
protocol EventSource: AnyObject, Sendable {
    /// The next events, and seconds of audio that were lost just before them.
    func read() -> FeedBatch
    func close()
}

extension FeedReader: EventSource {
    func read() -> FeedBatch { read(limit: 512) }
}

internal import Feed
internal import HTTPServer
internal import Platform
internal import Reactor
internal import StreamFormats

/// A mount as HLS: a reader of its feed that cuts segments for as long as somebody asks for them.
///
/// Lives on one loop. Segments are packed when they are asked for, which behind a cache is once each.
final class HLSOutput: @unchecked Sendable {
    // Sendable because everything that changes is touched on the loop's thread only.
    let feed: Feed
    let loop: EventLoop
    private let name: String
    private let time: any TimeSource
    private let patience: Double
    private var reader: FeedReader?
    private var segmenter: HLSSegmenter
    private var window = HLSWindow(target: HLSOutput.target)
    private var waiting: [(ask: Ask, until: MonotonicTime)] = []
    private var beat: LoopTimer?
    private var lastAsked: MonotonicTime

    /// Seconds of a segment.
    private static let target = 4.0
    /// Of the past, for the first who asks: a whole playlist at once.
    private static let history = Burst(bytes: Burst.leastBytes, seconds: 24)
    /// Seconds without a request after which the station is left.
    private static let linger = 60.0

    /// One request, answered when there is something.
    struct Ask: Sendable {
        var file: HLSFile
        var exchange: HTTPExchange
        var crossOrigin: CrossOrigin

        func send(_ response: HTTPResponse) { exchange.send(crossOrigin.opened(response)) }
    }

    init(name: String, feed: Feed, loop: EventLoop, patience: Double, time: any TimeSource) {
        self.name = name
        self.feed = feed
        self.loop = loop
        self.patience = patience
        self.time = time
        lastAsked = time.now
        segmenter = Self.makeSegmenter(time)
    }

    /// Numbers go on from one start of the service to the next: about as many as segments fit between.
    private static func makeSegmenter(_ time: any TimeSource) -> HLSSegmenter {
        HLSSegmenter(target: target, firstSequence: Int64(time.wall.secondsSince1970 / target) * 2)
    }

    /// Answers, at once or when there is audio. Any thread.
    func answer(_ ask: Ask) { loop.run { self.take(ask) } }

    /// Any thread.
    func close() { loop.run { self.end() } }

    private func take(_ ask: Ask) {
        lastAsked = time.now
        open()
        if window.isEmpty, ask.file.isPlaylist {
            feed.hurry()
            waiting.append((ask, time.now.advanced(bySeconds: patience)))
        } else {
            ask.send(ask.file.response(from: window))
        }
    }

    private func open() {
        guard reader == nil else { return }
        segmenter = Self.makeSegmenter(time)
        window = HLSWindow(target: Self.target)
        reader = feed.open(
            name: "hls of /\(name)", from: .burst(seconds: Self.history.seconds, bytes: Self.history.bytes))
        beat = loop.every(0.5) { [weak self] in self?.tick() }
        drain()
    }

    private func tick() {
        drain()
        let now = time.now
        if !window.isEmpty {
            for (ask, _) in waiting { ask.send(ask.file.response(from: window)) }
            waiting = []
        }
        let hasFailed = feed.status.state == .failed
        for (ask, until) in waiting where until < now || hasFailed { ask.send(HLSFile.noAudio) }
        waiting.removeAll { $0.until < now || hasFailed }
        if waiting.isEmpty, now.seconds(since: lastAsked) > Self.linger { end() }
    }

    private func drain() {
        guard let reader else { return }
        var done: [HLSSegment] = []
        var count = 1
        while count > 0 {
            let batch = reader.read()
            count = batch.events.count
            for event in batch.events { segmenter.take(event, into: &done) }
        }
        for segment in done { window.append(segment) }
    }

    private func end() {
        for (ask, _) in waiting { ask.send(HLSFile.noAudio) }
        waiting = []
        beat?.cancel()
        beat = nil
        reader?.close()
        reader = nil
    }
}

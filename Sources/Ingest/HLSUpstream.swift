import Feed
import Platform
import StreamFormats
import Transfers

/// Reads a live HLS playlist: loads it again and again, fetches its segments in order, and hands on plain frames.
///
/// When an address expires or the list stops growing, the station's own address is asked anew, and what is known of the
/// sequence stays. Lives on the engine's thread.
final class HLSUpstream: Upstream {
    /// Refusals after which an address is thought to have expired.
    private static let mostRefusals = 2
    /// Failures of another kind after which it is asked for anew.
    private static let mostFailures = 3
    /// Tries to find a living playlist before the whole thing is given up.
    private static let mostSearches = 3

    private let id: Int
    private let context: PullContext
    private let resources: HLSResources
    private weak var listener: (any UpstreamListener)?
    /// Where the station's own playlist is.
    private let root: URLText
    private var media: URLText
    /// Media playlists of the master, the best first, and which of them is in use.
    private var choices: [URLText] = []
    private var choice = 0

    private var planner = HLSPlanner()
    private var assembly = HLSAssembly()
    private var isFetching = false
    private var loadBegan: MonotonicTime
    private var timer: TimerID?
    private var failures = 0
    private var refusals = 0
    private var searches = 0
    private var fault: Fault?

    /// - Parameters:
    ///   - body: the playlist as it has come already.
    ///   - head: what came with it.
    ///   - request: how the station is asked; headers and cookies of it go with every fetch.
    init(
        id: Int, body: [UInt8], head: UpstreamHead, request: TransferRequest, context: PullContext,
        listener: any UpstreamListener
    ) {
        self.id = id
        self.context = context
        self.listener = listener
        root = request.url
        media = head.url
        loadBegan = context.time.now
        resources = HLSResources(engine: context.engine, request: request, peerIsLocal: head.peerIsLocal)
        // Not now: the listener has still to learn of this upstream.
        timer = context.engine.after(0) { [weak self] in self?.take(body, from: head.url) }
    }

    private var now: MonotonicTime { context.time.now }

    /// A playlist is small; one that takes two segments' time is better asked for again.
    private var listSeconds: Double { max(4, min(planner.target * 2, 10)) }

    func cancel() {
        listener = nil
        resources.cancel()
        stopTimer()
    }

    /// Segments come whole.
    func read(at pace: ReadingPace) {}
    func readNow() {}

    func drain() -> [StreamElement] { assembly.finish() }

    // MARK: Playlists

    private func take(_ body: [UInt8], from url: URLText) {
        timer = nil
        switch HLSPlaylist.parse(body, url: url.text) {
        case .master(let master):
            choices = master.choices.compactMap { try? url.resolving($0.url) }
            choice = min(choice, max(choices.count - 1, 0))
            guard choices.indices.contains(choice) else {
                return end(Fault(.wrong, .refused, "an HLS playlist without a variant", state: .notAudio))
            }
            media = choices[choice]
            loadMedia()
        case .media(let list):
            media = url
            take(list)
        case nil:
            failed(
                Fault(.network, .segment, "no HLS playlist at \(url.host)", state: .notAudio),
                isRefusal: false)
        }
    }

    private func take(_ list: HLSMedia) {
        failures = 0
        refusals = 0
        planner.take(list, now: now)
        listener?.upstream(id, fetchesSegmentsOf: planner.target)
        if planner.isStalled(at: now) {
            return search(Fault(.network, .stalled, "the HLS playlist has stopped growing", state: .noAudio))
        }
        if !planner.items.isEmpty { searches = 0 }
        schedule(after: planner.reloadDelay - now.seconds(since: loadBegan))
        work()
    }

    private func loadMedia() {
        stopTimer()
        loadBegan = now
        let url = media
        resources.list(url, seconds: listSeconds) { [weak self] body in
            guard let self else { return }
            if body.isGood {
                take(body.bytes, from: body.result.url)
            } else {
                let status = body.head?.status ?? 0
                failed(Self.fault(body), isRefusal: [403, 404, 410].contains(status))
            }
        }
    }

    private func schedule(after seconds: Double) {
        stopTimer()
        guard !planner.isEnded else { return }
        timer = context.engine.after(max(seconds, 0.1)) { [weak self] in self?.loadMedia() }
    }

    private func stopTimer() {
        if let timer { context.engine.cancel(timer) }
        timer = nil
    }

    /// A playlist did not come.
    private func failed(_ fault: Fault, isRefusal: Bool) {
        self.fault = fault
        if isRefusal { refusals += 1 } else { failures += 1 }
        // A variant that never worked is passed over at once.
        let isNew = planner.nextSequence == nil
        if isNew, choice + 1 < choices.count {
            choice += 1
            media = choices[choice]
            return loadMedia()
        }
        if isNew { return end(fault) }
        if refusals >= Self.mostRefusals || failures >= Self.mostFailures { return search(fault) }
        schedule(after: planner.target / 2)
    }

    /// Asks the station's own address for a playlist that lives.
    private func search(_ fault: Fault) {
        searches += 1
        guard searches <= Self.mostSearches else { return end(fault) }
        listener?.upstream(id, isStalled: fault)
        if refusals > 0, choices.count > 1 { choice = (choice + 1) % choices.count }
        (failures, refusals) = (0, 0)
        loadBegan = now
        stopTimer()
        let again = fault
        resources.list(root, seconds: listSeconds) { [weak self] body in
            guard let self else { return }
            if body.isGood {
                take(body.bytes, from: body.result.url)
            } else {
                timer = context.engine.after(planner.target) { [weak self] in self?.search(again) }
            }
        }
    }

    // MARK: Segments

    /// Does what the planner says, one thing after the other.
    private func work() {
        while !isFetching, listener != nil {
            guard let item = planner.next() else {
                if planner.isEnded { finish() }
                return
            }
            switch item {
            case .missed(let seconds): listener?.upstream(id, missed: seconds)
            case .fetch(let segment): fetch(segment)
            }
        }
    }

    private func fetch(_ segment: HLSMedia.Segment) {
        if case .other(let method)? = segment.key?.method {
            return end(
                Fault(
                    .wrong, .format, "encrypted with \(method), which is not supported", state: .unsupported))
        }
        isFetching = true
        resources.segment(segment, playlist: media, seconds: max(10, planner.target * 2)) {
            [weak self] fetched in
            guard let self else { return }
            isFetching = false
            take(fetched, of: segment)
            work()
        }
    }

    private func take(_ fetched: HLSResources.Fetched, of segment: HLSMedia.Segment) {
        switch fetched {
        case .missing(let text):
            Log.info("ingest", "a segment is missing", ["reason": text])
            listener?.upstream(id, missed: segment.duration.inSeconds)
        case .bytes(let bytes, let initial):
            let found = assembly.push(bytes, initial: initial, of: segment)
            guard found.isAudio else {
                listener?.upstream(id, missed: segment.duration.inSeconds)
                return
            }
            listener?.upstream(id, brought: found.elements, bytes: bytes.count)
            if let fault = Fault(assembly.verdict) { end(fault) }
        }
    }

    private func finish() {
        listener?.upstream(id, brought: assembly.finish(), bytes: 0)
        end(Fault(.finished, .closed, "finished: the playlist has ended"))
    }

    private func end(_ fault: Fault) {
        let listener = listener
        cancel()
        listener?.upstream(id, ended: fault)
    }

    private static func fault(_ body: FetchedBody) -> Fault {
        if let head = body.head, let fault = Fault(head) { return fault }
        return Fault(body.result)
    }
}

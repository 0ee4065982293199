import Feed
import StreamFormats
import Transfers

/// One GET that turns out to be a stream, a list, HLS or a page. Lives on the engine's thread.
final class StreamUpstream: Upstream, TransferDelegate {
    private enum Phase {
        case waiting
        /// The first bytes of the body, before it is known what they are.
        case sniffing([UInt8])
        /// A text that is read whole.
        case text([UInt8])
        case stream
    }

    private let id: Int
    private let engine: TransferEngine
    private let request: TransferRequest
    private weak var listener: (any UpstreamListener)?
    private var transfer: Transfer?
    private var phase = Phase.waiting
    private var head: UpstreamHead?
    private var pipeline: StreamPipeline?
    private var settling = Settling()
    private var pace = ReadingPace.forListeners
    private var received = 0
    private var textTimer: TimerID?
    private var hasAskedPlainly = false

    /// A list that does not end is no list.
    private static let textSeconds = 10.0

    init(id: Int, request: TransferRequest, engine: TransferEngine, listener: any UpstreamListener) {
        self.id = id
        self.request = request
        self.engine = engine
        self.listener = listener
        transfer = engine.start(request, delegate: self)
    }

    func cancel() {
        listener = nil
        transfer?.cancel()
        stopTimer()
    }

    func readNow() { transfer?.readNow() }

    func read(at pace: ReadingPace) {
        guard pace != self.pace else { return }
        self.pace = pace
        if let transfer, transfer.pace != .atOnce { transfer.read(at: pace) }
    }

    func drain() -> [StreamElement] {
        var found: [StreamElement] = []
        pipeline?.finish(into: &found)
        return found
    }

    // MARK: What the transfer says

    func transferResponded(_ transfer: Transfer, head answer: ResponseHead) {
        if let fault = Fault(answer) {
            stop(fault)
            return
        }
        if answer.metadata == .unusable, askPlainly() { return }
        let head = UpstreamHead(
            head: answer, url: transfer.url, peerIsLocal: transfer.peerIsLocal, redirects: transfer.redirects)
        self.head = head
        phase = .sniffing([])
        listener?.upstream(id, connected: head)
    }

    /// The interval of titles makes no sense: the same again without titles.
    private func askPlainly() -> Bool {
        guard !hasAskedPlainly, request.wantsTitles else { return false }
        hasAskedPlainly = true
        transfer?.cancel()
        var plain = request
        plain.wantsTitles = false
        transfer = engine.start(plain, delegate: self)
        return true
    }

    func transferReceived(_ transfer: Transfer, bytes: Span<UInt8>) {
        received += bytes.count
        switch phase {
        case .waiting: break
        case .sniffing(let before): sniff(before + bytes.copied, isEnd: false)
        case .text(let before): collect(before, bytes.copied)
        case .stream: stream(bytes)
        }
        checkLength()
    }

    func transferFinished(_ transfer: Transfer, result: TransferResult) {
        if result.outcome == .complete, received == 0, head != nil {
            return stop(Fault(.network, .closed, "connected, no audio", state: .noAudio))
        }
        if result.outcome == .complete { takeRest() }
        if case .stream = phase, var pipeline {
            var found: [StreamElement] = []
            pipeline.finish(into: &found)
            deliver(found, bytes: 0)
            if let fault = Fault(pipeline.verdict) { return stop(fault) }
        }
        stop(Fault(result))
    }

    /// The body has ended: what was collected is all there is.
    private func takeRest() {
        switch phase {
        case .sniffing(let bytes): sniff(bytes, isEnd: true)
        case .text(let bytes): readText(bytes)
        case .waiting, .stream: break
        }
        if case .text(let bytes) = phase, listener != nil { readText(bytes) }
    }

    // MARK: What it is

    private func sniff(_ bytes: [UInt8], isEnd: Bool) {
        phase = .sniffing(bytes)
        switch BodySniffer.judge(bytes, isEnd: isEnd) {
        case .undecided: break
        case .stream: startStream(with: bytes)
        case .text where isInterleaved: startStream(with: bytes)
        case .text:
            phase = .text(bytes)
            textTimer = engine.after(Self.textSeconds) { [weak self] in self?.readCollected() }
        }
    }

    /// A list has no titles between its lines.
    private var isInterleaved: Bool {
        if case .every? = head?.head.metadata { true } else { false }
    }

    private func collect(_ before: [UInt8], _ more: [UInt8]) {
        let bytes = before + more
        phase = .text(bytes)
        if BodySniffer.isBinary(more[...]), !BodySniffer.isWide(bytes) {
            startStream(with: bytes)
        } else if bytes.count > HLSPlaylist.longestBody {
            readText(bytes)
        }
    }

    private func readCollected() {
        if case .text(let bytes) = phase { readText(bytes) }
    }

    private func startStream(with bytes: [UInt8]) {
        guard let head else { return }
        stopTimer()
        phase = .stream
        let hint = ContentHint(
            mediaType: head.head.value("Content-Type").map { String(decoding: $0, as: UTF8.self) },
            pathExtension: head.url.pathExtension)
        pipeline = StreamPipeline(head: head.head, hint: hint)
        stream(bytes.span)
    }

    private func readText(_ bytes: [UInt8]) {
        guard let head else { return }
        switch Playlist.parse(bytes, mediaType: head.head.mediaType, url: head.url.text) {
        case .hls:
            listener?.upstream(id, isHLS: bytes, from: head)
            cancel()
        case .list(let list):
            listener?.upstream(
                id, isList: list.entries.compactMap { try? head.url.resolving($0.url) }, from: head)
            cancel()
        case .notAPlaylist(let reason):
            for url in StatusPage.streams(behind: bytes, at: head.url) {
                listener?.upstream(id, suggests: url, from: head)
            }
            stop(Fault(.wrong, .refused, "\(reason.rawValue) instead of a stream", state: .notAudio))
        }
    }

    // MARK: The stream

    private func stream(_ bytes: Span<UInt8>) {
        // In its place: a copy of all its layers would cost more than reading does.
        var found: [StreamElement] = []
        guard let (verdict, hasDrifted) = pipeline?.push(bytes, into: &found) else { return }
        deliver(found, bytes: bytes.count)
        if hasDrifted {
            stop(Fault(.network, .reset, "titles out of step with the audio"))
        } else if let fault = Fault(verdict) {
            stop(fault)
        }
    }

    private func deliver(_ found: [StreamElement], bytes: Int) {
        guard !found.isEmpty || bytes > 0 else { return }
        let isInRounds = transfer.map { $0.pace != .atOnce } ?? false
        if settling.hasSettled(after: found, isInRounds: isInRounds) { transfer?.read(at: pace) }
        listener?.upstream(id, brought: found, bytes: bytes)
    }

    /// Without any sign of a stream the announced length is believed: a file, or a short list.
    private func checkLength() {
        guard let answer = head?.head, !answer.isStream, let length = answer.contentLength, length > 0,
            received >= length, listener != nil
        else { return }
        takeRest()
        guard case .stream = phase, var pipeline else {
            return stop(Fault(.network, .closed, "an empty answer"))
        }
        var found: [StreamElement] = []
        pipeline.finish(into: &found)
        deliver(found, bytes: 0)
        stop(
            Fault(pipeline.verdict)
                ?? Fault(.finished, .closed, "finished: a file of \(length) bytes, not a stream"))
    }

    private func stop(_ fault: Fault) {
        let listener = listener
        cancel()
        listener?.upstream(id, ended: fault)
    }

    private func stopTimer() {
        if let textTimer { engine.cancel(textTimer) }
        textTimer = nil
    }
}

extension Span<UInt8> {
    /// The one copy that is made of bytes that must outlive the call.
    var copied: [UInt8] { withUnsafeBufferPointer { Array($0) } }
}

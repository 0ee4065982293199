internal import CLinux
internal import Feed
internal import Glibc
internal import HTTPWire
internal import Platform
internal import Reactor
internal import Synchronization

/// One source client's connection: reads its stream as it comes, and ends it when it is silent or sends no audio.
///
/// It lives on the loop that its connection was accepted on; `end` and `silentSeconds` may be called from any thread.
final class SourceSession: EventHandler, @unchecked Sendable {
    // Sendable because what changes is touched on the loop's thread only, but for `lastHeard`, which is atomic.
    let credentials: Credentials?
    private let mount: String
    private let desk: SourceDesk
    private let loop: EventLoop
    private let time: any TimeSource
    /// Sent when the stream has ended well: the answer to a client that waited for `100 Continue`.
    private let farewell: [UInt8]
    private var socket: FileDescriptor?
    private var token: WatchToken?
    private var timer: LoopTimer?
    private var body: SourceBody
    private var intake: SourceIntake
    private let lastHeard: Atomic<Int64>

    /// Seconds of silence after which a source is gone.
    private static let silenceLimit = 10.0
    private static let readLength = 64 << 10
    /// Reads before the loop looks at its other work.
    private static let readsAtATime = 8

    struct Opening {
        var mount: String
        var hello: SourceHello
        var framing: BodyFraming
        var credentials: Credentials?
        var farewell: [UInt8] = []
    }

    init(_ opening: Opening, feed: Feed, desk: SourceDesk, loop: EventLoop, time: any TimeSource) {
        mount = opening.mount
        credentials = opening.credentials
        farewell = opening.farewell
        body = SourceBody(opening.framing)
        intake = SourceIntake(feed: feed, hello: opening.hello, time: time)
        self.desk = desk
        self.loop = loop
        self.time = time
        lastHeard = Atomic(time.now.nanoseconds)
    }

    func silentSeconds(at now: MonotonicTime) -> Double {
        now.seconds(since: MonotonicTime(nanoseconds: lastHeard.load(ordering: .relaxed)))
    }

    /// Takes over the connection. Loop thread.
    func begin(socket number: Int32, leftover: [UInt8]) {
        socket = FileDescriptor(owning: number)
        Log.info("relay", "a source has come", ["mount": "/" + mount])
        timer = loop.every(1) { [weak self] in self?.checkSilence() }
        do {
            token = try loop.watch(number, for: .readable, handler: self)
        } catch {
            return finish("\(error)")
        }
        take(leftover)
    }

    /// Ends the session from outside.
    func end(_ reason: String) { loop.run { self.finish(reason) } }

    // MARK: Reading

    func ready(_ events: IOEvents, tag: UInt64) {
        var piece = [UInt8](repeating: 0, count: Self.readLength)
        for _ in 0..<Self.readsAtATime {
            guard let number = socket?.number else { return }
            let count = recv(number, &piece, piece.count, Int32(MSG_DONTWAIT))
            if count > 0 {
                lastHeard.store(time.now.nanoseconds, ordering: .relaxed)
                take(count == piece.count ? piece : Array(piece.prefix(count)))
            } else if count == 0 {
                return finish("the source has ended")
            } else {
                if errno != EAGAIN && errno != EINTR { finish("the source's connection broke") }
                return
            }
        }
    }

    private func take(_ bytes: [UInt8]) {
        do {
            let stream = try body.take(bytes)
            if !stream.isEmpty { try intake.take(stream) }
        } catch let refusal as SourceIntake.Refusal {
            return finish("refused: \(refusal.rawValue)")
        } catch {
            return finish("the source's transfer coding is broken")
        }
        if body.isDone { finish("the source has ended") }
    }

    private func checkSilence() {
        if silentSeconds(at: time.now) > Self.silenceLimit {
            finish("the source was silent for \(Int(Self.silenceLimit)) s")
        }
    }

    private func finish(_ reason: String) {
        guard let number = socket?.number else { return }
        intake.finish()
        timer?.cancel()
        if let token { loop.unwatch(token) }
        // Before the client can know of it: it may come back at once, on another loop.
        desk.release(mount: mount, by: self) { intake.tellEnd(reason) }
        if !farewell.isEmpty { RawAnswer.send(farewell, to: number) }
        socket = nil
        Log.info("relay", "a source has gone", ["mount": "/" + mount, "reason": reason])
    }
}

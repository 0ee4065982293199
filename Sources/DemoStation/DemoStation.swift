internal import HTTPServer
internal import HTTPWire
package import Platform
internal import Reactor

/// The station that aircheck carries inside: endless, in real time, with titles that change; on loopback alone.
///
/// It speaks as an Icecast does, so that everything that is true of a station can be tried without a network.
package final class DemoStation: Sendable {
    private let loops: LoopGroup
    private let studio: DemoStudio
    /// Where it listens on 127.0.0.1.
    package let port: UInt16

    /// Goes on the air.
    /// - Parameter port: 0 for one that is free.
    package init(port: UInt16, time: any TimeSource = SystemTime()) throws(SystemError) {
        loops = try LoopGroup(count: 1, name: "demo")
        studio = DemoStudio(loop: loops.next(), time: time)
        let server = HTTPServer(loops: loops)
        do {
            let endpoint = try server.listen(on: .tcp(host: "127.0.0.1", port: port), application: studio)
            self.port = endpoint.port ?? port
        } catch {
            loops.stop()
            throw error
        }
        studio.start()
    }

    /// Goes off the air; its listeners see the end of the stream.
    package func stop() { loops.stop() }
}

/// Answers requests and sends every listener what is due. Its state is touched on its loop's thread alone.
private final class DemoStudio: HTTPApplication, @unchecked Sendable {
    // Sendable because `listeners` is only touched on the loop's thread.
    private let programme = DemoProgramme()
    private let loop: EventLoop
    private let time: any TimeSource
    private let started: MonotonicTime
    private var listeners: [DemoListener] = []

    /// Seconds between two batches.
    private static let pause = 0.1
    /// Bytes that a listener gets at once.
    private static let burst = 64 << 10

    init(loop: EventLoop, time: any TimeSource) {
        self.loop = loop
        self.time = time
        started = time.now
    }

    func start() {
        _ = loop.every(Self.pause) { [self] in
            let live = live
            listeners.removeAll { !$0.send(programme, until: live) }
        }
    }

    /// The frame on the air. A round is over before the station starts, so that a burst has a past.
    private var live: Int {
        programme.frameCount + Int(time.now.seconds(since: started) / programme.secondsPerFrame)
    }

    func respond(to request: HTTPRequest, on exchange: HTTPExchange) {
        guard request.head.method == "GET" || request.head.method == "HEAD", request.head.segments.count <= 1
        else {
            return exchange.send(.notFound)
        }
        let wantsTitles = request.head.headers["icy-metadata"] == "1"
        let head = Self.head(wantsTitles: wantsTitles)
        let isHead = request.head.method == "HEAD"
        exchange.takeOver { [self] taken in
            let (descriptor, _) = taken.take()
            let first = live - programme.frames(holding: Self.burst)
            let listener = DemoListener(
                socket: FileDescriptor(owning: descriptor), wantsTitles: wantsTitles, from: first, head: head)
            let stays = listener.send(programme, until: isHead ? first : live)
            if stays, !isHead { listeners.append(listener) }
        }
    }

    private static func head(wantsTitles: Bool) -> [UInt8] {
        var head = ResponseHead(version: .http10, status: 200)
        head.add("Content-Type", "audio/mpeg")
        head.add("Server", Product.userAgent)
        head.add("icy-name", "aircheck demo")
        head.add("icy-genre", "Test")
        head.add("icy-description", "The station that aircheck carries inside")
        head.add("icy-br", "64")
        head.add("icy-pub", "0")
        if wantsTitles { head.add("icy-metaint", DemoListener.interval) }
        head.add("Cache-Control", "no-cache, no-store")
        head.add("Connection", "Close")
        return head.bytes
    }
}

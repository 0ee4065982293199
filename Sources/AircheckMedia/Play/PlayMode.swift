internal import CAVLazy
internal import CLinux
internal import Glibc
internal import MediaHelper
internal import Platform

/// `aircheck-media play`: frames in on the socket, sound out.
///
/// Three threads: this one reads commands; the driver keeps the output going and talks back; libpulse's own, where
/// there is a sound server, asks for sound.
enum PlayMode {
    /// Samples a second where nobody says otherwise.
    private static let usualRate = 48_000
    /// Seconds in which everything must have come to its end.
    private static let farewell: UInt32 = 3

    static func run() -> Int32 {
        HelperSocket.send(.ready(version: WireFormat.version))
        var commands = HelperSocket.Commands()
        guard let setup = opening(&commands) else { return 1 }
        let outbox = Outbox()
        let engine = PlayEngine(rate: rate(for: setup), measuresLoudness: setup.measuresLoudness) {
            outbox.put($0)
        }
        loadSoon()
        let driver = OutputDriver(setup: setup, engine: engine, outbox: outbox)
        let thread = WorkerThread(name: "output") { driver.run() }
        while let command = commands.next(), command != .stop {
            engine.handle(command)
            // The driver must know at once of what can be heard from now on.
            switch command {
            case .select, .hold: outbox.bell.ring()
            case .open(let setup): driver.move(to: setup.output)
            case .frames: if engine.isAboutToBegin { outbox.bell.ring() }
            default: break
            }
        }
        // A decoder or a sound server that hangs must not keep us.
        alarm(farewell)
        driver.end()
        thread.join()
        return 0
    }

    /// FFmpeg is loaded beside the sound, so that a skip to a station that needs it does not wait; not in the first moments,
    /// which belong to the first sound.
    private static func loadSoon() {
        _ = WorkerThread(name: "ffmpeg") {
            _ = Semaphore().wait(seconds: loadDelay)
            _ = aircheck_av_load()
        }
    }

    private static let loadDelay = 0.5

    /// What was meant for the helper before this one may still come first: it is left alone.
    private static func opening(_ commands: inout HelperSocket.Commands) -> PlaySetup? {
        while let command = commands.next() {
            if case .open(let setup) = command { return setup }
        }
        return nil
    }

    private static func rate(for setup: PlaySetup) -> Int {
        if setup.sampleRate > 0 { return min(max(setup.sampleRate, 8000), 192_000) }
        guard case .pulse(let server, let device) = setup.output else { return usualRate }
        return SinkProbe.rate(server: server, device: device) ?? usualRate
    }
}

/// Events on their way to the socket; whoever makes sound never waits for it.
final class Outbox: Sendable {
    private let events = Lock<[HelperEvent]>([])
    let bell = Bell()

    func put(_ event: HelperEvent) {
        events.withLock { $0.append(event) }
        if case .progress = event { return }
        bell.ring()
    }

    func take() -> [HelperEvent] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}

internal import MediaHelper
internal import Platform

/// Keeps the output going: opens it, watches it, opens it again, and reports 20 times a second.
///
/// While there is no sound server, time goes on at the clock's pace and the sound goes nowhere: when the device comes
/// back, the station is heard live and not from where it was lost. A recording stands still meanwhile.
final class OutputDriver: Sendable {
    private let setup: PlaySetup
    private let engine: PlayEngine
    private let outbox: Outbox
    private let time: any TimeSource
    private let isEnding = Lock(false)
    /// A sink that the sound is to move to, until it is done.
    private let move = Lock<PlaySetup.Output?>(nil)

    /// Seconds between reports.
    private static let reportInterval = 0.05
    /// Milliseconds of the last fade.
    private static let lastFade: UInt32 = 30

    init(setup: PlaySetup, engine: PlayEngine, outbox: Outbox, time: any TimeSource = SystemTime()) {
        self.setup = setup
        self.engine = engine
        self.outbox = outbox
        self.time = time
    }

    /// Asks `run` to fade out and return. Any thread.
    func end() {
        isEnding.withLock { $0 = true }
        outbox.bell.ring()
    }

    /// Moves the sound to another sink of the same sound server, without losing what is at hand. Any thread.
    func move(to output: PlaySetup.Output) {
        move.withLock { $0 = output }
        outbox.bell.ring()
    }

    private func takeMove() -> PlaySetup.Output? {
        move.withLock { move in
            defer { move = nil }
            return move
        }
    }

    /// The driver's thread, until `end`.
    func run() {
        switch setup.output {
        case .pulse(let server, let device):
            var watch = PulseWatch(
                server: server, device: device, latency: setup.latency, engine: engine, time: time)
            drive(latency: { watch.latency }, underruns: { watch.underruns }) {
                if case .pulse(_, let device) = takeMove() { watch.move(to: device) }
                return watch.tend(outbox.put)
            }
            watch.close()
        case .wav(let index): drive(file: index, withHead: true)
        case .raw(let index): drive(file: index, withHead: false)
        case .null:
            outbox.put(.device(.open(name: "null")))
            var paced = PacedOutput(engine: engine, time: time)
            drive(latency: { 0 }, underruns: { 0 }) { paced.renderDue { _ in true } }
        }
        flush()
    }

    private func drive(file index: Int, withHead: Bool) {
        let descriptor = HelperLaunch.socketNumber + 1 + Int32(clamping: index)
        var file = SoundFile(descriptor: descriptor, rate: engine.rate, withHead: withHead)
        var paced = PacedOutput(engine: engine, time: time)
        outbox.put(.device(.open(name: withHead ? "WAV file" : "raw samples")))
        // Nothing is written before the first sound: a capture begins with the station.
        drive(latency: { 0 }, underruns: { 0 }) {
            paced.renderDue { [engine] in engine.hasSounded ? file.write($0) : true }
        }
        file.close()
    }

    /// Does `step` every 10 ms or when something happened, until it says false or the end has come and been faded to.
    private func drive(latency: () -> Double, underruns: () -> UInt32, step: () -> Bool) {
        var nextReport = time.now
        var end: MonotonicTime?
        while end.map({ time.now < $0 }) ?? true {
            guard step() else {
                outbox.put(.failed(id: 0, reason: "the output takes no more sound"))
                return
            }
            if time.now >= nextReport {
                engine.report(latency: latency(), deviceUnderruns: underruns())
                nextReport = time.now.advanced(bySeconds: Self.reportInterval)
            }
            guard flush() else { return }
            if end == nil, isEnding.withLock({ $0 }) {
                engine.silence(over: Self.lastFade)
                end = time.now.advanced(bySeconds: Double(Self.lastFade) / 1000 + latency() + 0.02)
            }
            outbox.bell.wait(milliseconds: 10)
        }
    }

    @discardableResult
    private func flush() -> Bool {
        for event in outbox.take() where !HelperSocket.send(event) { return false }
        return true
    }
}

/// The sound server as it comes and goes.
struct PulseWatch {
    private let server: String?
    private var device: String?
    private let wantedLatency: Int
    private let engine: PlayEngine
    private let time: any TimeSource
    private var output: PulseOutput?
    private var paced: PacedOutput
    private var told: DeviceState?
    private var retryAt: MonotonicTime
    /// How much had been asked for when last looked, and when that last grew.
    private var delivered = 0
    private var flowedAt: MonotonicTime
    private var idleSince: MonotonicTime?

    /// Seconds between tries.
    private static let retryInterval = 0.5
    /// Seconds without a request for sound after which the clock takes over.
    private static let standstill = 0.3
    /// Seconds of silence after which the server may sleep.
    private static let idleTime = 2.0

    init(server: String?, device: String?, latency: Int, engine: PlayEngine, time: any TimeSource) {
        self.server = server
        self.device = device
        wantedLatency = min(max(latency, 10), 2000)
        self.engine = engine
        self.time = time
        paced = PacedOutput(engine: engine, time: time)
        retryAt = time.now
        flowedAt = time.now
    }

    /// Opens another sink in the place of this one; nil is the default sink.
    mutating func move(to device: String?) {
        guard device != self.device else { return }
        self.device = device
        output?.close()
        output = nil
        retryAt = time.now
    }

    var latency: Double { output?.delay ?? 0 }
    private(set) var underruns: UInt32 = 0

    /// Looks after the connection; renders into nothing while nobody asks for sound. Always true: a sound server that
    /// is gone is no reason to leave.
    mutating func tend(_ tell: (HelperEvent) -> Void) -> Bool {
        let now = time.now
        if output == nil, now >= retryAt {
            output = PulseOutput(server: server, device: device, latency: wantedLatency, engine: engine)
            (delivered, underruns) = (0, 0)
            retryAt = now.advanced(bySeconds: Self.retryInterval)
        }
        if let output {
            let present = output.present
            underruns = present.underflows
            if present.delivered != delivered { (delivered, flowedAt) = (present.delivered, now) }
            look(at: present.state, of: output, now, tell)
        }
        return keepTime(now)
    }

    private mutating func look(
        at state: PulseOutput.State, of output: PulseOutput, _ now: MonotonicTime,
        _ tell: (HelperEvent) -> Void
    ) {
        switch state {
        case .connecting: break
        case .open(let name):
            say(.open(name: name), tell)
            tendCork(output, now)
            output.beginAtOnce()
        case .lost(let reason):
            say(.lost(reason: reason), tell)
            output.close()
            self.output = nil
            retryAt = now.advanced(bySeconds: Self.retryInterval)
        }
    }

    private mutating func tendCork(_ output: PulseOutput, _ now: MonotonicTime) {
        guard engine.isIdle else {
            idleSince = nil
            return output.cork(false)
        }
        let since = idleSince ?? now
        idleSince = since
        if now.seconds(since: since) > Self.idleTime { output.cork(true) }
    }

    private mutating func say(_ state: DeviceState, _ tell: (HelperEvent) -> Void) {
        guard state != told else { return }
        told = state
        tell(.device(state))
    }

    private mutating func keepTime(_ now: MonotonicTime) -> Bool {
        guard now.seconds(since: flowedAt) > Self.standstill, !engine.isIdle, !engine.waitsForSound else {
            paced.restart()
            return true
        }
        return paced.renderDue { _ in true }
    }

    mutating func close() {
        output?.close()
        output = nil
    }
}

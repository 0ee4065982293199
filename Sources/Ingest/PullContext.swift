import Platform
import Transfers

/// What all pulls share. Lives on the engine's thread.
final class PullContext {
    let engine: TransferEngine
    let time: any TimeSource
    let settings: IngestSettings
    private var gate = StartGate()

    init(engine: TransferEngine, time: any TimeSource, settings: IngestSettings) {
        self.engine = engine
        self.time = time
        self.settings = settings
    }

    /// Seconds until the next connection may begin.
    func delayOfStart() -> Double { gate.delay(at: time.now, chance: Double.random(in: 0..<1)) }
}

import Platform
import Transfers

/// What all pulls share. Lives on the engine's thread.
final class PullContext {
    let engine: TransferEngine
    let time: any TimeSource
    let settings: IngestSettings
    let charsets: CharsetMemory
    private var gate = StartGate()

    init(
        engine: TransferEngine, time: any TimeSource, settings: IngestSettings,
        charsets: CharsetMemory = CharsetMemory()
    ) {
        self.engine = engine
        self.time = time
        self.settings = settings
        self.charsets = charsets
    }

    /// Seconds until the next connection may begin.
    func delayOfStart() -> Double { gate.delay(at: time.now, chance: Double.random(in: 0..<1)) }
}

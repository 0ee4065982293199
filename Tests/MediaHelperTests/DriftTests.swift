import Foundation
import MediaHelper
import StreamFormats
import TestPrograms
import TestSound
import Testing

@testable import AircheckMedia

/// A mixer and a station on clocks of their own; time passes as fast as the machine can.
private struct Bench {
    let mixer = Mixer(rate: 48_000, measuresLoudness: false)
    let tone: Tone
    /// Seconds of the station's clock in one of ours.
    let pace: Double
    private var sent = 0.0
    private var next = 0
    private(set) var now = 0.0
    private(set) var starved = 0
    private(set) var worst: Float = 0
    private var tail: (Float, Float) = (0, 0)

    init(_ tone: Tone, ppm: Double) {
        self.tone = tone
        pace = 1 + ppm / 1e6
        mixer.stream(1, tone.format, gain: 0)
        mixer.select(1, fade: 60)
    }

    /// Plays 10 ms. What arrives comes in portions of `portion` seconds, `burst` ahead.
    mutating func step(burst: Double, portion: Double) {
        let due = (now * pace / portion).rounded(.down) * portion + burst
        while sent < due {
            let run = tone.frames[next % tone.frames.count]
            mixer.frames(1, run, position: Int64(sent * 1e9))
            sent += Double(run.samples) / Double(tone.format.sampleRate)
            next += 1
        }
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 960) { buffer in
            mixer.render(into: buffer)
            listen(buffer)
        }
        now += 0.01
        for case .starved in mixer.takeEvents() { starved += 1 }
    }

    /// The largest deviation from the sine, once the fade in is over.
    private mutating func listen(_ buffer: UnsafeMutableBufferPointer<Float>) {
        let coefficient: Float = 2 * cosine(2 * .pi * Float(Tone.loopable) / 48_000)
        for index in stride(from: 0, to: buffer.count, by: 2) {
            if now > 0.5 { worst = max(worst, abs(buffer[index] + tail.0 - coefficient * tail.1)) }
            tail = (tail.1, buffer[index])
        }
    }

    var progress: PlayProgress { mixer.takeProgress(latency: 0, deviceUnderruns: 0) }
}

private func cosine(_ angle: Float) -> Float { 1 - 2 * quarterSine(angle / .pi) * quarterSine(angle / .pi) }

@Suite("Clock drift")
struct DriftTests {
    @Test(
        "the correction finds the difference of the clocks and holds the level",
        arguments: [200.0, -200, 35, 0])
    func controller(ppm: Double) {
        var controller = DriftController()
        var level = 3.0
        for _ in 0..<(4 * 3600) {
            controller.observe(level: level, elapsed: 1)
            level += (ppm - controller.correction) / 1e6
        }
        #expect(abs(controller.correction - ppm) < 5)
        #expect(abs(level - 3) < 0.1)
    }

    @Test("sound that comes ten seconds at a time is followed as well")
    func portions() {
        var controller = DriftController()
        var (time, corrected, lowest) = (0.0, 0.0, Double.infinity)
        var fastest = 0.0
        while time < 4 * 3600 {
            time += 0.1
            corrected += 0.1 * (1 + controller.correction / 1e6)
            // Fetched when somebody looks, which may be two seconds late.
            let segment = (time * 1.0002 / 10).rounded(.down)
            let late = (segment * 0.6180339).truncatingRemainder(dividingBy: 1) * 2
            let arrived = ((time - late) * 1.0002 / 10).rounded(.down) * 10 + 15
            controller.observe(level: arrived - corrected, elapsed: 0.1)
            lowest = min(lowest, arrived - corrected)
            fastest = max(fastest, abs(controller.correction))
        }
        #expect(abs(controller.correction - 200) < 150)
        #expect(fastest < 500)
        #expect(lowest > 2)
    }

    @Test(
        "minutes of a station whose clock is off have no underrun and no click", arguments: [200.0, -200],
        [0.1, 2.0])
    func sound(ppm: Double, portion: Double) throws {
        let folder = try TemporaryFolder("drift")
        let tone = try Tone(hertz: Tone.loopable, seconds: 5, in: folder).middle
        var bench = Bench(tone, ppm: ppm)
        // An hour in the long run; every second of it costs a debug build some milliseconds.
        let seconds = ProcessInfo.processInfo.environment["AIRCHECK_TESTS"] == "all" ? 3600.0 : 120
        // An hour at 200 ppm is 0.72 s: more than there is at hand, so that without the correction it would run dry.
        let burst = portion + 0.5
        // The lowest level of every half minute, once the first portions are in.
        var levels: [Double] = []
        while bench.now < seconds {
            bench.step(burst: burst, portion: portion)
            guard bench.now > 5 else { continue }
            if levels.count <= Int(bench.now / 30) { levels.append(.infinity) }
            levels[levels.count - 1] = min(levels[levels.count - 1], bench.progress.buffered)
        }
        #expect(bench.starved == 0)
        #expect(bench.worst < 0.02)
        #expect(bench.progress.stream == 1)
        // The buffer neither empties nor grows. The last half minute may have only begun.
        let (first, last) = (levels.first ?? 0, levels.dropLast().last ?? 9)
        #expect(abs(last - first) < 0.25, "\(first) s at first, \(last) s in the end")
    }
}

internal import Foundation
package import TestPrograms

/// What the sound server's sink plays, recorded while a test goes on.
package final class Listening: Sendable {
    package static let rate = 44_100
    private let recorder: RunningProgram

    /// Starts to listen and waits for the first samples.
    package init(to server: PulseServer) throws {
        recorder = try server.listen(to: "monitor-\(UUID().uuidString.prefix(8))")
        guard eventually(within: 10, { seconds > 0.05 }) else { throw StartFailure("parec records nothing") }
    }

    /// Seconds recorded so far. What is heard now is written some 20 ms later, so that a latency measured from here is
    /// never too small.
    package var seconds: Double {
        let facts = try? FileManager.default.attributesOfItem(atPath: recorder.outputPath)
        return Double(((facts?[.size] as? Int) ?? 0) / 4) / Double(Self.rate)
    }

    /// All that was recorded, the left channel.
    package var sound: Sound {
        let data = FileManager.default.contents(atPath: recorder.outputPath) ?? Data()
        return Sound(signed16: data, rate: Self.rate, channels: 2)
    }

    package func stop() { recorder.stop() }
}

extension Sound {
    /// When, after `start`, the tone of `hertz` has reached half of `amplitude`; in steps of 2 ms over windows of 10.
    package func onset(of hertz: Double, after start: Double, amplitude: Double) -> Double? {
        var time = start
        while time + 0.01 < seconds {
            if part(from: time, to: time + 0.01).amplitude(of: hertz) > amplitude / 2 { return time + 0.005 }
            time += 0.002
        }
        return nil
    }
}

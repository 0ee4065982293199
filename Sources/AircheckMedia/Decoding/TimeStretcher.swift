internal import CSoundTouch
internal import MediaHelper

/// Plays sound faster or slower at its own pitch.
final class TimeStretcher {
    private let rate: Int
    private let engine: OpaquePointer

    private static let piece = 4096

    /// Nil where there is no memory.
    init?(rate: Int, speed: Double) {
        guard let engine = aircheck_stretch_new(UInt32(clamping: rate)) else { return nil }
        self.rate = rate
        self.engine = engine
        set(speed: speed)
    }

    deinit { aircheck_stretch_free(engine) }

    func set(speed: Double) {
        aircheck_stretch_tempo(engine, PlaybackSpeed.clamped(speed))
    }

    /// Seconds of the recording that are inside.
    var held: Double { Double(aircheck_stretch_inside(engine)) / Double(rate) }

    /// Replaces the samples (interleaved stereo) from `start` on by what comes of them.
    func stretch(_ samples: inout [Float], from start: Int) {
        samples[start...].withUnsafeBufferPointer {
            guard let base = $0.baseAddress, !$0.isEmpty else { return }
            _ = aircheck_stretch_put(engine, base, UInt32($0.count / 2))
        }
        samples.removeSubrange(start...)
        take(into: &samples)
    }

    /// What is still inside, at the end of a recording.
    func drain(into samples: inout [Float]) {
        aircheck_stretch_flush(engine)
        take(into: &samples)
    }

    func forget() { aircheck_stretch_clear(engine) }

    private func take(into samples: inout [Float]) {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: Self.piece * 2) { buffer in
            guard let base = buffer.baseAddress else { return }
            while true {
                let count = Int(aircheck_stretch_take(engine, base, UInt32(Self.piece)))
                guard count > 0 else { return }
                samples.append(contentsOf: buffer[..<(count * 2)])
            }
        }
    }
}

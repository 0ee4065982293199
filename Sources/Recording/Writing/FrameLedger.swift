package import StreamFormats

/// Counts the frames of one file and chains a hash over them, so that it can be proved later what was written.
///
/// The hash of a file is h(n) = mix(h(n-1), frame n): 64 bits, eight bytes at a time, an integrity check and no
/// signature. A checkpoint is kept every `checkpointFrames` frames, so that damage is found to within a minute.
package struct FrameLedger: Sendable, Hashable {
    package static let seed: UInt64 = 0x9E37_79B9_7F4A_7C15
    package static let checkpointFrames: Int64 = 2048
    private static let factor: UInt64 = 0xD6E8_FEB8_6659_FD93

    package private(set) var frames: Int64 = 0
    package private(set) var bytes: Int64 = 0
    package private(set) var samples: Int64 = 0
    package private(set) var hash = seed
    package private(set) var checkpoints: [UInt64] = []
    /// Where each moment is in the file.
    package private(set) var index = SeekIndex()
    private var clock = SampleClock()

    package init() {}

    package var nanoseconds: Int64 { clock.nanoseconds }
    package var seconds: Double { clock.seconds }

    /// Counts the frames of `run`, which are at `rate` samples a second.
    package mutating func add(_ run: FrameRun, rate: Int) {
        clock.add(samples: run.samples, rate: rate)
        samples += run.samples
        run.bytes.withUnsafeBytes { bytes in
            var start = 0
            for frame in run.frames {
                let end = min(start + Int(max(frame.length, 0)), bytes.count)
                add(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
                start = end
            }
        }
    }

    private mutating func add(_ frame: UnsafeRawBufferPointer) {
        hash = Self.mix(hash, frame)
        index.add(at: bytes, length: Int32(clamping: frame.count))
        frames += 1
        bytes += Int64(frame.count)
        if frames % Self.checkpointFrames == 0 { checkpoints.append(hash) }
    }

    static func mix(_ seed: UInt64, _ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash = (seed ^ UInt64(bytes.count)) &* factor
        var place = 0
        while place + 8 <= bytes.count {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            hash = (hash ^ word) &* factor
            hash ^= hash >> 29
            place += 8
        }
        while place < bytes.count {
            hash = (hash ^ UInt64(bytes[place])) &* factor
            place += 1
        }
        return hash ^ (hash >> 32)
    }
}

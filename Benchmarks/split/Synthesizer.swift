import Glibc

/// Music that nobody would buy and every splitter has to hear: chords with a beat, whose loudness moves, in another key,
/// tempo and colour for each song.
struct Song {
    let root: Double
    let beat: Double
    let harmonics: [Double]
    let brightness: Double
    let swell: Double
    let seconds: Double
    let seed: UInt64
    /// Bars of near silence inside, as music has them.
    let pauses: Bool

    func render(rate: Int) -> [Float] {
        var noise = Chance(seed: seed)
        let chord = [1.0, [1.19, 1.26].pick(seed), 1.5]
        let steps = [1.0, 1.335, 1.498, 0.891]
        return (0..<Int(seconds * Double(rate))).map { index in
            let time = Double(index) / Double(rate)
            let bar = Int(time / (beat * 4)) % steps.count
            var value = 0.0
            for note in chord {
                let pitch = root * steps[bar] * note
                for (number, weight) in harmonics.enumerated() {
                    value += weight * sin(2 * .pi * pitch * Double(number + 1) * time) / 6
                }
            }
            let inBeat = time.truncatingRemainder(dividingBy: beat) / beat
            value *= 0.45 + 0.55 * exp(-3 * inBeat)
            let hit = exp(-25 * inBeat) * brightness
            value += hit * (Double(noise.next() >> 40) / Double(1 << 24) - 0.5)
            let loudness = pow(10, swell * sin(2 * .pi * time / 7.3 + Double(seed % 7)) / 20)
            let isPause = pauses && Int(time / beat) % 23 == 11 && inBeat > 0.55
            return Float(value * loudness * 0.28 * (isPause ? 0.05 : 1))
        }
    }
}

/// A generator that gives the same numbers for the same seed.
struct Chance: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}

extension Array {
    func pick(_ seed: UInt64) -> Element { self[Int(seed % UInt64(count))] }
}

/// How two songs are joined.
enum Join: String, CaseIterable {
    case silence, cut, fade
}

/// A programme and the truth about it.
struct KnownProgramme {
    struct Boundary {
        var join: Join
        /// The cut is right anywhere from here to there, seconds.
        var start: Double
        var end: Double
        var title: String
    }

    static let rate = 44_100
    /// LAME and any decoder together are so late.
    private static let codecDelay = 1105.0 / Double(rate)

    private(set) var samples: [Float] = []
    private(set) var boundaries: [Boundary] = []
    let firstTitle = "Artist 0 - Song 0"

    init(seed: UInt64, joins: [(Join, Double)]) {
        var chance = Chance(seed: seed)
        samples = Self.song(0, &chance).render(rate: Self.rate)
        for (index, (join, seconds)) in joins.enumerated() {
            let next = Self.song(index + 1, &chance).render(rate: Self.rate)
            add(next, join, seconds, title: "Artist \(index + 1) - Song \(index + 1)")
        }
    }

    private static func song(_ number: Int, _ chance: inout Chance) -> Song {
        Song(
            root: 110 * pow(2, Double.random(in: 0..<1.5, using: &chance)),
            beat: Double.random(in: 0.38...0.75, using: &chance),
            harmonics: (0..<6).map { _ in Double.random(in: 0.1...1, using: &chance) },
            brightness: Double.random(in: 0.2...1.2, using: &chance),
            swell: Double.random(in: 2...8, using: &chance),
            seconds: Double.random(in: 18...24, using: &chance), seed: chance.next(), pauses: number % 3 == 1)
    }

    private mutating func add(_ next: [Float], _ join: Join, _ seconds: Double, title: String) {
        let count = Int(seconds * Double(Self.rate))
        let at = samples.count
        var start = at
        var end = at
        switch join {
        case .cut: samples += next
        case .silence:
            end = at + count
            samples += [Float](repeating: 0, count: count) + next
        case .fade:
            start = at - count
            for index in 0..<count {
                let share = Float(index) / Float(count)
                samples[start + index] = samples[start + index] * (1 - share) + next[index] * share
            }
            samples += next.dropFirst(count)
        }
        boundaries.append(
            Boundary(
                join: join, start: Double(start) / Double(Self.rate) + Self.codecDelay,
                end: Double(end) / Double(Self.rate) + Self.codecDelay, title: title))
    }

    /// 16-bit mono, little endian.
    var pcm: [UInt8] {
        samples.flatMap { sample in
            let value = Int16(max(-1, min(1, sample)) * 32767)
            return [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
        }
    }
}

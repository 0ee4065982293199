internal import MediaHelper
internal import StreamFormats

/// One stream inside the mixer: frames in, stereo samples of the output's rate out.
final class Voice {
    let id: UInt32
    private let rate: Int
    private var format: AudioFormat
    private var buffer: JitterBuffer
    private var decoder: (any FrameDecoder)?
    private let resampler: Resampler
    private var drift = DriftController()
    /// Decoded samples, interleaved, from `head` on.
    private var samples: [Float] = []
    private var head = 0
    /// Feed time at the end of what was decoded, nanoseconds.
    private var decodedEnd: Int64 = 0
    /// Frames whose sound is thrown away: a decoder that starts in mid stream lacks their predecessors.
    private var unheard = 0
    private var isFinished = false
    private(set) var isFlowing = false
    /// Seconds to gather before it flows (again).
    private var threshold = Voice.firstThreshold
    var gain: Ramp
    /// What the decoder turned out to be, until it has been told.
    private var facts: (rate: Int, channels: Int, decoder: String)?
    private(set) var failure: String?
    private let loudness: LoudnessMeter?
    let isStored: Bool
    private var stretcher: TimeStretcher?
    private var speed = 1.0
    private var isHeld = false
    private var holding = Ramp(1)
    private var isDrained = false
    private var lastShape: SoundShape?

    /// Seconds at the first start: as little as makes up for a busy machine.
    private static let firstThreshold = 0.15
    private static let largestThreshold = 4.0
    /// Samples held back to end on when it runs dry, per channel.
    private static let reserve = 256
    /// Seconds at hand from which on the first frames can be spared.
    private static let plenty = 0.6

    init(
        id: UInt32, format: AudioFormat, rate: Int, gain: Float, isStored: Bool = false,
        measuresLoudness: Bool
    ) {
        self.id = id
        self.isStored = isStored
        self.rate = rate
        self.format = format
        self.gain = Ramp(gain)
        buffer = JitterBuffer(sampleRate: format.sampleRate)
        resampler = Resampler(rate: Int32(rate))
        loudness = measuresLoudness ? LoudnessMeter(rate: rate) : nil
    }

    // MARK: In

    /// The frames that follow are in another format. What is buffered in the old one is decoded first.
    func change(to new: AudioFormat) {
        guard new != format else { return }
        while decodeNext() {}
        format = new
        buffer = JitterBuffer(sampleRate: new.sampleRate)
        decoder = nil
    }

    /// False if sound had to be thrown away to make room.
    func push(_ run: FrameRun, position: Int64) -> Bool {
        let fitted = buffer.push(run, position: position)
        if !fitted { drift.restart() }
        return fitted
    }

    func finish() { isFinished = true }

    /// Stands still after a short fade, or goes on from the same place.
    func hold(_ isHeld: Bool, over samples: Int) {
        self.isHeld = isHeld
        holding.move(to: isHeld ? 0 : 1, over: isFlowing ? samples : 0)
    }

    /// Plays faster or slower from what is decoded next on. Once stretched it stays so, as the way back would click.
    func set(speed: Double) {
        self.speed = PlaybackSpeed.clamped(speed)
        if let stretcher { return stretcher.set(speed: self.speed) }
        if self.speed != 1 { stretcher = TimeStretcher(rate: rate, speed: self.speed) }
    }

    // MARK: Out

    /// Seconds at hand, frames and samples.
    var buffered: Double { Double(buffer.duration) / 1e9 + Double(available) / Double(rate) }
    var correction: Double { drift.correction }
    /// Samples per channel that are decoded.
    private var available: Int { (samples.count - head) / 2 }
    /// It could sound now.
    var isReady: Bool { isFlowing || buffered >= threshold || isFinished && buffered > 0 }
    /// Nothing is left and nothing will come.
    var isOver: Bool { isFinished && buffer.duration == 0 && available == 0 }
    /// It is held, and the fade before is over.
    var isStill: Bool { isHeld && holding.isResting }

    /// Feed time of what is heard while what is rendered now is heard `latency` seconds later, nanoseconds.
    func position(heardAfter latency: Double) -> Int64 {
        // In silence all that was rendered is soon heard.
        let ahead = isStill ? 0 : latency
        let waiting = (Double(available) / Double(rate) + ahead) * speed + resampler.delay
        return decodedEnd - Int64((waiting + (stretcher?.held ?? 0)) * 1e9)
    }

    func takeFacts() -> (rate: Int, channels: Int, decoder: String)? {
        defer { facts = nil }
        return facts
    }

    func takeLoudness() -> (integrated: Double, shortTerm: Double)? { loudness?.take() }

    /// Begins to flow: from now on `render` gives sound.
    func start() {
        guard !isFlowing else { return }
        isFlowing = true
        if decoder == nil, isStored ? buffer.start > 0 : buffered > Self.plenty { unheard = framesToSkip }
        drift.restart()
    }

    private var framesToSkip: Int {
        switch format.codec {
        // The bit reservoir reaches back over one or two frames, and so does the overlap of the transform.
        case .mp1, .mp2, .mp3, .aac, .heAAC, .heAACv2, .vorbis: 2
        // 80 ms until the decoder has converged (RFC 7845, 4.6), at the usual 20 ms a packet.
        case .opus: 4
        case .flac: 0
        }
    }

    /// Adds `count` samples per channel, times this voice's gain and the given fade, to `output` (interleaved stereo).
    /// False if it ran dry in between.
    func render(
        _ count: Int, into output: UnsafeMutableBufferPointer<Float>, fade: (from: Float, to: Float)
    ) -> Bool {
        guard isFlowing, !isStill else { return true }
        while available < count + Self.reserve, decodeNext() {}
        if isFinished, buffer.duration == 0 { drain() }
        let (own, held) = (gain.advance(count), holding.advance(count))
        let (from, to) = (own.from * fade.from * held.from, own.to * fade.to * held.to)
        if available >= count + Self.reserve || isFinished && available >= count {
            add(count, to: output, from: from, to: to)
            observe(count)
            return true
        }
        // Dry: what is left goes down to nothing, so that it does not end in a click.
        let left = min(available, count)
        if left > 0 { add(left, to: output, from: from, to: 0) }
        samples.removeAll(keepingCapacity: true)
        head = 0
        isFlowing = false
        threshold = min(max(threshold * 2, 0.5), Self.largestThreshold)
        return isFinished
    }

    private func drain() {
        guard !isDrained else { return }
        isDrained = true
        let before = samples.count
        resampler.drain(into: &samples)
        stretcher?.stretch(&samples, from: before)
        stretcher?.drain(into: &samples)
    }

    private func observe(_ count: Int) {
        guard !isStored else { return }
        drift.observe(level: buffered, elapsed: Double(count) / Double(rate))
        resampler.set(drift: drift.correction)
    }

    private func add(_ count: Int, to output: UnsafeMutableBufferPointer<Float>, from: Float, to: Float) {
        let step = (to - from) / Float(max(count, 1))
        samples.withUnsafeBufferPointer { source in
            var (gain, place) = (from, head)
            for index in 0..<count {
                output[2 * index] += source[place] * gain
                output[2 * index + 1] += source[place + 1] * gain
                place += 2
                gain += step
            }
        }
        head += 2 * count
        if head > 1 << 15 {
            samples.removeFirst(head)
            head = 0
        }
    }

    /// Decodes one frame more. False if there is none.
    private func decodeNext() -> Bool {
        guard failure == nil, let frame = buffer.next() else { return false }
        decodedEnd = frame.position + frame.nanoseconds
        do {
            let decoder = try readyDecoder()
            try frame.bytes.withUnsafeBytes { try decoder.decode($0, take) }
        } catch {
            failure = "\(error)"
        }
        if unheard > 0 {
            unheard -= 1
            samples.removeAll(keepingCapacity: true)
            head = 0
            stretcher?.forget()
        }
        return true
    }

    private func take(_ sound: DecodedSound) {
        if decoder != nil, lastShape != sound.shape {
            lastShape = sound.shape
            facts = (Int(sound.shape.rate), Int(sound.shape.channels), decoder?.name ?? "")
        }
        let before = samples.count
        resampler.convert(sound, into: &samples)
        loudness?.add(samples[before...])
        stretcher?.stretch(&samples, from: before)
    }

    private func readyDecoder() throws(DecodingError) -> any FrameDecoder {
        if let decoder { return decoder }
        let made = try Decoders.decoder(for: format)
        decoder = made
        return made
    }
}

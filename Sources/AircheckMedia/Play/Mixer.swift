internal import MediaHelper
internal import StreamFormats

/// Everything between the frames and the output: voices, which of them is heard, fades, volume, meters. It knows no
/// clock and no thread: time passes as samples are rendered. `PlayEngine` puts a lock around it.
final class Mixer {
    let rate: Int
    private var voices: [UInt32: Voice] = [:]
    /// The voice that is heard, the one that is to be as soon as it can, and those that are fading away.
    private var current: UInt32 = 0
    private var wanted: (id: UInt32, fade: Int)?
    private var fades: [UInt32: Ramp] = [:]
    private var volume = Ramp(1)
    private var mute = Ramp(1)
    private var limiter = Limiter()
    private var meter = LevelMeter()
    private var underruns: UInt32 = 0
    private var events: [HelperEvent] = []
    private let measuresLoudness: Bool
    /// Something has been heard since the start: from then on a file output is written.
    private(set) var hasSounded = false

    /// Samples per channel mixed at once; gains are straight lines within.
    private static let block = 480
    /// Milliseconds of a fade in from silence.
    private static let startFade = 10

    init(rate: Int, measuresLoudness: Bool) {
        self.rate = rate
        self.measuresLoudness = measuresLoudness
    }

    // MARK: Commands

    func stream(_ id: UInt32, _ format: AudioFormat, gain: Double, isStored: Bool = false) {
        if let voice = voices[id] { return voice.change(to: format) }
        voices[id] = Voice(
            id: id, format: format, rate: rate, gain: amplitude(gain), isStored: isStored,
            measuresLoudness: measuresLoudness && !isStored)
    }

    func frames(_ id: UInt32, _ run: FrameRun, position: Int64) {
        _ = voices[id]?.push(run, position: position)
    }

    func select(_ id: UInt32, fade: UInt32) { wanted = (id, samples(fade)) }

    func hold(_ id: UInt32, _ isHeld: Bool) { voices[id]?.hold(isHeld, over: samples(20)) }

    func setSpeed(_ id: UInt32, _ speed: Double) { voices[id]?.set(speed: speed) }

    func finish(_ id: UInt32) { voices[id]?.finish() }

    func drop(_ id: UInt32, fade: UInt32) {
        if wanted?.id == id { wanted = nil }
        guard voices[id]?.isFlowing == true, id == current || fades[id] != nil else {
            voices[id] = nil
            if id == current { current = 0 }
            return
        }
        fadeOut(id, over: samples(fade))
        if id == current { current = 0 }
    }

    func setVolume(_ value: Double, ramp: UInt32) {
        volume.move(to: Float(min(max(value, 0), 1)), over: samples(ramp))
    }

    func setMuted(_ muted: Bool) { mute.move(to: muted ? 0 : 1, over: samples(20)) }

    func setGain(_ id: UInt32, _ decibels: Double) {
        voices[id]?.gain.move(to: amplitude(decibels), over: samples(500))
    }

    /// Fades everything out.
    func silence(over milliseconds: UInt32) {
        wanted = nil
        for id in Array(voices.keys) { drop(id, fade: milliseconds) }
    }

    // MARK: Out

    /// Nothing sounds and nothing is wanted.
    var isIdle: Bool {
        (current == 0 || voices[current]?.isStill == true) && wanted == nil && fades.isEmpty
    }

    /// What is to be heard comes from a file: it waits for its listener, where live would pass by.
    var waitsForSound: Bool { voices[wanted?.id ?? current]?.isStored == true }

    /// So far nothing is heard, and with the next sample something will be.
    var isAboutToBegin: Bool {
        guard fades.isEmpty, voices[current]?.isFlowing != true, let id = wanted?.id, let voice = voices[id]
        else {
            return false
        }
        return voice.isReady && !voice.isStill
    }

    /// Mixes `output.count / 2` samples per channel, interleaved.
    func render(into output: UnsafeMutableBufferPointer<Float>) {
        var start = 0
        while start < output.count {
            let end = min(start + 2 * Self.block, output.count)
            renderBlock(UnsafeMutableBufferPointer(rebasing: output[start..<end]))
            start = end
        }
    }

    private func renderBlock(_ block: UnsafeMutableBufferPointer<Float>) {
        block.update(repeating: 0)
        let count = block.count / 2
        bringIn()
        if let voice = voices[current] {
            let fade = curve((fades[current] ?? Ramp(1)).value, advance(current, count))
            if !voice.render(count, into: block, fade: fade) {
                underruns += 1
                events.append(.starved(id: current))
            }
            report(voice)
        }
        renderLeaving(block, count)
        meter.add(block)
        limiter.apply(to: block)
        scale(block, count)
    }

    /// The station that is wanted takes over as soon as it has sound; one that ran dry comes back.
    private func bringIn() {
        if let (id, fade) = wanted, let voice = voices[id], voice.isReady {
            wanted = nil
            let isHeard = voices[current]?.isFlowing == true
            let length = isHeard ? fade : samples(UInt32(Self.startFade))
            if current != 0, current != id { isHeard ? fadeOut(current, over: fade) : remove(current) }
            begin(voice, over: length)
        } else if let voice = voices[current], !voice.isFlowing, voice.isReady {
            begin(voice, over: samples(UInt32(Self.startFade)))
        }
    }

    private func begin(_ voice: Voice, over length: Int) {
        current = voice.id
        voice.start()
        var ramp = Ramp(0)
        ramp.move(to: 1, over: length)
        fades[voice.id] = ramp
        hasSounded = true
        events.append(.sounding(id: voice.id))
    }

    private func fadeOut(_ id: UInt32, over length: Int) {
        var ramp = fades[id] ?? Ramp(1)
        ramp.move(to: 0, over: length)
        fades[id] = ramp
    }

    private func remove(_ id: UInt32) {
        voices[id] = nil
        fades[id] = nil
    }

    /// Moves the fade of a voice on; one that has come fully in needs none any more.
    private func advance(_ id: UInt32, _ count: Int) -> Float {
        guard var ramp = fades[id] else { return 1 }
        let to = ramp.advance(count).to
        fades[id] = ramp.isResting && ramp.goal == 1 ? nil : ramp
        return to
    }

    private func renderLeaving(_ block: UnsafeMutableBufferPointer<Float>, _ count: Int) {
        for (id, ramp) in fades where id != current {
            let from = ramp.value
            let to = advance(id, count)
            let isDry = voices[id]?.render(count, into: block, fade: curve(from, to)) == false
            if isDry || to == 0 { remove(id) }
        }
    }

    /// Two stations are not alike: their powers add up, so the fade is a quarter of a sine.
    private func curve(_ from: Float, _ to: Float) -> (from: Float, to: Float) {
        (quarterSine(from), quarterSine(to))
    }

    private func report(_ voice: Voice) {
        if let facts = voice.takeFacts() {
            events.append(
                .facts(id: voice.id, sampleRate: facts.rate, channels: facts.channels, decoder: facts.decoder)
            )
        }
        if let (integrated, shortTerm) = voice.takeLoudness() {
            events.append(.loudness(id: voice.id, integrated: integrated, shortTerm: shortTerm))
        }
        if let reason = voice.failure {
            events.append(.failed(id: voice.id, reason: reason))
            remove(voice.id)
            current = 0
        } else if voice.isOver {
            events.append(.finished(id: voice.id))
            remove(voice.id)
            current = 0
        }
    }

    private func scale(_ block: UnsafeMutableBufferPointer<Float>, _ count: Int) {
        let (volume, mute) = (volume.advance(count), mute.advance(count))
        let (from, to) = (volume.from * mute.from, volume.to * mute.to)
        guard from != 1 || to != 1 else { return }
        let step = (to - from) / Float(count)
        for index in 0..<count {
            let gain = from + step * Float(index)
            block[2 * index] *= gain
            block[2 * index + 1] *= gain
        }
    }

    // MARK: Reports

    func takeEvents() -> [HelperEvent] {
        defer { events.removeAll(keepingCapacity: true) }
        return events
    }

    /// Where playing stands, heard `latency` seconds after it was rendered.
    func takeProgress(latency: Double, deviceUnderruns: UInt32) -> PlayProgress {
        let voice = voices[current]
        let position = voice.map { $0.position(heardAfter: latency) } ?? 0
        return PlayProgress(
            stream: current, position: position, buffered: voice?.buffered ?? 0, underruns: underruns,
            deviceUnderruns: deviceUnderruns, drift: voice?.correction ?? 0, levels: meter.take())
    }

    private func samples(_ milliseconds: UInt32) -> Int { Int(milliseconds) * rate / 1000 }

    private func amplitude(_ decibels: Double) -> Float { decibelsToAmplitude(min(max(decibels, -80), 24)) }
}

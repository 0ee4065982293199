extension HelperEvent {
    private enum Kind: UInt8 {
        case ready = 1, progress, sounding, starved, finished, device, loudness, facts, failed
        case features, sound, analysis, remuxed, encoded, done
    }

    /// The event as it is sent.
    package var message: WireMessage {
        var writer = WireWriter()
        let kind = put(into: &writer)
        return WireMessage(kind: kind.rawValue, body: writer.bytes)
    }

    private func put(into writer: inout WireWriter) -> Kind {
        switch self {
        case .ready(let version):
            writer.put(version)
            return .ready
        case .progress(let progress):
            progress.put(into: &writer)
            return .progress
        case .sounding(let id):
            writer.put(id)
            return .sounding
        case .starved(let id):
            writer.put(id)
            return .starved
        case .finished(let id):
            writer.put(id)
            return .finished
        case .device(let state):
            state.put(into: &writer)
            return .device
        case .loudness(let id, let integrated, let shortTerm):
            writer.put(id)
            writer.put(integrated)
            writer.put(shortTerm)
            return .loudness
        case .facts(let id, let sampleRate, let channels, let decoder):
            writer.put(id)
            writer.put(UInt32(clamping: sampleRate))
            writer.put(UInt32(clamping: channels))
            writer.put(decoder)
            return .facts
        case .failed(let id, let reason):
            writer.put(id)
            writer.put(reason)
            return .failed
        case .features, .sound, .analysis, .remuxed, .encoded, .done:
            return putAnswer(into: &writer)
        }
    }

    private func putAnswer(into writer: inout WireWriter) -> Kind {
        switch self {
        case .features(let features):
            writer.put(floats: features.energy)
            writer.put(floats: features.novelty)
            writer.put(features.decodedSamples)
            writer.put(UInt32(clamping: features.sampleRate))
            return .features
        case .sound(let sound):
            writer.put(samples: sound.samples)
            writer.put(UInt32(clamping: sound.sampleRate))
            return .sound
        case .analysis(let analysis):
            analysis.put(into: &writer)
            return .analysis
        case .remuxed(let result):
            writer.put(result.packets)
            writer.put(result.seconds)
            return .remuxed
        case .encoded(let position, let bytes):
            writer.put(position)
            writer.put(bytes)
            return .encoded
        default:
            return .done
        }
    }

    /// Reads a message back; throws if it is not an event of this version.
    package init(_ message: WireMessage) throws(WireError) {
        guard let kind = Kind(rawValue: message.kind) else { throw .unknownKind(message.kind) }
        var reader = WireReader(message.body)
        self = try Self.read(kind, from: &reader)
        try reader.end()
    }

    private static func read(_ kind: Kind, from reader: inout WireReader) throws(WireError) -> Self {
        switch kind {
        case .ready: .ready(version: try reader.number())
        case .progress: .progress(try PlayProgress(from: &reader))
        case .sounding: .sounding(id: try reader.number())
        case .starved: .starved(id: try reader.number())
        case .finished: .finished(id: try reader.number())
        case .device: .device(try DeviceState(from: &reader))
        case .loudness:
            .loudness(
                id: try reader.number(), integrated: try reader.finite(), shortTerm: try reader.finite())
        case .facts:
            .facts(
                id: try reader.number(), sampleRate: Int(try reader.number(UInt32.self)),
                channels: Int(try reader.number(UInt32.self)), decoder: try reader.text())
        case .failed: .failed(id: try reader.number(), reason: try reader.text())
        case .features:
            .features(
                FrameFeatures(
                    energy: try reader.floats(), novelty: try reader.floats(),
                    decodedSamples: try reader.number(),
                    sampleRate: Int(try reader.number(UInt32.self))))
        case .sound:
            .sound(MonoSound(samples: try reader.samples(), sampleRate: Int(try reader.number(UInt32.self))))
        case .analysis: .analysis(try AudioAnalysis(from: &reader))
        case .remuxed: .remuxed(RemuxResult(packets: try reader.number(), seconds: try reader.finite()))
        case .encoded: .encoded(position: try reader.number(), try reader.data())
        case .done: .done
        }
    }
}

extension PlayProgress {
    func put(into writer: inout WireWriter) {
        writer.put(stream)
        writer.put(position)
        writer.put(buffered)
        writer.put(underruns)
        writer.put(deviceUnderruns)
        writer.put(drift)
        for level in [levels.peak.x, levels.peak.y, levels.rms.x, levels.rms.y] { writer.put(level) }
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(
            stream: try reader.number(), position: try reader.number(), buffered: try reader.finite(),
            underruns: try reader.number(), deviceUnderruns: try reader.number(), drift: try reader.finite(),
            levels: AudioLevels(
                peak: SIMD2(try reader.float(), try reader.float()),
                rms: SIMD2(try reader.float(), try reader.float())))
    }
}

extension DeviceState {
    func put(into writer: inout WireWriter) {
        switch self {
        case .connecting: writer.put(UInt8(1))
        case .open(let name):
            writer.put(UInt8(2))
            writer.put(name)
        case .lost(let reason):
            writer.put(UInt8(3))
            writer.put(reason)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.number(UInt8.self) {
        case 1: self = .connecting
        case 2: self = .open(name: try reader.text())
        case 3: self = .lost(reason: try reader.text())
        default: throw .invalid("device state")
        }
    }
}

extension AudioAnalysis {
    func put(into writer: inout WireWriter) {
        writer.put(seconds)
        writer.put(UInt32(clamping: sampleRate))
        writer.put(UInt32(clamping: channels))
        writer.put(loudness != nil)
        if let loudness {
            // NaN says "no value": silence has no loudness.
            for value in [loudness.integrated, loudness.range, loudness.truePeak] {
                writer.put(value ?? .nan)
            }
        }
        writer.put(silences != nil)
        if let silences {
            writer.put(silences) {
                $0.put($1.start); $0.put($1.end)
            }
        }
        writer.put(waveform != nil)
        if let waveform { writer.put(waveform.peaks) }
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(
            seconds: try reader.finite(), sampleRate: Int(try reader.number(UInt32.self)),
            channels: Int(try reader.number(UInt32.self)))
        if try reader.bool() {
            loudness = Loudness(
                integrated: try reader.known(), range: try reader.known(), truePeak: try reader.known())
        }
        if try reader.bool() {
            silences = try reader.list(elementBytes: 16) { reader throws(WireError) in
                SilentSpan(start: try reader.finite(), end: try reader.finite())
            }
        }
        if try reader.bool() { waveform = Waveform(peaks: try reader.data()) }
    }
}

extension WireReader {
    /// A number, or nil where the other side had none.
    fileprivate mutating func known() throws(WireError) -> Double? {
        let value = try double()
        return value.isFinite ? value : nil
    }
}

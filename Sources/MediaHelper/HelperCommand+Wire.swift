internal import StreamFormats

extension HelperCommand {
    private enum Kind: UInt8 {
        case open = 1, stream, frames, select, finish, drop, volume, mute, gain, stop, job
        case hold, speed
    }

    /// The command as it is sent.
    package var message: WireMessage {
        var writer = WireWriter()
        let kind = put(into: &writer)
        return WireMessage(kind: kind.rawValue, body: writer.bytes)
    }

    private func put(into writer: inout WireWriter) -> Kind {
        switch self {
        case .open(let setup):
            setup.put(into: &writer)
            return .open
        case .stream(let id, let format, let gain, let isStored):
            writer.put(id)
            writer.put(format)
            writer.put(gain)
            writer.put(isStored)
            return .stream
        case .frames(let id, let position, let run):
            writer.put(id)
            writer.put(position)
            writer.put(run)
            return .frames
        case .select(let id, let fade):
            writer.put(id)
            writer.put(fade)
            return .select
        case .finish(let id):
            writer.put(id)
            return .finish
        case .drop(let id, let fade):
            writer.put(id)
            writer.put(fade)
            return .drop
        case .volume(let volume, let ramp):
            writer.put(volume)
            writer.put(ramp)
            return .volume
        case .mute(let muted):
            writer.put(muted)
            return .mute
        case .gain(let id, let decibels):
            writer.put(id)
            writer.put(decibels)
            return .gain
        case .hold(let id, let isHeld):
            writer.put(id)
            writer.put(isHeld)
            return .hold
        case .speed(let id, let speed):
            writer.put(id)
            writer.put(speed)
            return .speed
        case .stop:
            return .stop
        case .job(let job):
            job.put(into: &writer)
            return .job
        }
    }

    /// Reads a message back; throws if it is not a command of this version.
    package init(_ message: WireMessage) throws(WireError) {
        guard let kind = Kind(rawValue: message.kind) else { throw .unknownKind(message.kind) }
        var reader = WireReader(message.body)
        self = try Self.read(kind, from: &reader)
        try reader.end()
    }

    private static func read(_ kind: Kind, from reader: inout WireReader) throws(WireError) -> Self {
        switch kind {
        case .open: .open(try PlaySetup(from: &reader))
        case .stream:
            .stream(
                id: try reader.number(), format: try reader.format(), gain: try reader.finite(),
                isStored: try reader.bool())
        case .frames: .frames(id: try reader.number(), position: try reader.number(), run: try reader.run())
        case .select: .select(id: try reader.number(), fade: try reader.number())
        case .finish: .finish(id: try reader.number())
        case .drop: .drop(id: try reader.number(), fade: try reader.number())
        case .volume: .volume(try reader.finite(), ramp: try reader.number())
        case .mute: .mute(try reader.bool())
        case .gain: .gain(id: try reader.number(), decibels: try reader.finite())
        case .hold: .hold(id: try reader.number(), try reader.bool())
        case .speed: .speed(id: try reader.number(), try reader.finite())
        case .stop: .stop
        case .job: .job(try MediaJob(from: &reader))
        }
    }
}

extension PlaySetup {
    func put(into writer: inout WireWriter) {
        switch output {
        case .pulse(let server, let device):
            writer.put(UInt8(1))
            writer.put(server)
            writer.put(device)
        case .wav(let descriptor):
            writer.put(UInt8(2))
            writer.put(UInt8(clamping: descriptor))
        case .raw(let descriptor):
            writer.put(UInt8(3))
            writer.put(UInt8(clamping: descriptor))
        case .null: writer.put(UInt8(4))
        }
        writer.put(UInt32(clamping: sampleRate))
        writer.put(UInt32(clamping: latency))
        writer.put(measuresLoudness)
    }

    init(from reader: inout WireReader) throws(WireError) {
        let output: Output
        switch try reader.number(UInt8.self) {
        case 1: output = .pulse(server: try reader.optionalText(), device: try reader.optionalText())
        case 2: output = .wav(descriptor: Int(try reader.number(UInt8.self)))
        case 3: output = .raw(descriptor: Int(try reader.number(UInt8.self)))
        case 4: output = .null
        default: throw .invalid("output")
        }
        let sampleRate = Int(try reader.number(UInt32.self))
        let latency = Int(try reader.number(UInt32.self))
        self.init(
            output: output, sampleRate: sampleRate, latency: latency, measuresLoudness: try reader.bool())
    }
}

extension MediaJob {
    func put(into writer: inout WireWriter) {
        switch self {
        case .features(let format):
            writer.put(UInt8(1))
            writer.put(format)
        case .decode(let format):
            writer.put(UInt8(2))
            writer.put(format)
        case .analyse(let wants):
            writer.put(UInt8(3))
            writer.put(wants.rawValue)
        case .remux(let chapters, let tags):
            writer.put(UInt8(4))
            writer.put(chapters) {
                $0.put($1.start); $0.put($1.title)
            }
            writer.put(tags) {
                $0.put($1.name); $0.put($1.value)
            }
        case .transcode(let format, let bitrate):
            writer.put(UInt8(5))
            writer.put(format)
            writer.put(UInt32(clamping: bitrate))
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.number(UInt8.self) {
        case 1: self = .features(try reader.format())
        case 2: self = .decode(try reader.format())
        case 3: self = .analyse(AnalysisWants(rawValue: try reader.number()))
        case 4:
            let chapters = try reader.list(elementBytes: 12) { reader throws(WireError) in
                MediaChapter(start: try reader.finite(), title: try reader.text())
            }
            let tags = try reader.list(elementBytes: 8) { reader throws(WireError) in
                MediaTag(name: try reader.text(), value: try reader.text())
            }
            self = .remux(chapters: chapters, tags: tags)
        case 5: self = .transcode(try reader.format(), bitrate: Int(try reader.number(UInt32.self)))
        default: throw .invalid("job")
        }
    }
}

extension WireWriter {
    mutating func put(_ format: AudioFormat) {
        put(format.codec.rawValue)
        put(format.container.rawValue)
        put(UInt32(clamping: format.sampleRate))
        put(UInt32(clamping: format.channels))
        put(format.setup) { $0.put($1) }
    }

    mutating func put(_ run: FrameRun) {
        put(run.frames) {
            $0.put($1.length); $0.put($1.samples)
        }
        put(run.bytes)
    }
}

extension WireReader {
    mutating func format() throws(WireError) -> AudioFormat {
        guard let codec = Codec(rawValue: try text()), let container = Container(rawValue: try text()) else {
            throw .invalid("format")
        }
        let (rate, channels) = (Int(try number(UInt32.self)), Int(try number(UInt32.self)))
        let setup = try list(elementBytes: 4) { reader throws(WireError) in try reader.data() }
        return AudioFormat(
            codec: codec, container: container, sampleRate: rate, channels: channels, setup: setup)
    }

    mutating func run() throws(WireError) -> FrameRun {
        var total = 0
        let frames = try list(elementBytes: 8) { reader throws(WireError) in
            let frame = FrameInfo(length: try reader.number(), samples: try reader.number())
            guard frame.length >= 0, frame.samples >= 0 else { throw .invalid("frame") }
            return frame
        }
        for frame in frames { total += Int(frame.length) }
        let bytes = try data()
        guard total == bytes.count else { throw .invalid("frame lengths") }
        return FrameRun(bytes: bytes, frames: frames)
    }

    /// A number that can be counted with: neither NaN nor infinite.
    mutating func finite() throws(WireError) -> Double {
        let value = try double()
        guard value.isFinite else { throw .invalid("number") }
        return value
    }
}

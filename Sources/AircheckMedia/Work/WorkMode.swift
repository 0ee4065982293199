internal import CLinux
internal import Glibc
internal import MediaHelper
internal import StreamFormats

/// `aircheck-media work`: one question after another on the socket, answered in order.
enum WorkMode {
    /// Seconds without a question after which it leaves; the next one starts another.
    private static let idleTime = 60
    /// The handed descriptors, as numbered here.
    private static let firstFile = HelperLaunch.socketNumber + 1

    static func run() -> Int32 {
        var patience = timeval(tv_sec: idleTime, tv_usec: 0)
        setsockopt(
            HelperLaunch.socketNumber, SOL_SOCKET, SO_RCVTIMEO, &patience,
            socklen_t(MemoryLayout<timeval>.size))
        HelperSocket.send(.ready(version: WireFormat.version))
        var commands = HelperSocket.Commands()
        while let command = commands.next() {
            guard case .job(let job) = command else { continue }
            guard answer(job, &commands) else { return 1 }
        }
        return 0
    }

    /// False when nobody waits for the answer any more.
    private static func answer(_ job: MediaJob, _ commands: inout HelperSocket.Commands) -> Bool {
        do {
            switch job {
            case .features(let format): try features(format, &commands)
            case .decode(let format): try decode(format, &commands)
            case .analyse(let wants):
                Sandbox.limitFileJob()
                HelperSocket.send(.analysis(try FileAnalyser(wants).analyse(firstFile)))
            case .remux(let chapters, let tags):
                Sandbox.limitFileJob()
                let remuxer = Remuxer(chapters: chapters, tags: tags)
                HelperSocket.send(.remuxed(try remuxer.remux(from: firstFile, to: firstFile + 1)))
            case .transcode(let format, let bitrate): try transcode(format, bitrate, &commands)
            }
            return HelperSocket.send(.done)
        } catch {
            return HelperSocket.send(.failed(id: 0, reason: "\(error)"))
        }
    }

    private static func features(_ format: AudioFormat, _ commands: inout HelperSocket.Commands) throws {
        let sound = try decodeSpan(format, rate: FeatureExtractor.rate, &commands)
        let (energy, novelty) = FeatureExtractor.extract(sound.samples)
        HelperSocket.send(
            .features(
                FrameFeatures(
                    energy: energy, novelty: novelty, decodedSamples: sound.decoded,
                    sampleRate: sound.sourceRate)))
    }

    private static func decode(_ format: AudioFormat, _ commands: inout HelperSocket.Commands) throws {
        let rate = max(format.sampleRate, 1)
        let sound = try decodeSpan(format, rate: rate, &commands)
        // A message holds at most 4 MiB.
        for start in stride(from: 0, to: sound.samples.count, by: 1 << 20) {
            let piece = sound.samples[start..<min(start + 1 << 20, sound.samples.count)]
            let samples = piece.map { Int16(min(max($0 * 32768, -32768), 32767).rounded()) }
            HelperSocket.send(.sound(MonoSound(samples: samples, sampleRate: rate)))
        }
    }

    /// All frames up to `finish`, even after one that cannot be decoded: the next question must find its beginning.
    private static func decodeSpan(
        _ format: AudioFormat, rate: Int, _ commands: inout HelperSocket.Commands
    ) throws -> SpanDecoder.Sound {
        var decoder = Result { try SpanDecoder(format: format, rate: rate) }
        while let command = commands.next() {
            switch command {
            case .frames(_, _, let run):
                decoder = decoder.flatMap { span in
                    Result {
                        try span.add(run); return span
                    }
                }
            case .finish: return try decoder.get().finish()
            default: throw DecodingError(description: "frames were expected")
            }
        }
        throw DecodingError(description: "the frames broke off")
    }

    private static func transcode(
        _ format: AudioFormat, _ bitrate: Int, _ commands: inout HelperSocket.Commands
    ) throws {
        let transcoder = try Transcoder(format: format, bitrate: bitrate) {
            HelperSocket.send(.encoded(position: $0, $1))
        }
        // A live pipe has no end by itself: the wait is for the next frames, not for a question.
        while let command = commands.next() {
            switch command {
            case .stream(_, let format, _, _): try transcoder.change(to: format)
            case .frames(_, let position, let run): try transcoder.add(run, at: position)
            case .finish: return try transcoder.finish()
            default: throw DecodingError(description: "frames were expected")
            }
        }
        throw DecodingError(description: "the frames broke off")
    }
}

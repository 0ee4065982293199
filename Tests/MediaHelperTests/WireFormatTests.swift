import MediaHelper
import StreamFormats
import Testing

/// One of every kind, with every field away from its default.
private let format = AudioFormat(
    codec: .vorbis, container: .ogg, sampleRate: 44_100, channels: 2, setup: [[1, 2, 3], [], [4]])
private let run = FrameRun(
    bytes: [1, 2, 3, 4, 5], frames: [FrameInfo(length: 2, samples: 1152), FrameInfo(length: 3, samples: 0)])

private let commands: [HelperCommand] = [
    .open(PlaySetup(output: .pulse(server: "unix:/s", device: "sink"), sampleRate: 44_100, latency: 60)),
    .open(PlaySetup(output: .pulse(server: nil, device: nil))),
    .open(PlaySetup(output: .wav(descriptor: 1), measuresLoudness: true)),
    .open(PlaySetup(output: .raw(descriptor: 2))), .open(PlaySetup(output: .null)),
    .stream(id: 7, format: format, gain: -3.5), .stream(id: 9, format: format, gain: 1, isStored: true),
    .hold(id: 7, true), .speed(id: 7, 1.25), .frames(id: 7, position: -1 << 40, run: run),
    .select(id: 7, fade: 60), .finish(id: 7), .drop(id: 8, fade: 1), .volume(0.25, ramp: 50), .mute(true),
    .gain(id: 7, decibels: 2), .stop, .job(.features(format)), .job(.decode(format)),
    .job(.analyse([.loudness, .peaks])),
    .job(
        .remux(
            chapters: [MediaChapter(start: 1.5, title: "Ä — 東京")], tags: [MediaTag(name: "title", value: "T")]
        )),
    .job(.transcode(format, bitrate: 128)),
]

private let analysis: AudioAnalysis = {
    var analysis = AudioAnalysis(seconds: 3.25, sampleRate: 48_000, channels: 2)
    analysis.loudness = Loudness(integrated: -16.25, range: nil, truePeak: -1)
    analysis.silences = [SilentSpan(start: 1, end: 2)]
    analysis.waveform = Waveform(peaks: [0, 255, 7])
    return analysis
}()

private let events: [HelperEvent] = [
    .ready(version: 3),
    .progress(
        PlayProgress(
            stream: 7, position: 123_456_789, buffered: 2.5, underruns: 1, deviceUnderruns: 2, drift: -12.5,
            levels: AudioLevels(peak: [0.5, 0.25], rms: [0.125, 0.0625]))),
    .sounding(id: 7), .starved(id: 7), .finished(id: 7), .device(.connecting), .device(.open(name: "sink")),
    .device(.lost(reason: "gone")), .loudness(id: 7, integrated: -16, shortTerm: -12),
    .facts(id: 7, sampleRate: 48_000, channels: 2, decoder: "aac"), .failed(id: 7, reason: "no"),
    .features(
        FrameFeatures(energy: [0.5, 1], novelty: [0, 2], decodedSamples: 1 << 40, sampleRate: 44_100)),
    .sound(MonoSound(samples: [-32768, 0, 32767], sampleRate: 16_000)), .analysis(analysis),
    .analysis(AudioAnalysis(seconds: 1, sampleRate: 8000, channels: 1)),
    .remuxed(RemuxResult(packets: 1 << 33, seconds: 7.5)), .encoded(position: 1 << 40, [9, 8]), .done,
]

@Suite("Wire format")
struct WireFormatTests {
    @Test("every command and event comes out as it went in")
    func roundTrip() throws {
        for command in commands { #expect(try HelperCommand(command.message) == command) }
        for event in events { #expect(try HelperEvent(event.message) == event) }
    }

    @Test(
        "messages come out the same however the socket cuts them", arguments: [1, 2, 3, 5, 64, 1000, 1 << 20])
    func chunking(size: Int) throws {
        let bytes = commands.flatMap(\.message.encoded)
        var reader = MessageReader()
        var found: [HelperCommand] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            Array(bytes[start..<min(start + size, bytes.count)]).withUnsafeBytes { reader.push($0) }
            while let message = try reader.next() { found.append(try HelperCommand(message)) }
        }
        #expect(found == commands)
    }

    @Test("a message that is cut short, or goes on too long, is refused and never trapped on")
    func truncated() {
        for message in commands.map(\.message) + events.map(\.message) {
            for length in 0..<message.body.count {
                let short = WireMessage(kind: message.kind, body: Array(message.body[..<length]))
                #expect((try? HelperCommand(short)) == nil || (try? HelperEvent(short)) == nil)
            }
            let long = WireMessage(kind: message.kind, body: message.body + [0])
            #expect((try? HelperCommand(long)) == nil || (try? HelperEvent(long)) == nil)
        }
    }

    @Test("bytes turned at random are read or refused, never trapped on")
    func noise() {
        var random = SystemRandomNumberGenerator()
        for message in commands.map(\.message) + events.map(\.message) where !message.body.isEmpty {
            for _ in 0..<40 {
                var body = message.body
                body[Int.random(in: body.indices, using: &random)] = .random(in: 0...255, using: &random)
                let kind = UInt8.random(in: 0...30, using: &random)
                _ = try? HelperCommand(WireMessage(kind: kind, body: body))
                _ = try? HelperEvent(WireMessage(kind: kind, body: body))
            }
        }
    }

    @Test(
        "a length beyond the limit is refused before anything is reserved",
        arguments: [
            [0, 0, 0, 0], [255, 255, 255, 255], [1, 0, 64, 0],
        ] as [[UInt8]])
    func length(head: [UInt8]) {
        var reader = MessageReader()
        head.withUnsafeBytes { reader.push($0) }
        #expect(throws: WireError.self) { try reader.next() }
    }

    @Test("frame lengths that do not add up are refused")
    func frameLengths() {
        var wrong = run
        wrong.frames[0].length = 3
        #expect(throws: WireError.self) {
            try HelperCommand(HelperCommand.frames(id: 1, position: 0, run: wrong).message)
        }
    }

    @Test("a run is cut between frames, and nothing is lost", arguments: [1, 2, 5, 100])
    func pieces(limit: Int) {
        let pieces = run.pieces(limit: limit)
        #expect(pieces.flatMap(\.bytes) == run.bytes)
        #expect(pieces.flatMap(\.frames) == run.frames)
        #expect(pieces.allSatisfy { $0.bytes.count <= limit || $0.frames.count == 1 })
    }
}

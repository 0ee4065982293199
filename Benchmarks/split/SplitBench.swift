import Feed
import Foundation
import MediaHelper
import Platform
import Recording
import StreamFormats

enum SplitBench {
    private static let metaint = 16_000
    /// How much faster than on air the programme is played.
    private static let speed = 25.0

    static func main(_ arguments: [String]) {
        do {
            try run(programmes: arguments.first.flatMap { Int($0) } ?? 3)
        } catch {
            print("failed: \(error)")
            exit(1)
        }
    }

    private static func run(programmes: Int) throws {
        let sound = DecodedSound(MediaWorker(binary: try HelperBinary.find()))
        print(
            "error of track starts, seconds; titles at every \(metaint) bytes; \(programmes) programmes of 9 joins"
        )
        print("titles      join      n   median    max    ways")
        var (spent, played) = (CPUTime(own: 0, helper: 0), 0.0)
        var ends = SplitEnds(head: 0, tail: 0)
        for (name, shift) in [("exact", 0.0), ("3 s early", -3.0), ("3 s late", 3.0)] {
            // A station's offset is learned from one programme to the next, as it is on air.
            let offsets = StationOffsets()
            var found: [(join: Join, error: Double, way: String)] = []
            for number in 0..<programmes {
                let programme = KnownProgramme(seed: UInt64(number + 1), joins: joins)
                found += try split(
                    programme, shift: shift, sound: sound, offsets: offsets, spent: &spent, played: &played,
                    ends: &ends)
            }
            for join in Join.allCases { report(name, join, found.filter { $0.join == join }) }
        }
        print(
            "missing before the first track" + text(ends.head) + " s, behind the last" + text(ends.tail)
                + " s")
        let share = 180 / played
        print(
            "CPU for 180 s with splitting on:" + text((spent.own + spent.helper) * share)
                + " s, of which the helper's decoding" + text(spent.helper * share))
    }

    private static let joins: [(Join, Double)] = [
        (.silence, 0.5), (.cut, 0), (.silence, 1), (.fade, 2), (.silence, 1), (.cut, 0), (.fade, 3),
        (.silence, 2), (.cut, 0),
    ]

    private static func report(
        _ name: String, _ join: Join, _ found: [(join: Join, error: Double, way: String)]
    ) {
        let errors = found.map(\.error).sorted()
        guard let worst = errors.last else { return }
        let median = errors[errors.count / 2]
        let ways = Dictionary(grouping: found, by: \.way).map { "\($0.key) \($0.value.count)" }.sorted()
        print(
            [
                name.padded(10), join.rawValue.padded(8), String(errors.count).padded(3), text(median),
                text(worst),
                ways.joined(separator: ", "),
            ].joined(separator: "  "))
    }

    private static func text(_ seconds: Double) -> String { String(format: "%6.2f", seconds) }

    // MARK: One programme

    private static func split(
        _ programme: KnownProgramme, shift: Double, sound: DecodedSound, offsets: StationOffsets,
        spent: inout CPUTime, played: inout Double, ends: inout SplitEnds
    ) throws -> [(join: Join, error: Double, way: String)] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "split-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let feed = Feed(station: Station(id: "bench", name: "Bench", urls: []))
        feed.updateStatus { $0.metaint = metaint }
        let done = Lock<RecordingFacts?>(nil)
        var settings = Recorder.Settings()
        settings.tickSeconds = 0.02
        let recorder = Recorder(settings: settings, sound: sound, offsets: offsets) { event in
            if case .finished(let facts) = event { done.withLock { $0 = facts } }
        }
        let request = RecordingRequest(target: nil, tracks: TrackRequest(folder: folder.path))
        let id = try recorder.start(request, feed: feed)
        let bytes = try encoded(programme, in: folder)
        let before = CPUTime.now
        play(bytes, programme, shift: shift, to: feed)
        try recorder.stopAndWait(id)
        recorder.shutDown()
        spent += CPUTime.now - before
        played += Double(programme.samples.count) / Double(KnownProgramme.rate)
        guard let facts = done.withLock({ $0 }) else { return [] }
        ends.add(try SplitEnds(of: facts, in: folder, sent: Data(bytes)))
        return judged(programme, facts)
    }

    private static func judged(
        _ programme: KnownProgramme, _ facts: RecordingFacts
    ) -> [(join: Join, error: Double, way: String)] {
        programme.boundaries.map { boundary in
            guard let track = facts.tracks.first(where: { $0.text.text == boundary.title }) else {
                return (boundary.join, 99, "missing")
            }
            let error = max(0, boundary.start - track.start, track.start - boundary.end)
            if ProcessInfo.processInfo.environment["SPLIT_VERBOSE"] != nil {
                print(
                    "   ", boundary.title, boundary.join, text(boundary.start), text(boundary.end), "cut",
                    text(track.start),
                    track.cut.map { "\($0.way) \(text($0.confidence))" } ?? "-", text(error))
            }
            return (boundary.join, error, track.cut?.way.rawValue ?? "none")
        }
    }

    private static func encoded(_ programme: KnownProgramme, in folder: URL) throws -> [UInt8] {
        let wave = folder.appendingPathComponent("p.raw")
        let coded = folder.appendingPathComponent("p.mp3")
        try Data(programme.pcm).write(to: wave)
        let encoder = Process()
        encoder.executableURL = URL(fileURLWithPath: "/usr/bin/ffmpeg")
        encoder.arguments = [
            "-v", "error", "-f", "s16le", "-ar", "44100", "-ac", "1", "-i", wave.path, "-ac", "2", "-c:a",
            "libmp3lame",
            "-b:a", "128k", "-write_xing", "0", "-id3v2_version", "0", coded.path,
        ]
        try encoder.run()
        encoder.waitUntilExit()
        defer { for file in [wave, coded] { try? FileManager.default.removeItem(at: file) } }
        return [UInt8](try Data(contentsOf: coded))
    }

    /// Publishes the frames, each title at the first metadata block after its moment.
    private static func play(_ bytes: [UInt8], _ programme: KnownProgramme, shift: Double, to feed: Feed) {
        var reader = ElementaryReader()
        var found: [StreamElement] = []
        let bytesPerSecond = 16_000.0
        var titles = [(byte: 0, text: programme.firstTitle)]
        for boundary in programme.boundaries {
            // "Exact" is the end of a silence or a fade's middle: where a listener would say that the song begins.
            let moment = (boundary.join == .fade ? (boundary.start + boundary.end) / 2 : boundary.end) + shift
            let block = (moment * bytesPerSecond / Double(metaint)).rounded(.up)
            titles.append((Int(block) * metaint, boundary.title))
        }
        let piece = 4000
        for start in stride(from: 0, to: bytes.count, by: piece) {
            while let next = titles.first, next.byte <= start {
                titles.removeFirst()
                reader.push(title: RawTitle(source: .icy, text: Array(next.text.utf8)), into: &found)
            }
            reader.push(bytes[start..<min(start + piece, bytes.count)].span, into: &found)
            for element in found { publish(element, to: feed) }
            found = []
            usleep(UInt32(Double(piece) / bytesPerSecond / speed * 1e6))
        }
    }

    private static func publish(_ element: StreamElement, to feed: Feed) {
        switch element {
        case .format(let format): feed.publish(format: format)
        case .frames(let run): feed.publish(frames: run)
        case .title(let raw):
            let text = String(decoding: raw.text, as: UTF8.self)
            feed.publish(title: raw, reading: TitleText(text: text, title: text, kind: .track))
        case .junk: break
        }
    }
}

extension String {
    fileprivate func padded(_ width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}

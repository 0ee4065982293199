import CLinux
import Feed
import Glibc
import Ingest
import Platform
import Recording
import StreamFormats
import Transfers

/// Our contender: N stations pulled into their feeds, and each of them recorded as one file where that is asked for.
///
///     IngestBenchReceiver feed|record URL COUNT WARM-UP SECONDS FOLDER
///
/// Prints the same row as the contenders in C.
enum Receiver {
    static func run(_ arguments: [String]) {
        guard arguments.count == 6, let count = Int(arguments[2]), let warm = Double(arguments[3]),
            let seconds = Double(arguments[4])
        else {
            print("usage: IngestBenchReceiver feed|record URL COUNT WARM-UP SECONDS FOLDER")
            exit(64)
        }
        let base = anonymousKiB()
        let engine = TransferEngine()
        let hub = IngestHub(engine: engine)
        let recorder = Recorder()
        let feeds = (0..<count).map { hub.feed(for: station($0, arguments[1])) }
        var drains: [Drain] = []
        for (number, feed) in feeds.enumerated() {
            if arguments[0] == "record" {
                record(feed, to: "\(arguments[5])/\(number).mp3", with: recorder)
            } else {
                drains.append(Drain(feed))
            }
        }
        pause(warm)
        let time = SystemTime()
        let (start, used) = (time.now, aircheck_process_cpu_nanoseconds())
        let before = feeds.map(\.position.bytes).reduce(0, +)
        pause(seconds)
        let wall = time.now.seconds(since: start)
        let cpu = Double(aircheck_process_cpu_nanoseconds() - used) / 1e3
        let bytes = feeds.map(\.position.bytes).reduce(0, +) - before
        let window = feeds.map(\.heldBytes).reduce(0, +)
        let perStream = cpu / Double(count) / wall
        let kbps = Double(bytes) * 8 / 1000 / wall / Double(count)
        let lost = feeds.flatMap(\.gaps).count
        print(
            "{\"us_per_stream_second\": \(perStream), \"kbps_per_stream\": \(kbps), \"anon_kib\": \(anonymousKiB()), "
                + "\"base_kib\": \(base), \"window_kib\": \(window / 1024), \"breaks\": \(lost)}")
        pauseForLook()
        exit(0)
    }

    private static func station(_ number: Int, _ url: String) -> Station {
        var station = Station(id: "s\(number)", name: "Station \(number)", urls: [url])
        station.isLocal = true
        return station
    }

    private static func record(_ feed: Feed, to path: String, with recorder: Recorder) {
        do {
            var request = RecordingRequest(target: .whole(path: path))
            request.overwrite = true
            _ = try recorder.start(request, feed: feed)
        } catch {
            print("cannot record: \(error)")
            exit(73)
        }
    }

    /// With AIRCHECK_BENCH_HOLD=SECONDS it stays for somebody who wants to look into its memory.
    private static func pauseForLook() {
        guard let text = getenv("AIRCHECK_BENCH_HOLD"), let seconds = Double(String(cString: text)) else {
            return
        }
        fflush(nil)
        pause(seconds)
    }

    private static func pause(_ seconds: Double) { usleep(UInt32(seconds * 1e6)) }

    private static func anonymousKiB() -> Int {
        guard let file = fopen("/proc/self/status", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, 256, file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard text.hasPrefix("RssAnon:") else { continue }
            return Int(text.filter(\.isNumber)) ?? 0
        }
        return 0
    }
}

/// A reader that takes everything and keeps nothing.
private final class Drain: Sendable {
    private let reader = Lock<FeedReader?>(nil)

    init(_ feed: Feed) {
        let opened = feed.open(name: "drain") { [weak self] in self?.take() }
        reader.withLock { $0 = opened }
        take()
    }

    private func take() {
        guard let reader = reader.withLock({ $0 }) else { return }
        while !reader.read().events.isEmpty {}
    }
}

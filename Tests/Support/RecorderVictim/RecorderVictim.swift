import CLinux
import Feed
import Glibc
import Platform
import Recording
import StreamFormats
import TestStations

enum RecorderVictim {
    static func main(_ arguments: [String]) {
        guard arguments.count == 3, let count = Int(arguments[1]), let seconds = Double(arguments[2]) else {
            say("usage: RecorderVictim FOLDER COUNT SECONDS")
            exit(64)
        }
        do {
            try run(folder: arguments[0], count: count, seconds: seconds)
        } catch {
            say("failed: \(error)")
            exit(74)
        }
    }

    private static func run(folder: String, count: Int, seconds: Double) throws {
        let source = NumberedFrames(.mp3)
        let feed = Feed(station: Station(id: "demo", name: "Demo FM", urls: []))
        let recorder = Recorder()
        for _ in 0..<count {
            let request = RecordingRequest(
                target: .library(folder: folder, template: try NameTemplate("{id} {n}")))
            _ = try recorder.start(request, feed: feed)
        }
        feed.publish(format: AudioFormat(codec: .mp3, sampleRate: source.sampleRate, channels: 2))
        let start = SystemTime().now
        var sent = 0
        while SystemTime().now.seconds(since: start) < seconds {
            let due = Int(SystemTime().now.seconds(since: start) / source.secondsPerUnit)
            if due > sent { feed.publish(frames: frames(sent..<due, source)) }
            if sent == 0, due > 0 { say("started") }
            sent = max(sent, due)
            // What has been published by now must be in the file half a second later, whatever happens.
            say("sent \(sent) at \(SystemTime().now.nanoseconds)")
            usleep(100_000)
        }
        let before = Double(aircheck_process_cpu_nanoseconds()) / 1e9
        recorder.shutDown()
        let after = Double(aircheck_process_cpu_nanoseconds()) / 1e9
        say("cpu \(before) finishing \(after - before)")
    }

    private static func frames(_ numbers: Range<Int>, _ source: NumberedFrames) -> FrameRun {
        let info = FrameInfo(length: Int32(source.frameLength), samples: Int32(source.samplesPerFrame))
        return FrameRun(bytes: source.units(numbers), frames: numbers.map { _ in info })
    }

    /// Not through stdio: who is killed leaves nothing in a buffer.
    private static func say(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = write(1, bytes, bytes.count)
    }
}

import Feed
import Foundation
import Platform
import StreamFormats
import TestPrograms
import TestStations
import Testing

@testable import Relay

@Suite("HLS pieces")
struct HLSPieceTests {
    private static let frames = NumberedFrames()

    /// Segments cut from frames that are published in chunks of so many, with what else happens before each chunk.
    private func segments(
        of frames: NumberedFrames = frames, count: Int, chunk: Int, target: Double = 4,
        events: [Int: (Feed) -> Void] = [:]
    ) -> [HLSSegment] {
        let feed = Feed(
            station: RelayBench.demo, limits: .init(seconds: 600, bytes: 64 << 20), time: ManualTime())
        let reader = feed.open(name: "test")
        feed.publish(format: frames.format)
        for start in stride(from: 0, to: count, by: chunk) {
            events[start]?(feed)
            let numbers = start..<min(start + chunk, count)
            let info = FrameInfo(length: Int32(frames.frameLength), samples: Int32(frames.samplesPerFrame))
            feed.publish(frames: FrameRun(bytes: frames.units(numbers), frames: numbers.map { _ in info }))
        }
        var segmenter = HLSSegmenter(target: target, firstSequence: 100)
        var done: [HLSSegment] = []
        for event in reader.read(limit: .max).events { segmenter.take(event, into: &done) }
        return done
    }

    private static func title(_ text: String) -> (Feed) -> Void {
        { $0.publish(title: RawTitle(source: .icy, text: []), reading: TitleText(text: text, kind: .track)) }
    }

    @Test("segments hold every frame once, in order, whatever the chunks were", arguments: [1, 7, 200, 1000])
    func continuity(chunk: Int) {
        let done = segments(count: 1000, chunk: chunk)
        #expect(done.map(\.sequence) == Array(100..<106))
        #expect(done.allSatisfy { (4.0...4.03).contains($0.seconds) && !$0.isDiscontinuity })
        let verdict = Judge.verdict(on: done.flatMap(\.frames.bytes), of: Self.frames)
        #expect(verdict.isPerfect && verdict.first == 0)
        let walls = done.map(\.wall.secondsSince1970)
        #expect(zip(walls, walls.dropFirst()).allSatisfy { abs($1 - $0 - done[0].seconds) < 0.001 })
    }

    @Test("a title cuts a segment that is long enough, and is told with the one it begins")
    func titles() {
        let done = segments(
            count: 1000, chunk: 10, events: [0: Self.title("A"), 230: Self.title("B"), 250: Self.title("C")])
        #expect(done.map { $0.title?.text } == ["A", "A", "B", "C", "C", "C", "C"])
        let second = done[1]
        #expect(second.title?.text == "A" && second.frames.frames.count == 230 - done[0].frames.frames.count)
        #expect(done[2].title?.text == "B")
    }

    @Test("a gap and another format are discontinuities; a healed break is none")
    func breaks() {
        let wall = WallTime(secondsSince1970: 0)
        let healed: (Feed) -> Void = { $0.publish(gap: .closed, from: wall, to: wall, lostSeconds: 0) }
        let lost: (Feed) -> Void = { $0.publish(gap: .closed, from: wall, to: wall, lostSeconds: 3) }
        let done = segments(count: 1000, chunk: 10, events: [100: healed, 200: lost])
        #expect(done.map(\.isDiscontinuity) == [false, false, true, false, false, false, false])
        #expect(done[1].frames.frames.count == 200 - done[0].frames.frames.count)
    }

    @Test("the playlist names the newest six, and counts the discontinuities that have left it")
    func playlist() {
        let lost: (Feed) -> Void = {
            let wall = WallTime(secondsSince1970: 0)
            $0.publish(gap: .closed, from: wall, to: wall, lostSeconds: 3)
        }
        let done = segments(count: 2000, chunk: 10, events: [0: Self.title("A, \"B\"\n#EXT"), 300: lost])
        var window = HLSWindow(target: 4)
        for segment in done.prefix(3) { window.append(segment) }
        let text = window.playlist(.packed)
        #expect(
            text.hasPrefix("#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:100\n"))
        #expect(text.contains("#EXT-X-DISCONTINUITY\n#EXT-X-PROGRAM-DATE-TIME:2023-11-14T"))
        #expect(
            text.contains("100.mp3\n") && text.contains("#EXTINF:4.023,A, \"B\"")
                && !text.contains("\n#EXT\n"))
        for segment in done.dropFirst(3) { window.append(segment) }
        let later = window.playlist(.packed)
        #expect(
            later.contains("#EXT-X-DISCONTINUITY-SEQUENCE:1\n") && !later.contains("#EXT-X-DISCONTINUITY\n"))
        #expect(later.split(separator: "\n").filter { $0.hasSuffix(".mp3") }.count == 6)
        #expect(window[100] == nil && window[done[done.count - 1].sequence - 9] != nil)
    }

    @Test("names that are no file of ours are not taken")
    func names() {
        #expect(HLSFile("live.m3u8") == .live && HLSFile("packed.m3u8") == .packed)
        #expect(HLSFile("12.m4s") == .segment(sequence: 12, .fragments))
        #expect(HLSFile("12.mp3") == .segment(sequence: 12, .packed))
        #expect(HLSFile("init-7.mp4") == .initialisation(generation: 7))
        for name in [
            "", ".", "x.mp3", "-1.mp3", "+1.mp3", "1.exe", "init-.mp4", "12", "99999999999999999999.mp3",
        ] {
            #expect(HLSFile(name) == nil)
        }
    }
}

@Suite("HLS", .serialized)
struct HLSTests {
    private func playout(_ bench: RelayBench, _ folder: TemporaryFolder, aac: Bool) throws -> Playout {
        let file = folder.path(aac ? "tone.aac" : "tone.mp3")
        let coding = aac ? ["-c:a", "aac", "-b:a", "96k"] : ["-c:a", "libmp3lame", "-b:a", "128k"]
        let made = try RunningProgram.run(
            "ffmpeg",
            [
                "-loglevel", "error", "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=44100:duration=30",
                "-ac", "2",
            ]
                + coding + [file], in: folder)
        guard made.exitCode == 0 else { throw StartFailure("ffmpeg: \(made.errors)") }
        let playout = try Playout(file: file, into: bench.source.feed("demo"))
        bench.title("Artist - Song")
        playout.start()
        return playout
    }

    @Test(
        "ffmpeg reads the live window as it is, bit for bit, packed and in fragments",
        arguments: [true, false], ["live", "packed"])
    func ffmpeg(aac: Bool, list: String) throws {
        let bench = try RelayBench()
        let folder = try TemporaryFolder()
        let playout = try playout(bench, folder, aac: aac)
        defer { playout.stop() }
        let output = folder.path(aac ? "heard.aac" : "heard.mp3")
        let ffmpeg = try RunningProgram.run(
            "ffmpeg",
            [
                "-loglevel", "warning", "-y", "-live_start_index", "0", "-i",
                bench.url("hls/demo/\(list).m3u8"), "-t", "10",
                "-c", "copy", "-id3v2_version", "0", "-write_xing", "0", "-f", aac ? "adts" : "mp3", output,
            ], in: folder, within: 40)
        #expect(ffmpeg.exitCode == 0, "\(ffmpeg.errors)")
        var heard = [UInt8](try Data(contentsOf: URL(fileURLWithPath: output)))
        #expect(heard.count > 60_000)
        // ffmpeg writes ADTS heads anew; MPEG-4 AAC with one block comes out as it was.
        if heard.count > 3, heard.starts(with: Array("ID3".utf8)) { heard.removeFirst(10) }
        #expect(playout.contains(heard))
    }

    @Test("a list that is asked for while its station waits has the station tried at once")
    func hurries() throws {
        let bench = try RelayBench(settings: RelaySettings(batch: 0.05, patience: 1))
        bench.source.feed("demo").updateStatus { $0.state = .waiting }
        let asks = RawListener(
            port: bench.port, get: "hls/demo/live.m3u8", headers: ["Connection: close"])
        asks.readAll()
        #expect(asks.head().contains(" 503 "))
        #expect(bench.source.hurried.withLock { $0 } == ["demo"])
    }

    @Test("the window has dates, titles and the right types, and segments may be kept for ever")
    func heads() throws {
        let bench = try RelayBench()
        let folder = try TemporaryFolder()
        let playout = try playout(bench, folder, aac: true)
        defer { playout.stop() }
        let redirect = RawListener(port: bench.port, get: "demo.m3u8")
        #expect(
            redirect.head().contains("302 ") && redirect.head().contains("Location: /hls/demo/live.m3u8\r\n"))
        func get(_ path: String) -> RawListener {
            let client = RawListener(port: bench.port, get: path, headers: ["Connection: close"])
            client.readAll()
            return client
        }
        let list = get("hls/demo/live.m3u8")
        #expect(list.head().contains("Content-Type: application/vnd.apple.mpegurl\r\n"))
        #expect(list.head().contains("Cache-Control: public, max-age=1\r\n"))
        let text = String(decoding: list.body, as: UTF8.self)
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.filter { $0.hasPrefix("#EXT-X-PROGRAM-DATE-TIME:") }.count >= 4)
        #expect(lines.contains { $0.hasPrefix("#EXTINF:4.0") && $0.hasSuffix(",Artist - Song") })
        let map = try #require(lines.first { $0.hasPrefix("#EXT-X-MAP:URI=\"") }?.split(separator: "\"")[1])
        #expect(get("hls/demo/\(map)").head().contains("Content-Type: audio/mp4\r\n"))
        let name = try #require(lines.last)
        let segment = get("hls/demo/\(name)")
        #expect(segment.head().contains("Cache-Control: public, max-age=86400, immutable\r\n"))
        #expect(segment.head().contains("Access-Control-Allow-Origin: *\r\n"))
        #expect(segment.head().contains("Cross-Origin-Resource-Policy: cross-origin\r\n"))
        #expect(String(decoding: segment.body, as: UTF8.self).contains("Artist"))
        #expect(get("hls/demo/1.m4s").head().hasPrefix("HTTP/1.1 404 "))
        #expect(get("hls/nobody/live.m3u8").head().hasPrefix("HTTP/1.1 404 "))
    }

    @Test(
        "nginx in front, set up as shipped, carries a crowd: each segment is fetched from us once",
        .enabled(if: RunningProgram.isInstalled("nginx"), "nginx is not installed"))
    func nginx() throws {
        let bench = try RelayBench()
        let folder = try TemporaryFolder()
        let playout = try playout(bench, folder, aac: false)
        defer { playout.stop() }
        let nginx = try Nginx(before: bench, in: folder)
        let list = nginx.get("hls/demo/packed.m3u8")
        let window = HLSReader(list.body)
        #expect(window.segments.count >= 4)
        let before = bench.server.counts.requests
        var statuses: [String: Int] = [:]
        for _ in 0..<20 {
            for segment in window.segments.suffix(3) {
                let client = nginx.get("hls/demo/\(segment.name)")
                #expect(client.body.count > 60_000)
                statuses[client.header("X-Cache-Status"), default: 0] += 1
            }
        }
        #expect(statuses == ["MISS": 3, "HIT": 57])
        #expect(bench.server.counts.requests - before == 3)
        // Playlists live a second: a crowd's hundred requests cost us a few.
        let lists = bench.server.counts.requests
        for _ in 0..<100 { _ = nginx.get("hls/demo/packed.m3u8?player=\(Int.random(in: 0..<9))") }
        #expect(bench.server.counts.requests - lists <= 20)
    }

    @Test(
        "through nginx, dates, lengths and the decoder's clock agree from one segment to the next, and each has its title",
        .enabled(if: RunningProgram.isInstalled("nginx"), "nginx is not installed"))
    func clocks() throws {
        let bench = try RelayBench()
        let folder = try TemporaryFolder()
        let playout = try playout(bench, folder, aac: false)
        defer { playout.stop() }
        let nginx = try Nginx(before: bench, in: folder)
        let window = HLSReader(nginx.get("hls/demo/packed.m3u8").body)
        #expect(window.segments.count >= 4)
        var ends: (date: Double, clock: Double)?
        for segment in window.segments {
            let tag = try #require(ID3Reader(nginx.get("hls/demo/\(segment.name)").body))
            let clock = Double(try #require(tag.timestamp)) / 90_000
            let date = try #require(segment.date)
            if let ends {
                #expect(abs(date - ends.date) < 0.003 && abs(clock - ends.clock) < 0.003, "\(segment)")
            }
            ends = (date + segment.seconds, clock + segment.seconds)
            #expect(
                tag.texts["TIT2"] == "Artist - Song" && segment.title == "Artist - Song")
        }
        // The dates are of this moment: when the last frame is heard, at most the window's length ago.
        #expect(abs((ends?.date ?? 0) - Date().timeIntervalSince1970) < 30)
    }
}

/// nginx with the configuration that is shipped, its paths and ports changed for a test.
private final class Nginx {
    private let program: RunningProgram
    private let port: Int

    init(before bench: RelayBench, in folder: TemporaryFolder) throws {
        port = FreePort.next()
        let shipped = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../config/nginx-hls.conf")
        let site = try String(contentsOf: shipped, encoding: .utf8)
            .replacing("/var/cache/nginx", with: folder.path("cache"))
            .replacing("127.0.0.1:2472", with: "127.0.0.1:\(bench.port)")
            .replacing("listen 8080;", with: "listen 127.0.0.1:\(port);")
            .replacing("    listen [::]:8080;\n", with: "")
        _ = try folder.folder("cache")
        _ = try folder.write("aircheck-hls.conf", site)
        let path = folder.path
        let file = try folder.write(
            "nginx.conf",
            """
            daemon off; pid \(path)/nginx.pid; error_log stderr; worker_processes 1;
            events { worker_connections 128; }
            http {
              access_log off; client_body_temp_path \(path)/b; proxy_temp_path \(path)/p; fastcgi_temp_path \(path)/f;
              uwsgi_temp_path \(path)/u; scgi_temp_path \(path)/s;
              include \(path)/aircheck-hls.conf;
            }
            """)
        program = try RunningProgram("nginx", ["-c", file, "-p", path], in: folder)
        let (program, port) = (program, port)
        guard eventually(within: 10, { FreePort.isOpen(port) }) else {
            throw StartFailure("nginx did not start: \(program.errors)")
        }
    }

    func get(_ path: String) -> RawListener {
        let client = RawListener(port: UInt16(port), get: path, headers: ["Connection: close"])
        client.readAll()
        return client
    }
}

extension RawListener {
    /// A header of the answer, or nothing.
    func header(_ name: String) -> String {
        let line = head().split(whereSeparator: \.isNewline).first {
            $0.lowercased().hasPrefix(name.lowercased() + ":")
        }
        return line.map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) } ?? ""
    }
}

/// A media playlist as a player reads it.
private struct HLSReader {
    struct Segment {
        var name = ""
        var seconds = 0.0
        var title = ""
        /// Of its first frame, seconds since 1970.
        var date: Double?
    }

    var segments: [Segment] = []

    init(_ bytes: [UInt8]) {
        let dates = ISO8601DateFormatter()
        dates.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        var next = Segment()
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init) {
            if let value = line.value(of: "#EXTINF:") {
                let sides = value.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
                next.seconds = Double(sides[0]) ?? 0
                next.title = sides.count > 1 ? String(sides[1]) : ""
            } else if let value = line.value(of: "#EXT-X-PROGRAM-DATE-TIME:") {
                next.date = dates.date(from: value)?.timeIntervalSince1970
            } else if !line.hasPrefix("#") {
                next.name = line
                segments.append(next)
                next = Segment()
            }
        }
    }
}

extension String {
    fileprivate func value(of tag: String) -> String? { hasPrefix(tag) ? String(dropFirst(tag.count)) : nil }
}

/// The tag at the front of a packed segment, as players take it apart.
private struct ID3Reader {
    var texts: [String: String] = [:]
    /// 90 kHz, of the first frame.
    var timestamp: UInt64?

    private static func syncSafe(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    }

    init?(_ bytes: [UInt8]) {
        guard bytes.count > 10, bytes.starts(with: Array("ID3".utf8)) else { return nil }
        let end = min(bytes.count, 10 + Self.syncSafe(bytes[6..<10]))
        var offset = 10
        while offset + 10 <= end {
            let name = String(decoding: bytes[offset..<(offset + 4)], as: UTF8.self)
            let length = Self.syncSafe(bytes[(offset + 4)..<(offset + 8)])
            let content = bytes[(offset + 10)..<min(end, offset + 10 + length)]
            if name == "PRIV" {
                timestamp = content.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
            } else {
                texts[name] = String(decoding: content.dropFirst(), as: UTF8.self)
            }
            offset += 10 + length
        }
    }
}

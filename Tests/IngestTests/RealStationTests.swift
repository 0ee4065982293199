import Feed
import Foundation
import Ingest
import Platform
import StreamFormats
import TestPrograms
import TestStations
import Testing

private let hasIcecast = RunningProgram.isInstalled("icecast2") && RunningProgram.isInstalled("ffmpeg")
private let hasFFmpeg = RunningProgram.isInstalled("ffmpeg")

/// Where `part` begins in `whole`; nil when it is not in there.
private func offset(of part: some Collection<UInt8>, in whole: [UInt8]) -> Int? {
    Data(whole).range(of: Data(part))?.lowerBound
}

@Suite("Real stations", .serialized)
struct RealStationTests {
    @Test(
        "what Icecast sends is what the feed holds, byte for byte",
        .enabled(if: hasIcecast, "icecast2 or ffmpeg is not installed"),
        arguments: [FFmpegSource.Coding.mp3, .aac])
    func icecast(coding: FFmpegSource.Coding) async throws {
        let folder = try TemporaryFolder("ingest")
        let icecast = try Icecast(in: folder)
        defer { icecast.stop() }
        let source = try FFmpegSource.tone(440, as: coding, to: icecast, mount: "live", in: folder)
        defer { source.stop() }
        let isOnAir = eventually(within: 20) {
            let head = try? RunningProgram.run(
                "curl",
                ["-s", "-f", "-m", "1", "-o", "/dev/null", "-w", "%{http_code}", icecast.url("live")],
                in: folder,
                within: 5)
            return head?.output == "200"
        }
        #expect(isOnAir)
        let curl = try RunningProgram(
            "curl", ["-s", "-N", "-o", folder.path("truth"), icecast.url("live")], in: folder)
        defer { curl.stop() }
        let test = TestHub()
        let collector = FeedCollector(test.feed(icecast.url("live")))
        _ = try await collector.wait { kept, _ in kept.bytes.count > 130_000 }
        try await Task.sleep(for: .seconds(1))
        curl.stop()
        test.hub.stop()
        let kept = collector.kept.withLock { $0 }
        let truth = Array(try Data(contentsOf: URL(fileURLWithPath: folder.path("truth"))))
        #expect(kept.gaps.isEmpty)
        #expect(kept.formats.map(\.codec) == [coding == .mp3 ? .mp3 : .aac])
        let isInside = offset(of: kept.bytes, in: truth) != nil
        #expect(isInside)
        #expect(kept.bytes.count > 130_000)
    }

    @Test(
        "Ogg stations are read by the packet, and their audio time is the clock's",
        .enabled(if: hasIcecast, "icecast2 or ffmpeg is not installed"),
        arguments: [(FFmpegSource.Coding.vorbis, Codec.vorbis), (.opus, .opus), (.flac, .flac)])
    func ogg(coding: FFmpegSource.Coding, codec: Codec) async throws {
        let folder = try TemporaryFolder("ingest")
        let icecast = try Icecast(in: folder, burst: 4096)
        defer { icecast.stop() }
        let source = try FFmpegSource.tone(440, as: coding, to: icecast, mount: "live", in: folder)
        defer { source.stop() }
        let test = TestHub()
        let collector = FeedCollector(test.feed(icecast.url("live")))
        let came = try await collector.wait { kept, _ in kept.chunks > 0 }
        #expect(came)
        // From page to page: they are long where there is little in them.
        let (start, before) = try await nextPage(collector)
        try await Task.sleep(for: .seconds(4))
        let (end, after) = try await nextPage(collector)
        let (heard, elapsed) = (after - before, end.timeIntervalSince(start))
        collector.collect()
        test.hub.stop()
        let kept = collector.kept.withLock { $0 }
        #expect(kept.formats.map(\.codec) == [codec])
        #expect(kept.formats.first?.setup.isEmpty == false)
        #expect(abs(heard - elapsed) < 1.5, "heard \(heard) s in \(elapsed) s")
        #expect(kept.gaps.isEmpty)
    }

    /// Waits for more audio: when it came, and the place then.
    private func nextPage(_ collector: FeedCollector) async throws -> (Date, Double) {
        let before = collector.feed.position.seconds
        for _ in 0..<10_000 where collector.feed.position.seconds == before {
            try await Task.sleep(for: .milliseconds(1))
        }
        return (Date(), collector.feed.position.seconds)
    }

    @Test(
        "a server that freezes and one that is restarted are survived",
        .enabled(if: hasIcecast, "icecast2 or ffmpeg is not installed"))
    func restartedSource() async throws {
        let folder = try TemporaryFolder("ingest")
        let icecast = try Icecast(in: folder)
        defer { icecast.stop() }
        var source = try FFmpegSource.tone(440, to: icecast, mount: "live", in: folder)
        let test = TestHub()
        let collector = FeedCollector(test.feed(icecast.url("live")))
        let came = try await collector.wait { kept, status in kept.chunks > 0 && status.state == .live }
        #expect(came)
        source.stop()
        let waits = try await collector.wait { _, status in status.state == .waiting }
        #expect(waits)
        source = try FFmpegSource.tone(440, to: icecast, mount: "live", in: folder)
        let back = try await collector.wait { kept, status in kept.gaps.count == 1 && status.state == .live }
        #expect(back)
        #expect(collector.feed.status.reconnects == 1)
        source.stop()
        test.hub.stop()
    }

    @Test(
        "what ffmpeg packs into HLS comes out as it went in",
        .enabled(if: hasFFmpeg, "ffmpeg is not installed"), arguments: ["mpegts", "fmp4"])
    func ffmpegHLS(kind: String) async throws {
        let folder = try TemporaryFolder("hls")
        let input = folder.path("input.aac")
        _ = try RunningProgram.run(
            "ffmpeg",
            [
                "-loglevel", "error", "-f", "lavfi", "-i", "anoisesrc=d=40:seed=7:a=0.1", "-c:a", "aac",
                "-b:a", "64k",
                input,
            ], in: folder, within: 60)
        let packer = try RunningProgram(
            "ffmpeg",
            [
                "-loglevel", "error", "-re", "-i", input, "-c", "copy",
            ]
                + (kind == "fmp4" ? ["-bsf:a", "aac_adtstoasc"] : [])
                + [
                    "-f", "hls", "-hls_time", "1",
                    "-hls_list_size",
                    "6", "-hls_segment_type", kind, folder.path("live.m3u8"),
                ], in: folder)
        defer { packer.stop() }
        let path = folder.path
        let server = try ScriptedStation(Programme(NumberedFrames())) { request in
            let name = request.target.split(separator: "/").last.map(String.init) ?? ""
            guard let body = FileManager.default.contents(atPath: "\(path)/\(name)") else {
                return Step.answer("404 Not Found", type: "text/plain", body: [])
            }
            return Step.answer(type: "application/octet-stream", body: Array(body))
        }
        defer { server.stop() }
        #expect(eventually(within: 20) { FileManager.default.fileExists(atPath: folder.path("live.m3u8")) })
        let test = TestHub()
        let collector = FeedCollector(test.feed(server.url("/live.m3u8")))
        let came = try await collector.wait(seconds: 30) { kept, _ in kept.bytes.count > 60_000 }
        #expect(came, "\(collector.feed.status)")
        test.hub.stop()
        let kept = collector.kept.withLock { $0 }
        #expect(kept.formats.map(\.codec) == [.aac])
        let truth = payloads(Array(try Data(contentsOf: URL(fileURLWithPath: input))))
        let found = payloads(kept.bytes)
        let start = truth.firstIndex(of: found.first ?? [])
        let first = try #require(start)
        let isSame = Array(truth[first...].prefix(found.count)) == found
        #expect(isSame)
    }

    /// What is inside the ADTS frames of a stream.
    private func payloads(_ bytes: [UInt8]) -> [[UInt8]] {
        var found: [[UInt8]] = []
        var place = 0
        while place + 7 <= bytes.count, bytes[place] == 0xFF {
            let length =
                Int(bytes[place + 3] & 3) << 11 | Int(bytes[place + 4]) << 3 | Int(bytes[place + 5]) >> 5
            guard length > 7, place + length <= bytes.count else { break }
            found.append(Array(bytes[(place + 7)..<(place + length)]))
            place += length
        }
        return found
    }
}

import CCrypto
import Feed
import Ingest
import Platform
import StreamFormats
import TestStations
import Testing

/// AES-128-CBC with PKCS #7, as a packager does it.
private func encrypted(_ clear: [UInt8], key: [UInt8], iv: [UInt8]) -> [UInt8] {
    let context = EVP_CIPHER_CTX_new()
    defer { EVP_CIPHER_CTX_free(context) }
    var sealed = [UInt8](repeating: 0, count: clear.count + 16)
    var (first, last) = (Int32(0), Int32(0))
    EVP_EncryptInit_ex(context, EVP_aes_128_cbc(), nil, key, iv)
    EVP_EncryptUpdate(context, &sealed, &first, clear, Int32(clear.count))
    sealed.withUnsafeMutableBufferPointer { buffer in
        _ = EVP_EncryptFinal_ex(context, buffer.baseAddress.map { $0 + Int(first) }, &last)
    }
    return Array(sealed.prefix(Int(first + last)))
}

private func iv(_ sequence: Int) -> [UInt8] { [UInt8](repeating: 0, count: 15) + [UInt8(sequence)] }

private let notFound = Step.answer("404 Not Found", type: "text/plain", body: [])
private let playlistType = "application/vnd.apple.mpegurl"

/// Master, media and segments of a broadcast, as a plain packager serves them.
private func plain(_ broadcast: HLSBroadcast, _ request: ScriptedStation.Request) -> [Step] {
    if request.target.hasPrefix("/live.m3u8") {
        let master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=128000,CODECS=\"mp4a.40.2\"\nmedia.m3u8\n"
        return Step.answer(type: playlistType, body: Array(master.utf8))
    }
    if request.target.hasPrefix("/media.m3u8") {
        return Step.answer(type: playlistType, body: broadcast.playlist())
    }
    guard let sequence = HLSBroadcast.sequence(in: request.target), sequence <= broadcast.lastSequence else {
        return notFound
    }
    return Step.answer(type: "audio/aac", body: broadcast.segment(sequence))
}

@Suite("HLS")
struct HLSTests {
    private let frames = NumberedFrames(.adts)

    /// Follows the station until its feed holds so many frames, and judges them.
    private func follow(
        _ broadcast: HLSBroadcast, path: String = "/live.m3u8", frames count: Int = 300,
        script: @escaping @Sendable (HLSBroadcast, ScriptedStation.Request) -> [Step] = plain
    ) async throws -> (
        verdict: Judge.Verdict, kept: FeedCollector.Kept, status: FeedStatus, station: ScriptedStation
    ) {
        let station = try ScriptedStation(Programme(frames)) { script(broadcast, $0) }
        let test = TestHub()
        let collector = FeedCollector(test.feed(station.url(path)))
        let length = frames.frameLength
        _ = try await collector.wait { kept, status in
            kept.bytes.count >= count * length || status.state == .failed
        }
        let status = collector.feed.status
        test.hub.stop()
        station.stop()
        return (collector.verdict(of: frames), collector.kept.withLock { $0 }, status, station)
    }

    @Test("a live playlist becomes one seamless stream, and its ID3 titles are told where they belong")
    func plainLive() async throws {
        var broadcast = HLSBroadcast()
        broadcast.titles = (0..<20).map { ($0 * 2 * broadcast.unitsPerSegment, "Band", "Song \($0)") }
        let (verdict, kept, status, station) = try await follow(broadcast)
        #expect(verdict.isPerfect, "\(verdict)")
        // Which one that is depends on when the playlist was fetched: four of six seconds were left on it at first.
        let first = try #require(
            station.requests.lazy.compactMap { HLSBroadcast.sequence(in: $0.target) }.first)
        #expect(first >= broadcast.firstSequence + 2)
        #expect(verdict.first == broadcast.firstUnit(of: first))
        #expect(status.protocolName == "hls")
        #expect(kept.gaps.isEmpty)
        #expect(kept.titles.count >= 3)
        for (text, position) in kept.titles.dropFirst() {
            #expect(text.artist == "Band")
            let number = try #require(Int((text.title ?? "").dropFirst(5)))
            let unit = (verdict.first ?? 0) + Int(position.bytes) / frames.frameLength
            #expect(unit == number * 2 * broadcast.unitsPerSegment)
        }
    }

    @Test("titles of the playlist are told where the segments have none")
    func extinfTitles() async throws {
        let broadcast = HLSBroadcast()
        let (verdict, kept, _, _) = try await follow(broadcast, path: "/media.m3u8") { broadcast, request in
            guard request.target == "/media.m3u8" else { return plain(broadcast, request) }
            let text = String(decoding: broadcast.playlist(), as: UTF8.self)
                .split(separator: "\n").map { $0.hasPrefix("#EXTINF") ? $0 + "Band R - Song S" : $0 }
                .joined(separator: "\n")
            return Step.answer(type: "text/plain", body: [0xEF, 0xBB, 0xBF] + Array((text + "\n").utf8))
        }
        #expect(verdict.isPerfect, "\(verdict)")
        #expect(kept.titles.map(\.text.text) == ["Band R - Song S"])
    }

    @Test("addresses in a list are relative to where the list was found in the end")
    func redirectedList() async throws {
        let (verdict, _, status, station) = try await follow(HLSBroadcast(), path: "/start") {
            broadcast, request in
            if request.target == "/start" { return Step.redirect(to: "/x/y/media.m3u8?t=1") }
            guard request.target.hasPrefix("/x/y/") else { return notFound }
            var inner = request
            inner.target = String(request.target.dropFirst(4))
            return plain(broadcast, inner)
        }
        #expect(verdict.isPerfect, "\(verdict)")
        #expect(status.url == station.url("/x/y/media.m3u8?t=1"))
    }

    @Test(
        "a segment that fails once is tried again; one that is missing, empty or a page is a gap of its length"
    )
    func badSegments() async throws {
        let broadcast = HLSBroadcast()
        let (verdict, kept, _, station) = try await follow(broadcast) { broadcast, request in
            guard let sequence = HLSBroadcast.sequence(in: request.target) else {
                return plain(broadcast, request)
            }
            switch sequence {
            case 104 where request.numberForTarget == 0: return notFound
            case 106: return notFound
            case 107: return Step.answer(type: "audio/aac", body: [UInt8](repeating: 0x47, count: 704))
            case 108: return Step.answer(type: "text/html", body: Array("<html>busy</html>".utf8))
            default: return plain(broadcast, request)
            }
        }
        #expect(verdict.doubled == 0)
        #expect(verdict.strayBytes == 0)
        #expect(verdict.lost == 3 * broadcast.unitsPerSegment)
        #expect(kept.gaps.map(\.cause) == [.segment, .segment, .segment])
        #expect(kept.gaps.allSatisfy { abs($0.lostSeconds - broadcast.segmentSeconds) < 0.01 })
        #expect(station.requests.count { $0.target == "/s106.aac" } == 2)
    }

    @Test("AES-128 with and without an IV, then none; the key is asked for once")
    func encryption() async throws {
        var broadcast = HLSBroadcast()
        broadcast.tags = { sequence in
            switch sequence {
            case ..<106: ["#EXT-X-KEY:METHOD=AES-128,URI=\"key.bin\""]
            case 106..<108:
                ["#EXT-X-KEY:METHOD=AES-128,URI=\"key.bin\",IV=0x000000000000000000000000000000FF"]
            default: ["#EXT-X-KEY:METHOD=NONE"]
            }
        }
        let key = Array("0123456789abcdef".utf8)
        let (verdict, _, _, station) = try await follow(broadcast) { broadcast, request in
            if request.target == "/key.bin" {
                return Step.answer(type: "application/octet-stream", body: key)
            }
            guard let sequence = HLSBroadcast.sequence(in: request.target), sequence < 108 else {
                return plain(broadcast, request)
            }
            let sealed = encrypted(
                broadcast.segment(sequence), key: key, iv: iv(sequence < 106 ? sequence : 255))
            return Step.answer(type: "audio/aac", body: sealed)
        }
        #expect(verdict.isPerfect, "\(verdict)")
        #expect(station.requests.count { $0.target == "/key.bin" } == 1)
    }

    @Test("encryption that we do not have is told, and asked for once")
    func unsupportedEncryption() async throws {
        var broadcast = HLSBroadcast()
        broadcast.tags = { _ in
            ["#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://key\",KEYFORMAT=\"com.apple.streamingkeydelivery\""]
        }
        let station = try ScriptedStation(Programme(frames)) { [broadcast] in plain(broadcast, $0) }
        defer { station.stop() }
        let test = TestHub()
        let collector = FeedCollector(test.feed(station.url("/live.m3u8")))
        _ = try await collector.wait { _, status in status.state == .waiting }
        #expect(collector.feed.status.reason == "encrypted with SAMPLE-AES, which is not supported")
        try await Task.sleep(for: .milliseconds(500))
        #expect(station.requests.count == 2)
        #expect(collector.verdict(of: frames).frames == 0)
        test.hub.stop()
    }

    @Test("an address that expires is found anew, and the stream goes on where it was")
    func expiry() async throws {
        let (verdict, kept, _, station) = try await follow(HLSBroadcast(), frames: 500) {
            broadcast, request in
            let masters = request.target == "/live.m3u8" ? request.numberForTarget : 0
            if request.target == "/live.m3u8" {
                let master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=128000\nmedia.m3u8?token=\(masters)\n"
                return Step.answer(type: playlistType, body: Array(master.utf8))
            }
            if request.target == "/media.m3u8?token=0", request.numberForTarget >= 4 {
                return Step.answer("403 Forbidden", type: "text/plain", body: [])
            }
            return plain(broadcast, request)
        }
        #expect(verdict.isPerfect, "\(verdict)")
        #expect(kept.gaps.isEmpty)
        #expect(station.requests.count { $0.target == "/live.m3u8" } == 2)
    }

    @Test("the second of two equal variants is taken when the first is dead")
    func variants() async throws {
        let (verdict, _, _, _) = try await follow(HLSBroadcast()) { broadcast, request in
            if request.target == "/live.m3u8" {
                let line = "#EXT-X-STREAM-INF:PROGRAM-ID=1,BANDWIDTH=54000,CODECS=\"mp4a.40.2\"\n"
                return Step.answer(
                    type: playlistType,
                    body: Array("#EXTM3U\n\(line)dead.m3u8?sd=10\n\(line)media.m3u8?sd=10\n".utf8))
            }
            return plain(broadcast, request)
        }
        #expect(verdict.isPerfect, "\(verdict)")
    }

    @Test("a window that has moved past us costs what is gone, and it is counted")
    func slidWindow() async throws {
        let broadcast = HLSBroadcast(window: 3)
        let (verdict, kept, _, _) = try await follow(broadcast, frames: 400) { broadcast, request in
            guard request.target == "/media.m3u8" else { return plain(broadcast, request) }
            // The list is away for longer than its window.
            switch request.numberForTarget {
            case 2: return [.stall(5), .close]
            default: return plain(broadcast, request)
            }
        }
        #expect(verdict.doubled == 0)
        #expect(verdict.lost > 0 && verdict.lost % broadcast.unitsPerSegment == 0, "\(verdict) \(kept.gaps)")
        let told = kept.gaps.reduce(0) { $0 + $1.lostSeconds }
        #expect(abs(told - Double(verdict.lost) * frames.secondsPerUnit) < 0.1)
    }
}

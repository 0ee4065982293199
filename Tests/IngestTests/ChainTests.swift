import Feed
import Foundation
import Ingest
import Platform
import StreamFormats
import TestPrograms
import TestStations
import Testing

private let hasFFmpeg = RunningProgram.isInstalled("ffmpeg")

/// Songs in Ogg, one chain each, made by ffmpeg: what a station with a program per song sends.
private struct Chains {
    let songs: [[UInt8]]
    var whole: [UInt8] { songs.flatMap { $0 } }

    init(codec: String, count: Int, in folder: TemporaryFolder) throws {
        songs = try (0..<count).map { number in
            let path = folder.path("song\(number).ogg")
            _ = try RunningProgram.run(
                "ffmpeg",
                [
                    "-loglevel", "error", "-f", "lavfi", "-i", "anoisesrc=d=3:a=0.1:seed=\(number)", "-ac",
                    "2", "-c:a",
                    codec, "-b:a", "64k", "-metadata", "title=Song \(number)", "-metadata", "artist=Band",
                    "-f", "ogg",
                    path,
                ], in: folder, within: 60)
            return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        }
    }

    /// Packets of a chain that carry sound, read by our own reader from the file alone.
    func packets(_ songs: ArraySlice<[UInt8]>) -> [[UInt8]] {
        songs.flatMap { song -> [[UInt8]] in
            var reader = ElementaryReader()
            var found: [StreamElement] = []
            reader.push(song.span, into: &found)
            reader.finish(into: &found)
            return found.flatMap { element in
                guard case .frames(let run) = element else { return [[UInt8]]() }
                return Self.cut(run)
            }
        }
    }

    static func cut(_ run: FrameRun) -> [[UInt8]] {
        var rest = run.bytes[...]
        return run.frames.map { frame in
            defer { rest = rest.dropFirst(Int(frame.length)) }
            return Array(rest.prefix(Int(frame.length)))
        }
    }
}

/// The packets that a feed was given, one by one.
private final class PacketCollector: Sendable {
    private let reader: FeedReader
    let packets = Lock([[UInt8]]())

    init(_ feed: Feed) { reader = feed.open(name: "packets", from: .oldest, patience: 64 << 20) }

    func collect() {
        for event in reader.read(limit: 100_000).events {
            if case .audio(let chunk) = event { packets.withLock { $0 += Chains.cut(chunk.run) } }
        }
    }
}

@Suite("Chained Ogg")
struct ChainTests {
    @Test(
        "a new chain is a new title and not the end; no packet is lost",
        .enabled(if: hasFFmpeg, "ffmpeg is not installed"), arguments: ["libvorbis", "libopus"])
    func chains(codec: String) async throws {
        let folder = try TemporaryFolder("chains")
        let chains = try Chains(codec: codec, count: 4, in: folder)
        let head = "HTTP/1.0 200 OK\r\nContent-Type: application/ogg\r\n\r\n"
        let pieces = chains.whole.chunked(by: 1000).map { Step.bytes($0) }
        let station = try ScriptedStation(
            Programme(NumberedFrames()), scripts: [[.text(head)] + pieces + [.stall(60)]])
        defer { station.stop() }
        let test = TestHub()
        let feed = test.feed(station.url())
        let collector = PacketCollector(feed)
        let expected = chains.packets(chains.songs[...])
        #expect(expected.count > 400)
        for _ in 0..<2000 where collector.packets.withLock({ $0.count }) < expected.count - 60 {
            collector.collect()
            try await Task.sleep(for: .milliseconds(5))
        }
        try await Task.sleep(for: .milliseconds(300))
        collector.collect()
        let found = collector.packets.withLock { $0 }
        test.hub.stop()
        // The last packets of the last song may still wait for their page's successor.
        #expect(found.count > expected.count - 60)
        let isSame = found == Array(expected.prefix(found.count))
        #expect(isSame)
        #expect(feed.titles.map(\.text.text) == (0..<4).map { "Band - Song \($0)" })
        #expect(feed.gaps.isEmpty)
    }

    @Test(
        "a connection that breaks in the middle of a chain is joined by the packet",
        .enabled(if: hasFFmpeg, "ffmpeg is not installed"), arguments: ["libvorbis", "libopus"])
    func brokenChain(codec: String) async throws {
        let folder = try TemporaryFolder("chains")
        let chains = try Chains(codec: codec, count: 2, in: folder)
        let head = Step.text("HTTP/1.0 200 OK\r\nContent-Type: application/ogg\r\n\r\n")
        let first = chains.songs[0] + chains.songs[1].prefix(chains.songs[1].count * 2 / 3)
        let station = try ScriptedStation(
            Programme(NumberedFrames()),
            // The second connection begins with the second song, as a server does that keeps its headers.
            scripts: [[head, .bytes(first), .reset], [head, .bytes(chains.songs[1]), .stall(60)]])
        defer { station.stop() }
        let test = TestHub()
        let feed = test.feed(station.url())
        let collector = PacketCollector(feed)
        for _ in 0..<1000 where feed.gaps.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        try await Task.sleep(for: .milliseconds(500))
        collector.collect()
        let found = collector.packets.withLock { $0 }
        test.hub.stop()
        let expected = chains.packets(chains.songs[...])
        #expect(found.count > expected.count - 60)
        let isSame = found == Array(expected.prefix(found.count))
        #expect(isSame)
        #expect(feed.gaps.map(\.lostSeconds) == [0])
        #expect(feed.titles.map(\.text.text) == ["Band - Song 0", "Band - Song 1"])
    }
}

@Suite("Learned charsets")
struct LearnedCharsetTests {
    @Test(
        "titles of a whole station are right with no setting",
        arguments: [
            ("utf-8", ["Møller - Blå", "Ásgeir - Heimförin", "Żywiołak - Oko", "日本 - 歌", "Beyoncé - Halo"]),
            (
                "iso-8859-1",
                [
                    "Café Tacvba - Ingrata", "Mylène Farmer - Désenchantée", "Jürgen - Für dich",
                    "Señor - Año", "Björk - Jóga",
                ]
            ),
            (
                "windows-1251",
                [
                    "Кино - Группа крови", "Земфира - Искала", "Алиса - Небо славян", "Сплин - Выхода нет",
                    "Ария - Беспечный ангел",
                ]
            ),
        ])
    func learned(charset: String, titles: [String]) async throws {
        let blocks = titles.enumerated().map { number, title in
            Programme.Title(
                at: number * 80,
                block: Array("StreamTitle='".utf8) + encoded(title, charset) + Array("';".utf8))
        }
        let station = try ScriptedStation(
            Programme(NumberedFrames(), titles: blocks),
            scripts: [Step.icecast(interval: 4000) + [.join(unit: 0), .push(units: 500), .stall(60)]])
        defer { station.stop() }
        let test = TestHub()
        let feed = test.feed(station.url())
        let collector = FeedCollector(feed)
        let came = try await collector.wait { kept, _ in kept.titles.count == titles.count }
        #expect(came)
        #expect(feed.titles.map(\.text.text) == titles)
        #expect(collector.kept.withLock { $0.titles.map(\.text.text) } == titles)
        test.hub.stop()
    }

    @Test("what one run has learned the next one knows at its first title")
    func remembered() async throws {
        let kept = Lock([String: String]())
        let memory = CharsetMemory { id in
            kept.withLock { $0[id] }
        } keep: { id, charset in
            kept.withLock { $0[id] = charset }
        }
        let learning = try await airing(
            ["Кино - Группа крови", "Земфира - Искала", "Алиса - Небо славян", "Сплин - Выхода нет"],
            "windows-1251", memory)
        #expect(learning.last == "Сплин - Выхода нет")
        #expect(kept.withLock { $0 } == ["test": "windows-1251"])
        // Two letters that no guess could be made from.
        #expect(try await airing(["Я - Ю"], "windows-1251", memory) == ["Я - Ю"])
        #expect(try await airing(["Я - Ю"], "windows-1251", CharsetMemory()) != ["Я - Ю"])
    }

    /// The titles of a station that has just these on air, as its feed tells them.
    private func airing(_ titles: [String], _ charset: String, _ memory: CharsetMemory) async throws
        -> [String]
    {
        let blocks = titles.enumerated().map { number, title in
            Programme.Title(
                at: number * 80,
                block: Array("StreamTitle='".utf8) + encoded(title, charset) + Array("';".utf8))
        }
        let station = try ScriptedStation(
            Programme(NumberedFrames(), titles: blocks),
            scripts: [Step.icecast(interval: 4000) + [.join(unit: 0), .push(units: 500), .stall(60)]])
        defer { station.stop() }
        let test = TestHub(charsets: memory)
        defer { test.hub.stop() }
        let feed = test.feed(station.url())
        let collector = FeedCollector(feed)
        _ = try await collector.wait(seconds: 10) { kept, _ in kept.titles.count == titles.count }
        return feed.titles.map(\.text.text)
    }

    private func encoded(_ text: String, _ charset: String) -> [UInt8] {
        SingleByteCharset(name: charset)?.encode(text) ?? Array(text.utf8)
    }
}

extension Array {
    /// The elements in pieces of this size.
    fileprivate func chunked(by size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}

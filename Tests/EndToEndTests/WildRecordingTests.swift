import Foundation
import TestPrograms
import TestStations
import Testing

/// `aircheck record ADDRESS --whole FILE` against stations that bend the rules: what was sent once is in the file once.
@Suite("EndToEnd: recording what is wild", .serialized)
struct WildRecordingTests {
    private static let isLong = ProcessInfo.processInfo.environment["AIRCHECK_TESTS"] == "all"
    private static let burst = Step.icecast() + [.burst(10)]
    private static let endless = burst + [.play(.infinity)]

    private let folder: TemporaryFolder
    private let frames = NumberedFrames()

    init() throws { folder = try TemporaryFolder("wild-recording") }

    /// Records in real time and judges the one file that has come of it.
    private func record(_ url: String, seconds: Int, from air: ScriptedStation) throws -> Judge.Verdict {
        let file = folder.path("whole.mp3")
        let before = air.liveUnit
        let recorded = try Built.run(
            ["record", url, "--whole", file, "--for", "\(seconds)s"], in: folder, within: Double(seconds + 60)
        )
        #expect(recorded.exitCode == 0, "\(recorded.errors)")
        air.stop()
        let made = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
            $0.hasPrefix("whole") && $0.hasSuffix(".mp3")
        }
        #expect(made == ["whole.mp3"])
        let audio = MP3File(try Data(contentsOf: URL(fileURLWithPath: file))).audio
        let decoded = try RunningProgram.run(
            "ffmpeg", ["-v", "error", "-i", file, "-f", "null", "-"], in: folder)
        #expect(decoded.exitCode == 0 && decoded.errors == "", "\(decoded.errors.prefix(500))")
        let verdict = Judge.verdict(on: Array(audio), of: frames)
        // It reaches to the end: a recording that stops at the first fault would be perfect too.
        let heard = Double((verdict.last ?? 0) - before) * frames.secondsPerUnit
        #expect(heard > Double(seconds) - 2, "the last frame is \(heard) s after the start")
        return verdict
    }

    private func station(_ scripts: [[Step]]) throws -> ScriptedStation {
        try ScriptedStation(Programme(frames), scripts: scripts)
    }

    // MARK: Breaks

    @Test("an end and a reset cost nothing")
    func shortBreaks() throws {
        let air = try station([
            Self.burst + [.play(2), .close], Self.burst + [.play(2), .partialUnit(bytes: 200), .reset],
            Self.endless,
        ])
        let verdict = try record(air.url(), seconds: 9, from: air)
        #expect(verdict.isPerfect, "\(verdict)")
        #expect(air.requests.count == 3)
    }

    @Test(
        "two ends, one with five seconds of refusal, two resets and a stall of twenty seconds cost nothing",
        .enabled(if: isLong, "takes 80 s: AIRCHECK_TESTS=all"))
    func longBreaks() throws {
        let reset = Self.burst + [.play(8), .partialUnit(bytes: 200), .reset]
        let air = try station([
            Self.burst + [.play(8), .refuse(5)], Self.burst + [.play(8), .close], reset, reset,
            Self.burst + [.play(8), .stall(20), .play(.infinity)], Self.endless,
        ])
        let verdict = try record(air.url(), seconds: 78, from: air)
        #expect(verdict.isPerfect, "\(verdict)")
        #expect(air.requests.count >= 6)
    }

    @Test(
        "a connection that dies without closing costs nothing",
        .enabled(if: isLong, "takes 30 s: AIRCHECK_TESTS=all"))
    func deadConnection() throws {
        let air = try station([Self.burst + [.play(8), .stall(.infinity)], Self.endless])
        let verdict = try record(air.url(), seconds: 28, from: air)
        #expect(verdict.isPerfect, "\(verdict)")
    }

    @Test(
        "three bursts of junk, of 333 to 20,000 bytes, cost three frames at most, and none of it is in the file"
    )
    func junk() throws {
        let dirty = [333, 5000, 20_000].enumerated().flatMap { index, count -> [Step] in
            [.play(1), .junk(count: count, seed: UInt64(index + 1))]
        }
        let air = try station([Self.burst + dirty + [.play(.infinity)]])
        let verdict = try record(air.url(), seconds: 7, from: air)
        #expect(verdict.strayBytes == 0 && verdict.doubled == 0 && verdict.lost <= 3, "\(verdict)")
        #expect(air.requests.count == 1)
    }

    // MARK: Ways in

    /// What may stand between an address and its stream.
    enum Way: String, CaseIterable {
        case icy, list, redirect, chunked, all
    }

    @Test(
        "ICY heads, lists with a dead first entry, redirects to them and chunks, alone and at once",
        arguments: Way.allCases)
    func waysIn(way: Way) throws {
        let dead = FreePort.next()
        let frames = frames
        let air = try ScriptedStation(Programme(frames)) { request in
            let here = "http://\(request.header("Host") ?? "")"
            switch request.target {
            case "/go": return Step.redirect(to: "\(here)/list.pls")
            case "/list.pls":
                let list =
                    "[playlist]\nnumberofentries=2\nFile1=http://127.0.0.1:\(dead)/dead\n"
                    + "File2=\(here)/live\nVersion=2\n"
                return Step.answer(type: "audio/x-scpls", body: Array(list.utf8))
            default: return Self.head(way) + [.burst(10), .play(.infinity)]
            }
        }
        let path =
            switch way {
            case .icy, .chunked: "/live"
            case .list: "/list.pls"
            case .redirect, .all: "/go"
            }
        let verdict = try record(air.url(path), seconds: 4, from: air)
        #expect(verdict.isPerfect, "\(verdict)")
    }

    private static func head(_ way: Way) -> [Step] {
        let status = way == .icy || way == .all ? "ICY 200 OK" : "HTTP/1.1 200 OK"
        let isChunked = way == .chunked || way == .all
        let head =
            "\(status)\r\nicy-name:Wild\r\ncontent-type:audio/mpeg\r\nicy-metaint:16000\r\n"
            + (isChunked ? "Transfer-Encoding: chunked\r\n" : "") + "\r\n"
        return [.text(head)] + (isChunked ? [.chunked] : []) + [.icy(interval: 16_000)]
    }
}

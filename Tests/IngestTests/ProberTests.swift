@testable import Ingest
import Platform
import StreamFormats
import TestStations
import Testing
import Transfers

@Suite("Probe")
struct ProberTests {
    private let frames = NumberedFrames()

    private func probe(_ url: String, seconds: Double) async -> ProbeReport {
        let prober = Prober(engine: TransferEngine())
        var station = Station(id: "probe", name: "", urls: [url])
        station.isLocal = true
        return await withCheckedContinuation { waiting in
            prober.probe(station, seconds: seconds) { waiting.resume(returning: $0) }
        }
    }

    @Test("a stream is told for what it is")
    func stream() async throws {
        let titles = [
            Programme.Title(at: 0, "Band - Song"), Programme.Title(at: 1200, "It's - Two'; not the end"),
        ]
        let head = "icy-genre:Jazz\r\nicy-description:About\r\nicy-url:http://home.example/\r\n"
        let script = Step.icecast(name: "Caf\u{E9}", extra: head) + [.burst(5), .play(.infinity)]
        let station = try ScriptedStation(Programme(frames, titles: titles), scripts: [script])
        defer { station.stop() }
        let report = await probe(station.url(), seconds: 3)
        #expect(report.state == .audio)
        #expect(report.reason == nil)
        #expect(report.finalURL == station.url())
        #expect(report.httpStatus == 200)
        #expect(report.protocolName == "http/1.0")
        #expect(report.name == "Café")
        #expect(report.genre == "Jazz")
        #expect(report.homepage == "http://home.example/")
        #expect(report.bitrateKbps == 128)
        #expect(report.metaint == 16_000)
        #expect(report.codec == "mp3")
        #expect(report.sampleRate == 44_100)
        #expect(report.channels == 2)
        #expect(report.measuredKbps.map { abs($0 - 127.7) < 1 } == true)
        #expect(report.audioSeconds > 6 && report.audioSeconds < 9)
        #expect(Double(report.frames) * frames.secondsPerUnit - report.audioSeconds < 0.01)
        #expect(report.junkBytes == 0)
        #expect(report.titles.map(\.text) == ["Band - Song", "It's - Two'; not the end"])
        #expect(report.titles.first?.artist == "Band")
        #expect(report.attempts.isEmpty)
    }

    @Test("a break is a gap, and the recording of it goes on")
    func gaps() async throws {
        let burst: [Step] = Step.icecast() + [.burst(5)]
        let station = try ScriptedStation(
            Programme(frames), scripts: [burst + [.play(1), .close], burst + [.play(.infinity)]])
        defer { station.stop() }
        let report = await probe(station.url(), seconds: 3)
        #expect(report.gaps.count == 1)
        #expect(report.gaps.first?.cause == "closed")
        #expect(report.gaps.first?.lostSeconds == 0)
    }

    @Test(
        "what is no stream is told apart",
        arguments: [
            (
                "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<html><body>Station offline</body></html>",
                ProbeReport.State.notAudio, "a web page instead of a stream", 200
            ),
            ("HTTP/1.0 404 Not Found\r\n\r\n", .refused, "404 Not Found", 404),
            ("ICY 401 Service Unavailable\r\n\r\n", .refused, "401 Service Unavailable", 401),
            ("HTTP/1.1 302 Found\r\nLocation: \r\n\r\n", .refused, "redirect without a target", nil),
        ] as [(String, ProbeReport.State, String, Int?)])
    func noStream(answer: String, state: ProbeReport.State, reason: String, status: Int?) async throws {
        let station = try ScriptedStation(Programme(frames), scripts: [[.text(answer), .close]])
        defer { station.stop() }
        let report = await probe(station.url(), seconds: 1)
        #expect(report.state == state)
        #expect(report.reason == reason)
        #expect(report.httpStatus == status)
        #expect(report.codec == nil)
        #expect(report.attempts.first?.result == reason)
    }

    @Test("nobody there, and nothing said, are two things")
    func silence() async throws {
        let silent = try ScriptedStation(
            Programme(frames),
            scripts: [[.text("HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\n\r\n"), .stall(60)]])
        let report = await probe(silent.url(), seconds: 1)
        #expect(report.state == .noAudio)
        #expect(report.reason == "connected, no audio")
        silent.stop()
        let gone = await probe(silent.url(), seconds: 0.3)
        #expect(gone.state == .unreachable)
        #expect(gone.reason == "connection refused by 127.0.0.1:\(silent.port)")
    }

    @Test("a list with a dead first entry, behind a redirect, leads to the stream")
    func deadFirstEntry() async throws {
        let station = try ScriptedStation(Programme(frames)) { request in
            switch request.target {
            case "/start": return Step.redirect(to: "/list.pls")
            case "/list.pls":
                return Step.answer(
                    type: "audio/x-scpls",
                    body: Array(
                        "[playlist]\nNumberOfEntries=2\nFile1=http://127.0.0.1:1/dead\nFile2=live\n".utf8))
            default:
                return [
                    .text("ICY 200 OK\r\nicy-metaint:8192\r\n\r\n"), .icy(interval: 8192), .burst(5),
                    .play(.infinity),
                ]
            }
        }
        defer { station.stop() }
        let report = await probe(station.url("/start"), seconds: 1.5)
        #expect(report.state == .audio)
        #expect(report.protocolName == "icy")
        #expect(report.finalURL == station.url("/live"))
        #expect(
            report.attempts == [
                .init(url: "http://127.0.0.1:1/dead", result: "connection refused by 127.0.0.1:1")
            ])
    }

    @Test("a file is played once and asked for once")
    func file() async throws {
        let station = try ScriptedStation(
            Programme(frames),
            scripts: [
                [
                    .text(
                        "HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nContent-Length: 8340\r\nAccept-Ranges: bytes\r\n\r\n"
                    ),
                    .push(units: 20), .stall(30),
                ]
            ])
        defer { station.stop() }
        let report = await probe(station.url(), seconds: 1)
        #expect(report.state == .audio)
        #expect(report.frames == 20)
        #expect(station.requests.count == 1)
    }
}

@testable import Ingest

import Platform
import StreamFormats
import TestStations
import Testing
import Transfers

/// Plays a case to the probe and compares.
private struct Replay {
    let wild: WildCase
    let report: ProbeReport
    let requests: [ScriptedStation.Request]

    init(_ wild: WildCase) async throws {
        self.wild = wild
        let port = Lock<UInt16>(0)
        let station = try ScriptedStation(Programme(NumberedFrames())) { request in
            Replay.answer(request, to: wild, port: port.withLock { $0 })
        }
        port.withLock { $0 = station.port }
        defer { station.stop() }
        var settings = IngestSettings()
        settings.start = 2
        let engine = TransferEngine()
        defer { engine.stop() }
        let prober = Prober(engine: engine, settings: settings)
        var target = Station(id: "wild", name: wild.name, urls: [])
        let path = wild.path.replacing("{host}", with: "127.0.0.1:\(station.port)")
        target.urls = [path.hasPrefix("http") ? path : station.url(path)]
        target.charset = wild.charset
        target.isLocal = true
        report = await withCheckedContinuation { [target] waiting in
            prober.probe(target, seconds: wild.seconds) { waiting.resume(returning: $0) }
        }
        requests = station.requests
    }

    /// The n-th answer for this target, or for any; silence when there are no more.
    private static func answer(_ request: ScriptedStation.Request, to wild: WildCase, port: UInt16) -> [Step]
    {
        let own = wild.answers.filter { $0.target == request.target }
        let found = own.isEmpty ? wild.answers.filter { $0.target == nil } : own
        let number = own.isEmpty && wild.answers.contains { $0.target != nil } ? 0 : request.numberForTarget
        guard !found.isEmpty else { return Step.answer("404 Not Found", type: "text/plain", body: []) }
        guard found.indices.contains(number) else { return [.stall(3600)] }
        return found[number].steps.map { step in
            guard case .bytes(let bytes) = step, bytes.count < 1 << 16 else { return step }
            return .bytes(replacing(bytes, Array("{host}".utf8), with: Array("127.0.0.1:\(port)".utf8)))
        }
    }

    private static func replacing(_ bytes: [UInt8], _ mark: [UInt8], with text: [UInt8]) -> [UInt8] {
        guard bytes.contains(UInt8(ascii: "{")) else { return bytes }
        var out: [UInt8] = []
        var place = 0
        while place < bytes.count {
            if bytes[place...].starts(with: mark) {
                out += text
                place += mark.count
            } else {
                out.append(bytes[place])
                place += 1
            }
        }
        return out
    }

    // MARK: Comparing

    func check() {
        let titles = wild.expected.filter { $0.key == "title" }
        for expectation in wild.expected where expectation.key != "title" { check(expectation) }
        if !titles.isEmpty { check(titles) }
    }

    private func comment(_ expectation: WildCase.Expectation) -> Comment {
        Comment(
            rawValue:
                "\(wild.id), line \(expectation.line): \(expectation.key) \(expectation.values) — \(summary)")
    }

    private var summary: String {
        "\(report.state.rawValue), \(report.reason ?? "-"), \(report.codec ?? "-"), \(report.frames) frames, "
            + "\(report.titles.map(\.text)), \(report.attempts.map { "\($0.url): \($0.result)" }), "
            + "\(requests.map(\.target))"
    }

    private func check(_ expectation: WildCase.Expectation) {
        let (values, note) = (expectation.values, comment(expectation))
        let value = values.first == "none" ? nil : values.first
        switch expectation.key {
        case "state": #expect(report.state.rawValue == value, note)
        case "reason": #expect(report.reason?.contains(value ?? "") ?? (value == nil), note)
        case "name": #expect(report.name == value, note)
        case "genre": #expect(report.genre == value, note)
        case "homepage": #expect(report.homepage == value, note)
        case "bitrate": #expect(report.bitrateKbps.map(String.init) == value, note)
        case "measured": #expect(report.measuredKbps.map { String(Int($0.rounded())) } == value, note)
        case "metaint": #expect(report.metaint.map(String.init) == value, note)
        case "status": #expect(report.httpStatus.map(String.init) == value, note)
        case "protocol": #expect(report.protocolName == value, note)
        case "codec": #expect(report.codec == value, note)
        case "rate": #expect(report.sampleRate.map(String.init) == value, note)
        case "channels": #expect(report.channels.map(String.init) == value, note)
        case "frames": #expect(String(report.frames) == value, note)
        case "frames-between":
            #expect((Int(values[0]) ?? 0)...(Int(values[1]) ?? 0) ~= report.frames, note)
        case "junk": #expect(String(report.junkBytes) == value, note)
        case "seconds": #expect(abs(report.audioSeconds - (Double(values[0]) ?? -1)) < 0.03, note)
        case "titles": #expect(report.titles.count == Int(values.first ?? "") ?? 0, note)
        case "gaps": #expect(String(report.gaps.count) == value, note)
        case "lost":
            #expect(
                abs(report.gaps.reduce(0) { $0 + $1.lostSeconds } - (Double(values[0]) ?? -1)) < 0.05, note)
        case "attempts": #expect(String(report.attempts.count) == value, note)
        case "attempt": #expect(report.attempts.contains { $0.result.contains(value ?? "") }, note)
        case "requests": #expect(String(requests.count) == value, note)
        case "target": #expect(target(values[0]) == values[1], note)
        case "method": #expect(requests.allSatisfy { $0.method == value }, note)
        case "header":
            let number = (Int(values[0]) ?? 1) - 1
            let found =
                requests.indices.contains(number) ? requests[number].header(values[1]) : "no such request"
            #expect(found == (values[2] == "none" ? nil : values[2]), note)
        default: Issue.record("\(wild.id), line \(expectation.line): unknown key \(expectation.key)")
        }
    }

    private func target(_ number: String) -> String? {
        let index = (Int(number) ?? 1) - 1
        return requests.indices.contains(index) ? requests[index].target : nil
    }

    /// Titles in their order: the text, then `artist`, `title`, `class` where they matter.
    private func check(_ titles: [WildCase.Expectation]) {
        #expect(report.titles.map(\.text) == titles.map { $0.values.first ?? "" }, comment(titles[0]))
        for (expectation, found) in zip(titles, report.titles) {
            var rest = expectation.values.dropFirst()
            while let key = rest.popFirst() {
                let value = rest.popFirst().flatMap { $0 == "none" ? nil : $0 }
                switch key {
                case "artist": #expect(found.artist == value, comment(expectation))
                case "title": #expect(found.title == value, comment(expectation))
                case "class": #expect(found.kind == value, comment(expectation))
                case "at":
                    #expect(
                        abs(found.atSeconds - (value.flatMap(Double.init) ?? -1)) < 0.03, comment(expectation)
                    )
                default: Issue.record("\(wild.id): unknown part \(key)")
                }
            }
        }
    }
}

@Suite("Wild cases")
struct WildCaseTests {
    @Test("response heads", arguments: try WildCase.load("heads"))
    func heads(wild: WildCase) async throws { try await Replay(wild).check() }

    @Test("titles", arguments: try WildCase.load("titles"))
    func titles(wild: WildCase) async throws { try await Replay(wild).check() }

    @Test("payload", arguments: try WildCase.load("payload"))
    func payload(wild: WildCase) async throws { try await Replay(wild).check() }

    @Test("playlists", arguments: try WildCase.load("playlists"))
    func playlists(wild: WildCase) async throws { try await Replay(wild).check() }

    @Test("HLS", arguments: try WildCase.load("hls"))
    func hls(wild: WildCase) async throws { try await Replay(wild).check() }

    @Test("connection life", arguments: try WildCase.load("connection"))
    func connection(wild: WildCase) async throws { try await Replay(wild).check() }
}

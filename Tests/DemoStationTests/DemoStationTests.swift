import DemoStation
import Foundation
import StreamFormats
import TestPrograms
import Testing

@Suite("Demo station")
struct DemoStationTests {
    private let folder: TemporaryFolder
    private let station: DemoStation
    private var url: String { "http://127.0.0.1:\(station.port)/" }

    init() throws {
        folder = try TemporaryFolder("demo")
        station = try DemoStation(port: 0)
    }

    /// What curl got in so many seconds.
    private func listen(_ seconds: Int, _ words: [String] = []) throws -> [UInt8] {
        let file = folder.path("heard")
        _ = try RunningProgram.run(
            "curl", ["-s", "-m", "\(seconds)", "-o", file] + words + [url], in: folder)
        return Array(try Data(contentsOf: URL(fileURLWithPath: file)))
    }

    private func elements(_ bytes: [UInt8]) -> [StreamElement] {
        var reader = ElementaryReader(hint: ContentHint())
        var found: [StreamElement] = []
        reader.push(bytes.span, into: &found)
        return found
    }

    @Test(
        "a listener gets a burst that starts on a frame, then as much audio as time passes, and nothing but frames"
    )
    func audio() throws {
        let heard = try listen(3)
        let found = elements(heard)
        #expect(heard.starts(with: [0xFF, 0xFB]))
        #expect(!found.contains { if case .junk = $0 { true } else { false } })
        // 64 KiB at once, and 8000 bytes a second.
        #expect((80_000...100_000).contains(heard.count), "\(heard.count) bytes")
    }

    @Test("titles come in the first block and change with the piece, for those who ask")
    func titles() throws {
        let heard = try listen(2, ["-H", "Icy-MetaData: 1"])
        var demuxer = IcyDemuxer(interval: 16_000)
        var pieces: [IcyPiece] = []
        demuxer.push(heard.span, into: &pieces)
        let titles = pieces.compactMap { piece in
            if case .title(let raw) = piece { String(decoding: raw.text, as: UTF8.self) } else { nil }
        }
        #expect(titles.count >= 1)
        #expect(titles.allSatisfy { $0.contains(" - ") })
    }

    @Test("HEAD answers with the head alone, and other paths are not there")
    func otherRequests() throws {
        let head = try RunningProgram.run("curl", ["-s", "-I", "-m", "5", url], in: folder)
        #expect(head.exitCode == 0)
        #expect(head.output.contains("icy-name: aircheck demo"))
        let missing = try RunningProgram.run(
            "curl", ["-s", "-o", "/dev/null", "-w", "%{http_code}", url + "a/b"], in: folder)
        #expect(missing.output == "404")
    }

    @Test("two stations cannot have one port, and the second says so")
    func portInUse() {
        #expect(throws: (any Error).self) { try DemoStation(port: station.port) }
    }
}

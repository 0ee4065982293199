import Foundation
import TestPrograms
import TestStations
import Testing

/// The command line against the programs that stations really run: what they send is what is in the file.
@Suite("EndToEnd: real stations", .serialized)
struct RealProgramTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("real-stations") }

    /// Records for so long; the file as it is.
    private func record(_ url: String, to name: String, seconds: Int) throws -> Data {
        let file = folder.path(name)
        let recorded = try Built.run(
            ["record", url, "--whole", file, "--for", "\(seconds)s"], in: folder, within: Double(seconds + 60)
        )
        #expect(recorded.exitCode == 0, "\(recorded.errors)")
        let decoded = try RunningProgram.run(
            "ffmpeg", ["-v", "error", "-i", file, "-f", "null", "-"], in: folder)
        #expect(decoded.exitCode == 0 && decoded.errors == "", "\(decoded.errors.prefix(500))")
        return try Data(contentsOf: URL(fileURLWithPath: file))
    }

    @Test(
        "liquidsoap through Icecast: every byte, and the titles of its playlist",
        .enabled(
            if: ["liquidsoap", "icecast2", "ffmpeg"].allSatisfy(RunningProgram.isInstalled),
            "needs liquidsoap, icecast2 and ffmpeg"))
    func liquidsoap() throws {
        let icecast = try Icecast(in: folder)
        _ = try folder.folder("liquidsoap", permissions: 0o755)
        try folder.give(toNobody: "liquidsoap")
        let script = try folder.write(
            "studio.liq",
            """
            set("log.stdout", true)
            studio = insert_metadata(amplify(0.2, sine(440.)))
            number = ref(0)
            def next() =
              number := !number + 1
              studio.insert_metadata([("artist", "Lïquid"), ("title", "Søng #{!number}")])
            end
            thread.run(every=4., next)
            output.icecast(%mp3(bitrate=128), host="127.0.0.1", port=\(icecast.port),
              password="\(Icecast.password)", mount="studio.mp3", encoding="UTF-8",
              studio)

            """)
        let studio = try RunningProgram(
            "liquidsoap", [script], in: folder, name: "studio",
            environment: ["HOME": folder.path("liquidsoap")], asNobody: true)
        let url = icecast.url("studio.mp3")
        let isOnAir = eventually(within: 90, every: 0.3) {
            let head = try? RunningProgram.run(
                "curl", ["-s", "-f", "-m", "1", "-o", "/dev/null", "-w", "%{http_code}", url], in: folder)
            return head?.output == "200"
        }
        #expect(isOnAir, "\(studio.output.suffix(1000))\(studio.errors.suffix(500))")
        let witness = try RunningProgram(
            "curl", ["-s", "-m", "90", "-o", folder.path("witness.mp3"), url], in: folder, name: "witness")
        Thread.sleep(forTimeInterval: 1)
        let recorded = try record(url, to: "whole.mp3", seconds: 12)
        Thread.sleep(forTimeInterval: 2)
        witness.stop()
        studio.stop()
        icecast.stop()
        let heard = try Data(contentsOf: URL(fileURLWithPath: folder.path("witness.mp3")))
        let audio = MP3File(recorded).audio
        #expect(audio.count > 12 * 16_000 * 9 / 10)
        #expect(heard.range(of: audio) != nil, "\(audio.count) bytes are not a part of what was sent")
        let titles = try SidecarTitles(folder.path("whole.json")).texts
        #expect(titles.count >= 3)
        let numbers = titles.compactMap { Int($0.drop { !$0.isNumber }) }
        #expect(titles == numbers.map { "Lïquid - Søng \($0)" })
        #expect(numbers == Array((numbers.first ?? 0)..<(numbers.first ?? 0) + titles.count))
    }

    @Test(
        "ffmpeg's HLS behind nginx: the frames that went in",
        .enabled(if: ["nginx", "ffmpeg"].allSatisfy(RunningProgram.isInstalled), "needs nginx and ffmpeg"),
        arguments: ["mpegts", "fmp4"])
    func segments(kind: String) throws {
        let web = try folder.folder("web")
        let port = FreePort.next()
        let nginx = try Nginx(
            in: folder,
            "server { listen 127.0.0.1:\(port); root \(web); types { application/vnd.apple.mpegurl m3u8; } }")
        let input = folder.path("input.aac")
        _ = try RunningProgram.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "anoisesrc=d=60:seed=7:a=0.1", "-c:a", "aac", "-b:a",
                "96k", input,
            ],
            in: folder, within: 60)
        let packer = try RunningProgram(
            "ffmpeg",
            ["-v", "error", "-re", "-i", input, "-c", "copy"]
                + (kind == "fmp4" ? ["-bsf:a", "aac_adtstoasc"] : [])
                + [
                    "-f", "hls", "-hls_time", "2", "-hls_list_size", "5", "-hls_flags", "delete_segments",
                    "-hls_segment_type", kind, web + "/live.m3u8",
                ], in: folder, name: "packer")
        #expect(eventually(within: 20) { FileManager.default.fileExists(atPath: web + "/live.m3u8") })
        let recorded = try record("http://127.0.0.1:\(port)/live.m3u8", to: "whole.aac", seconds: 12)
        packer.stop()
        nginx.stop()
        let truth = ADTSFrames(try Data(contentsOf: URL(fileURLWithPath: input))).payloads
        let found = ADTSFrames(recorded).payloads
        let first = try #require(truth.firstIndex(of: found.first ?? Data()))
        #expect(found.count > 250)
        #expect(Array(truth[first...].prefix(found.count)) == found)
    }
}

/// nginx with one configuration, as a station's web server.
final class Nginx {
    private let program: RunningProgram

    /// - Parameter servers: what stands inside `http { }`.
    init(in folder: TemporaryFolder, _ servers: String) throws {
        let file = try folder.write(
            "nginx.conf",
            """
            daemon off; master_process off; pid \(folder.path("nginx.pid")); error_log \(folder.path("nginx.log"));
            events {}
            http {
              access_log off; client_body_temp_path \(folder.path("body")); proxy_temp_path \(folder.path("proxy"));
              fastcgi_temp_path \(folder.path("fastcgi")); uwsgi_temp_path \(folder.path("uwsgi"));
              scgi_temp_path \(folder.path("scgi"));
              \(servers)
            }

            """)
        program = try RunningProgram("nginx", ["-p", folder.path, "-c", file], in: folder, name: "nginx")
    }

    func stop() { program.stop() }
}

/// The titles in a recording's sidecar.
struct SidecarTitles {
    let texts: [String]

    init(_ path: String) throws {
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
        let titles = (json as? [String: Any])?["titles"] as? [[String: Any]] ?? []
        texts = titles.compactMap { $0["text"] as? String }
    }
}

/// What is inside the frames of an ADTS file.
struct ADTSFrames {
    private(set) var payloads: [Data] = []

    init(_ bytes: Data) {
        var rest = bytes[...]
        while rest.count > 7, rest.first == 0xFF {
            let head = Array(rest.prefix(7))
            let length = Int(head[3] & 3) << 11 | Int(head[4]) << 3 | Int(head[5]) >> 5
            guard length > 7, length <= rest.count else { return }
            payloads.append(Data(rest.dropFirst(7).prefix(length - 7)))
            rest = rest.dropFirst(length)
        }
    }
}

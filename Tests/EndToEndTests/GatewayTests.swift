import Foundation
import JSONText
import TestPrograms
import Testing

/// What an old radio cannot play comes out as what it can: HTTPS, HLS, AAC and Opus as plain HTTP, MP3 and ICY titles.
@Suite(
    "EndToEnd: gateway for old radios", .serialized,
    .enabled(
        if: RunningProgram.isInstalled("icecast2") && RunningProgram.isInstalled("ffmpeg"),
        "needs icecast2 and ffmpeg"))
struct GatewayTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("gateway") }

    /// What ffprobe says of a file that a listener has kept: `mp3,44100,2`.
    private func probe(_ file: String) throws -> String {
        try RunningProgram.run(
            "ffprobe",
            [
                "-v", "error", "-show_entries", "stream=codec_name,sample_rate,channels", "-of", "csv=p=0",
                folder.path(file),
            ], in: folder
        ).output.split(separator: "\n").first.map(String.init) ?? ""
    }

    private func listen(_ url: String, into file: String, headers: [String] = []) throws -> RunningProgram {
        try RunningProgram(
            "curl",
            ["-s", "-N", "-m", "60", "-o", folder.path(file)] + headers.flatMap { ["-H", $0] } + [url],
            in: folder, name: "curl-\(file)")
    }

    private func size(_ file: String) -> Int {
        ((try? FileManager.default.attributesOfItem(atPath: folder.path(file)))?[.size] as? Int) ?? 0
    }

    @Test(
        "AAC and Opus are heard as MP3 with titles by curl and mpg123, with one encoder for all of them",
        arguments: [FFmpegSource.Coding.aac, .opus])
    func transcodes(coding: FFmpegSource.Coding) throws {
        let icecast = try Icecast(in: folder)
        let source = try FFmpegSource.tone(440, as: coding, to: icecast, mount: "air", in: folder)
        #expect(eventually(within: 15) { (try? icecast.hasSource("air", in: folder)) == true })
        let service = try AircheckService(
            in: folder,
            stations: """
                [[station]]
                id = "air"
                name = "Air"
                urls = ["\(icecast.url("air"))"]
                local = true

                """, settings: "[player]\noutput = \"null\"\n[relay]\nmp3_bitrate = 96\n")
        let heard = try listen(
            service.address + "/air.mp3", into: "icy", headers: ["Icy-MetaData: 1"])
        let plain = try listen(service.address + "/air.mp3", into: "plain.mp3")
        #expect(eventually(within: 20) { size("plain.mp3") > 40_000 }, "\(size("plain.mp3"))")
        if coding == .aac { try icecast.setTitle("Björk - Jóga", mount: "air", in: folder) }
        let radio = try RunningProgram.run(
            "mpg123", ["-q", "-n", "150", "-w", folder.path("radio.wav"), service.address + "/air.mp3"],
            in: folder, within: 30)
        #expect(radio.exitCode == 0, "\(radio.errors)")
        #expect(size("radio.wav") > 500_000)
        func fetch(_ path: String, _ options: [String] = []) throws -> String {
            try RunningProgram.run("curl", ["-s"] + options + [service.address + path], in: folder).output
        }
        _ = try fetch("/", ["-H", "Host: elsewhere.example"])
        let metrics = try fetch("/metrics")
        #expect(metrics.contains("aircheck_encoders 1"))
        #expect(metrics.contains("aircheck_http_refused_total{reason=\"host\"} 1"))
        #expect(try icecast.listeners(of: "air", in: folder) == 1)
        try killEncoder(of: service)
        let before = size("plain.mp3")
        // The listeners of before go on, with the sound of another process.
        #expect(eventually(within: 20) { size("plain.mp3") > before + 40_000 })
        #expect(plain.isRunning && heard.isRunning)
        plain.stop()
        heard.stop()
        #expect(try probe("plain.mp3") == "mp3,44100,2")
        let stream = IcyStream(
            Array(try Data(contentsOf: URL(fileURLWithPath: folder.path("icy")))), interval: 16_000)
        if coding == .aac { #expect(stream.titles.last == "Björk - Jóga", "\(stream.titles)") }
        service.stop()
        source.stop()
    }

    private func killEncoder(of service: AircheckService) throws {
        let found = try RunningProgram.run(
            "pgrep", ["-P", "\(service.pid)", "-f", "aircheck-media work"], in: folder
        ).output.split(separator: "\n").compactMap { Int32($0) }
        #expect(found.count == 1, "\(found)")
        for pid in found { kill(pid, SIGKILL) }
    }

    @Test(
        "HLS over HTTPS is heard over plain HTTP, as the AAC that it is and as MP3",
        .enabled(if: getuid() == 0 && RunningProgram.isInstalled("unshare"), "needs root for a namespace"))
    func hls() throws {
        let port = FreePort.next()
        let relayPort = FreePort.next()
        _ = try folder.folder("hls")
        let certificate = try RunningProgram.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                "-addext", "subjectAltName=DNS:localhost", "-keyout", folder.path("key.pem"), "-out",
                folder.path("cert.pem"),
            ], in: folder)
        #expect(certificate.exitCode == 0, "\(certificate.errors)")
        let studio = try RunningProgram(
            "ffmpeg",
            [
                "-loglevel", "error", "-re", "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=44100",
                "-ac",
                "2", "-c:a", "aac", "-b:a", "96k", "-f", "hls", "-hls_time", "2", "-hls_list_size", "5",
                "-hls_flags", "delete_segments", folder.path("hls/live.m3u8"),
            ], in: folder)
        let web = try RunningProgram(
            "python3",
            [
                "-c", Self.server, "\(port)", folder.path("hls"), folder.path("cert.pem"),
                folder.path("key.pem"),
            ],
            in: folder)
        #expect(
            eventually(within: 20) {
                FreePort.isOpen(port) && FileManager.default.fileExists(atPath: folder.path("hls/live2.ts"))
            })
        // Only this service trusts the certificate: the list of authorities is another one in its namespace.
        let words =
            "mount --bind \(folder.path("cert.pem")) /etc/ssl/certs/ca-certificates.crt && exec \(Built.aircheck)"
            + " relay https://localhost:\(port)/live.m3u8 --mount /hls-radio --port \(relayPort)"
        let relay = try RunningProgram(
            "unshare", ["-m", "sh", "-c", words], in: folder, environment: Built.environment(folder))
        #expect(eventually(within: 20) { FreePort.isOpen(relayPort) }, "\(relay.errors)")
        let aac = try listen("http://127.0.0.1:\(relayPort)/hls-radio", into: "hls.aac")
        let mp3 = try listen("http://127.0.0.1:\(relayPort)/hls-radio.mp3", into: "hls.mp3")
        #expect(
            eventually(within: 30) { size("hls.aac") > 60_000 && size("hls.mp3") > 60_000 },
            "\(size("hls.aac")) \(size("hls.mp3")) \(relay.errors)")
        aac.stop()
        mp3.stop()
        #expect(try probe("hls.aac") == "aac,44100,2")
        #expect(try probe("hls.mp3") == "mp3,44100,2")
        relay.stop()
        web.stop()
        studio.stop()
    }

    private static let server = """
        import functools, http.server, ssl, sys
        port, folder, cert, key = sys.argv[1:]
        handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=folder)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", int(port)), handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(cert, key)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        server.serve_forever()
        """
}

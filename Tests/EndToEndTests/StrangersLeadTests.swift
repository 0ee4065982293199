import Foundation
import TestPrograms
import TestStations
import Testing

/// A public station must not lead us to this machine or its neighbours: not by a redirect, a list, a variant, a segment or a
/// key. In a network of its own, nginx is the station on a public address, and the canary on loopback.
@Suite(
    "EndToEnd: where strangers lead", .serialized,
    .enabled(
        if: getuid() == 0 && ["nginx", "unshare", "ip", "curl"].allSatisfy(RunningProgram.isInstalled),
        "needs root, nginx, unshare, ip and curl"))
struct StrangersLeadTests {
    private static let station = "203.0.114.1"
    private static let canary = "http://127.0.0.1:81"

    /// What is served at an address of the station: a redirect, or a body that names `inside`.
    private static func page(_ kind: String, _ inside: String) -> (type: String, body: String)? {
        switch kind {
        case "m3u": return ("audio/x-mpegurl", "\(inside)/m3u\\n")
        case "pls": return ("audio/x-scpls", "[playlist]\\nFile1=\(inside)/pls\\nNumberOfEntries=1\\n")
        case "xspf":
            return (
                "application/xspf+xml",
                "<playlist version=\\\"1\\\"><trackList><track><location>\(inside)/xspf</location></track></trackList></playlist>"
            )
        case "asx": return ("video/x-ms-asf", "<asx><entry><ref href=\\\"\(inside)/asx\\\"/></entry></asx>")
        case "variant":
            return (
                "application/vnd.apple.mpegurl",
                "#EXTM3U\\n#EXT-X-STREAM-INF:BANDWIDTH=64000\\n\(inside)/variant\\n"
            )
        case "segment":
            return (
                "application/vnd.apple.mpegurl",
                "#EXTM3U\\n#EXT-X-TARGETDURATION:2\\n#EXT-X-MEDIA-SEQUENCE:1\\n#EXTINF:2,\\n\(inside)/segment\\n"
            )
        case "key":
            return (
                "application/vnd.apple.mpegurl",
                "#EXTM3U\\n#EXT-X-TARGETDURATION:2\\n#EXT-X-MEDIA-SEQUENCE:1\\n"
                    + "#EXT-X-KEY:METHOD=AES-128,URI=\\\"\(inside)/key\\\"\\n#EXTINF:2,\\n/zeros\\n"
            )
        case "map":
            return (
                "application/vnd.apple.mpegurl",
                "#EXTM3U\\n#EXT-X-TARGETDURATION:2\\n#EXT-X-MEDIA-SEQUENCE:1\\n"
                    + "#EXT-X-MAP:URI=\\\"\(inside)/map\\\"\\n#EXTINF:2,\\n/zeros\\n"
            )
        default: return nil
        }
    }

    private static let kinds = ["redirect", "m3u", "pls", "xspf", "asx", "variant", "segment", "key", "map"]

    private func locations() -> String {
        Self.kinds.map { kind in
            guard let page = Self.page(kind, Self.canary) else {
                return "location = /\(kind) { return 302 \(Self.canary)/\(kind); }"
            }
            return "location = /\(kind) { default_type \(page.type); return 200 \"\(page.body)\"; }"
        }.joined(separator: "\n")
    }

    /// What came of probing each kind.
    private struct Walk {
        /// What the command printed, by kind.
        var told: [String: String] = [:]
        var codes = ""
        /// Lines of the access logs.
        var asked = ""
        var touched: [Substring] = []
    }

    private func walk(_ environment: [String: String] = [:]) throws -> Walk {
        let folder = try TemporaryFolder("strangers")
        let conf = try folder.write(
            "nginx.conf",
            """
            daemon on; pid \(folder.path("nginx.pid")); error_log \(folder.path("error.log"));
            events {}
            http {
              client_body_temp_path \(folder.path("t1")); proxy_temp_path \(folder.path("t2"));
              fastcgi_temp_path \(folder.path("t3")); uwsgi_temp_path \(folder.path("t4"));
              scgi_temp_path \(folder.path("t5"));
              server { listen \(Self.station):80; access_log \(folder.path("station.log"));
                \(locations())
                location = /zeros { return 200 "zeros"; } }
              server { listen 127.0.0.1:81; access_log \(folder.path("canary.log"));
                location / { return 404; } }
            }

            """)
        let script = """
            ip link set lo up && ip addr add \(Self.station)/32 dev lo && nginx -p \(folder.path) -c \(conf) || exit 9
            for kind in \(Self.kinds.joined(separator: " ")); do
              \(Built.aircheck) probe http://\(Self.station)/$kind --for 4s > "\(folder.path)/$kind.out" 2>&1
              echo "$kind $?"
            done
            curl -s -o /dev/null \(Self.canary)/control
            kill $(cat \(folder.path("nginx.pid")))
            """
        let run = try RunningProgram.run(
            "unshare", ["-n", "/bin/sh", "-c", script], in: folder,
            environment: Built.environment(folder).merging(environment) { $1 }, within: 120)
        #expect(run.exitCode == 0, "\(run.errors)")
        func text(_ name: String) -> String {
            (try? String(contentsOfFile: folder.path(name), encoding: .utf8)) ?? ""
        }
        var walk = Walk(codes: run.output)
        for kind in Self.kinds { walk.told[kind] = text("\(kind).out") }
        walk.asked = text("station.log")
        walk.touched = text("canary.log").split(separator: "\n")
        return walk
    }

    @Test("none of them reaches this machine, and the station itself is still read")
    func canary() throws {
        let walk = try walk()
        for kind in Self.kinds {
            let told = walk.told[kind] ?? ""
            #expect(!walk.codes.contains("\(kind) 0\n"), "\(kind): \(told)")
            // Of a segment it is only said that there is no audio.
            let reason = ["segment", "key", "map"].contains(kind) ? "no audio" : "not allowed"
            #expect(told.contains(reason), "\(kind): \(told)")
        }
        for kind in Self.kinds { #expect(walk.asked.contains("GET /\(kind) "), "\(kind) was not asked for") }
        #expect(
            walk.touched.count == 1 && walk.touched.allSatisfy { $0.contains("GET /control ") },
            "\(walk.touched)")
    }

    @Test("with ingest.allow_private_addresses all of them do")
    func allowed() throws {
        let walk = try walk(["AIRCHECK_INGEST_ALLOW_PRIVATE_ADDRESSES": "true"])
        for kind in Self.kinds {
            #expect(
                walk.touched.contains { $0.contains("GET /\(kind) ") },
                "\(kind) was not followed: \(walk.told[kind] ?? "")")
        }
    }

    @Test(
        "a station's picture is fetched from this machine where that is allowed, and not otherwise",
        arguments: [false, true])
    func picture(isAllowed: Bool) throws {
        let folder = try TemporaryFolder("strangers-picture")
        let picture: [UInt8] =
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 0, count: 64)
        let house = try ScriptedStation(
            Programme(NumberedFrames()), script: { _ in Step.answer(type: "image/png", body: picture) })
        let service = try AircheckService(
            in: folder,
            stations: """
                [[station]]
                id = "far"
                name = "Far"
                urls = ["http://radio.example/live"]
                logo = "\(house.url("/logo.png"))"

                """,
            settings: "[ingest]\nallow_private_addresses = \(isAllowed)\n")
        let answer = try RunningProgram.run(
            "curl",
            [
                "-s", "-o", "/dev/null", "-w", "%{http_code}",
                service.address + "/api/v1/stations/far/artwork",
            ],
            in: folder)
        #expect(answer.output == (isAllowed ? "200" : "404"))
        #expect(house.requests.count == (isAllowed ? 1 : 0))
        service.stop()
        house.stop()
    }
}

import Foundation
import TestPrograms
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

    @Test("none of them reaches this machine, and the station itself is still read")
    func canary() throws {
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
            "unshare", ["-n", "/bin/sh", "-c", script], in: folder, environment: Built.environment(folder),
            within: 120)
        #expect(run.exitCode == 0, "\(run.errors)")
        for kind in Self.kinds {
            let told = (try? String(contentsOfFile: folder.path("\(kind).out"), encoding: .utf8)) ?? ""
            #expect(!run.output.contains("\(kind) 0\n"), "\(kind): \(told)")
            // Of a segment it is only said that there is no audio.
            let reason = ["segment", "key", "map"].contains(kind) ? "no audio" : "not allowed"
            #expect(told.contains(reason), "\(kind): \(told)")
        }
        let asked = try String(contentsOfFile: folder.path("station.log"), encoding: .utf8)
        for kind in Self.kinds { #expect(asked.contains("GET /\(kind) "), "\(kind) was not asked for") }
        let touched = try String(contentsOfFile: folder.path("canary.log"), encoding: .utf8).split(
            separator: "\n")
        #expect(touched.count == 1 && touched.allSatisfy { $0.contains("GET /control ") }, "\(touched)")
    }
}

import HTTPWire
import JSONText
import Platform
import Relay
import StreamFormats
import TestPrograms
import TestStations
import Testing

@Suite("Relay pages")
struct PageTests {
    private static var other: Station { Station(id: "other", name: "Other & <Co>\r\nX: y", urls: []) }
    private static let admin = ["Authorization: Basic YWRtaW46aGFja21l"]

    private func get(_ bench: RelayBench, _ path: String, _ headers: [String] = []) -> (
        head: String, body: String
    ) {
        let client = RawListener(port: bench.port, get: path, headers: headers + ["Connection: close"])
        client.readAll()
        return (client.head(), String(decoding: client.body, as: UTF8.self))
    }

    @Test("playlists name the address that the request came for")
    func playlists() throws {
        let bench = try RelayBench([RelayBench.demo, Self.other], favourites: ["other"])
        let m3u = get(bench, "demo.m3u")
        #expect(m3u.head.contains("Content-Type: audio/x-mpegurl\r\n"))
        #expect(m3u.body == "#EXTM3U\n#EXTINF:-1,Demo Radio\n\(bench.url("demo"))\n")
        let pls = get(bench, "demo.pls")
        #expect(pls.head.contains("Content-Type: audio/x-scpls\r\n"))
        #expect(pls.body.contains("File1=\(bench.url("demo"))\n") && pls.body.contains("Length1=-1\n"))
        let xspf = get(bench, "other.xspf")
        #expect(xspf.head.contains("Content-Type: application/xspf+xml; charset=UTF-8\r\n"))
        #expect(xspf.body.contains("<location>\(bench.url("other"))</location>"))
        #expect(xspf.body.contains("Other &amp; &lt;Co&gt;"))
        #expect(get(bench, "tests/demo.m3u").body.contains("\(bench.url("tests/demo"))\n"))
        #expect(get(bench, "all.m3u").body.split(separator: "\n").count == 5)
        #expect(get(bench, "favourites.m3u").body.split(separator: "\n").count == 3)
        #expect(get(bench, "nobody.m3u").head.hasPrefix("HTTP/1.1 404 "))
    }

    @Test("status-json.xsl has its Icecast shape with no, one and two mounts, and strings stay strings")
    func status() throws {
        let bench = try RelayBench([RelayBench.demo, Self.other])
        func root() throws -> JSONValue {
            let page = get(bench, "status-json.xsl")
            #expect(page.head.contains("Content-Type: application/json; charset=UTF-8\r\n"))
            #expect(page.head.contains("Access-Control-Allow-Origin: *\r\n"))
            return try #require(try JSONValue.parse(page.body)["icestats"])
        }
        #expect(try root()["source"] == nil)
        #expect(try root()["server_start_iso8601"]?.string?.hasSuffix("+0000") == true)
        bench.title("1979")
        bench.publish(0..<100)
        let first = RawListener(port: bench.port, get: "demo")
        _ = first.body(upTo: 417)
        #expect(eventually(within: 5) { bench.relay.snapshot.openMounts.count == 1 })
        let one = try #require(try root()["source"])
        #expect(one["title"] == .string("1979"))
        #expect(one["listenurl"]?.string == bench.url("demo"))
        #expect(one["server_type"]?.string == "audio/mpeg")
        #expect(one["listeners"]?.int != nil)
        let text = get(bench, "status-json.xsl").body
        let places = ["\"audio_info\"", "\"listenurl\"", "\"server_name\"", "\"title\""].map {
            text.firstRange(of: $0)?.lowerBound
        }
        #expect(
            places.allSatisfy { $0 != nil } && places.compactMap(\.self) == places.compactMap(\.self).sorted()
        )
        bench.publish(0..<100, to: "other")
        let second = RawListener(port: bench.port, get: "other")
        _ = second.body(upTo: 417)
        #expect(eventually(within: 5) { bench.relay.snapshot.openMounts.count == 2 })
        #expect(try root()["source"]?.array?.count == 2)
        let array = try JSONValue.parse(get(bench, "status-json.xsl?array=1").body)
        #expect(array["icestats"]?["source"]?.array?.count == 2)
        for asked in ["/other", "other", "%2Fother"] {
            let only = try JSONValue.parse(get(bench, "status-json.xsl?mount=\(asked)").body)
            #expect(only["icestats"]?["source"]?["listenurl"]?.string == bench.url("other"))
        }
        let none = try JSONValue.parse(get(bench, "status-json.xsl?mount=/nobody").body)
        #expect(none["icestats"] != nil && none["icestats"]?["source"] == nil)
    }

    @Test("the administrator moves everybody from one mount to another, at the end of a frame")
    func move() throws {
        let bench = try RelayBench([RelayBench.demo, Self.other])
        let other = NumberedFrames(programme: "B")
        bench.publish(0..<100)
        bench.publish(0..<100, of: other, to: "other")
        let listeners = ["", "Icy-MetaData: 1"].map {
            RawListener(port: bench.port, get: "demo", headers: $0.isEmpty ? [] : [$0])
        }
        for listener in listeners { _ = listener.body(upTo: 100 * 417) }
        _ = RawListener(port: bench.port, get: "other").body(upTo: 417)
        #expect(eventually(within: 5) { bench.relay.snapshot.openMounts.count == 2 })
        #expect(
            get(bench, "admin/moveclients?mount=/demo&destination=/nobody", Self.admin).head.hasPrefix(
                "HTTP/1.1 400 "))
        let answer = get(bench, "admin/moveclients?mount=/demo&destination=/other", Self.admin)
        #expect(answer.body.contains("<return>1</return>"), "\(answer.body)")
        bench.publish(100..<160, of: other, to: "other")
        for (listener, hasTitles) in zip(listeners, [false, true]) {
            listener.readBody(upTo: 150 * 417)
            let audio = hasTitles ? IcyReader(listener.body).audio : listener.body
            let programmes = stride(from: 0, to: audio.count - 416, by: 417).map { at in
                NumberedFrames().number(of: audio, at: at) != nil
                    ? "A" : other.number(of: audio, at: at) != nil ? "B" : "?"
            }.joined()
            #expect(!programmes.contains("?") && programmes.hasPrefix("AAAA") && programmes.hasSuffix("BBBB"))
            #expect(!programmes.contains("BA"))
        }
        #expect(eventually(within: 5) { bench.relay.snapshot.connected == 2 })
        #expect(
            get(bench, "admin/buildm3u?mount=/demo&username=me&password=a%20b", Self.admin).body
                == "http://me:a%20b@127.0.0.1:\(bench.port)/demo\r\n")
    }

    @Test(
        "a page elsewhere cannot use the credentials that a browser remembers",
        arguments: [
            "admin/killsource?mount=/demo", "admin/killclient?mount=/demo&id=1",
            "admin/moveclients?mount=/demo&destination=/other",
            "admin/metadata?mode=updinfo&mount=/demo&song=x", "admin.cgi?mode=updinfo&mount=/demo&song=x",
        ])
    func forged(path: String) throws {
        let bench = try RelayBench([RelayBench.demo, Self.other])
        bench.publish(0..<100)
        let listener = RawListener(port: bench.port, get: "demo")
        _ = listener.body(upTo: 417)
        for header in ["Sec-Fetch-Site: cross-site", "Origin: http://evil.example", "Accept-Language: de"] {
            let answer = get(bench, path, Self.admin + [header])
            #expect(answer.head.hasPrefix("HTTP/1.1 403 ") && answer.body.contains("foreign_origin"))
        }
        // Reading is not changing, and a program sends none of these.
        let read = get(bench, "admin/stats", Self.admin + ["Sec-Fetch-Site: cross-site"])
        #expect(read.head.hasPrefix("HTTP/1.1 200 "))
        #expect(bench.relay.snapshot.connected == 1)
        #expect(!get(bench, path, Self.admin).head.hasPrefix("HTTP/1.1 403 "))
    }

    @Test("the administrator sees and ends listeners; nobody else does")
    func admin() throws {
        let bench = try RelayBench()
        bench.publish(0..<100)
        let listener = RawListener(port: bench.port, get: "demo", headers: ["User-Agent: <player> & co"])
        _ = listener.body(upTo: 417)
        #expect(eventually(within: 5) { bench.relay.snapshot.openMounts.count == 1 })
        for page in [
            "stats", "listmounts", "listclients?mount=/demo", "killsource?mount=/demo", "streamlist.txt",
        ] {
            let refused = get(bench, "admin/\(page)")
            #expect(refused.head.hasPrefix("HTTP/1.1 401 "))
            #expect(refused.head.contains("WWW-Authenticate: Basic realm=\"Icecast2 Server\"\r\n"))
        }
        #expect(get(bench, "admin/stats", Self.admin).body.contains("<source mount=\"/demo\">"))
        #expect(
            get(bench, "admin/listmounts", Self.admin).body.contains(
                "<content-type>audio/mpeg</content-type>"))
        #expect(get(bench, "admin/streamlist.txt", Self.admin).body == "/demo\r\n")
        let clients = get(bench, "admin/listclients?mount=/demo", Self.admin).body
        #expect(clients.contains("<UserAgent>&lt;player&gt; &amp; co</UserAgent>"))
        #expect(clients.contains("<IP>127.0.0.1</IP>"))
        let id = try #require(clients.split(separator: "<ID>").last?.split(separator: "<").first)
        #expect(
            get(bench, "admin/killclient?mount=/demo&id=999999", Self.admin).body.contains(
                "<return>0</return>"))
        #expect(
            get(bench, "admin/killclient?mount=/demo&id=\(id)", Self.admin).body.contains(
                "<return>1</return>"))
        listener.readAll()
        #expect(eventually(within: 5) { bench.relay.snapshot.connected == 0 })
        #expect(get(bench, "admin/listclients?mount=/nobody", Self.admin).head.hasPrefix("HTTP/1.1 400 "))
        #expect(get(bench, "admin/nonsense", Self.admin).head.hasPrefix("HTTP/1.1 404 "))
    }
}

import Foundation
import JSONText
import TestPrograms
import Testing

/// The Radio Browser directory: a small one on loopback, and a client of others that asks us.
@Suite(
    "EndToEnd: the directory", .serialized,
    .enabled(if: RunningProgram.isInstalled("python3"), "needs python3"))
struct DirectoryTests {
    private let folder: TemporaryFolder
    private let port = FreePort.next()

    init() throws { folder = try TemporaryFolder("directory") }

    private func station(_ number: Int, url: String? = nil) -> JSONValue {
        let uuid =
            "\(String(repeating: "0", count: 8 - "\(number)".count))\(number)-0601-11e8-ae97-52543be04c81"
        return [
            "stationuuid": .string(uuid), "name": .string("Directory Radio \(number)"),
            "url": .string(url ?? "http://radio\(number).example/live"), "url_resolved": "", "homepage": "",
            "favicon": "", "tags": "jazz", "country": "Germany", "countrycode": "DE", "state": "",
            "language": "german", "votes": .int(Int64(number)), "clickcount": 0, "codec": "MP3",
            "bitrate": 128,
            "lastcheckok": 1, "hls": 0,
        ]
    }

    private func broadcast(_ stations: [JSONValue]) throws {
        _ = try folder.write("stations.json", JSONValue.array(stations).text())
    }

    /// Answers with what is in the file, and writes down who asked for what.
    private func startMirror() throws -> RunningProgram {
        let script = try folder.write(
            "mirror.py",
            """
            import http.server, sys
            class Mirror(http.server.BaseHTTPRequestHandler):
                def do_GET(self):
                    open(sys.argv[2] + "/asked", "a").write(self.path + " " + self.headers.get("User-Agent", "") + "\\n")
                    body = open(sys.argv[2] + "/stations.json", "rb").read()
                    self.send_response(200)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
                def log_message(self, *words): pass
            http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Mirror).serve_forever()
            """)
        let mirror = try RunningProgram(
            "python3", [script, "\(port)", folder.path], in: folder, name: "mirror")
        #expect(eventually(within: 10) { FreePort.isOpen(port) })
        return mirror
    }

    private var asked: String { (try? String(contentsOfFile: folder.path("asked"), encoding: .utf8)) ?? "" }

    private func startService() throws -> AircheckService {
        let dead = FreePort.next()
        return try AircheckService(
            in: folder,
            settings:
                "[player]\noutput = \"null\"\n[catalogue]\ndirectory_mirrors = [\"http://127.0.0.1:\(dead)\", \"http://127.0.0.1:\(port)\"]\n"
        )
    }

    @Test(
        "the snapshot is fetched from whoever answers, searched offline, and a favourite outlives its entry")
    func snapshot() throws {
        let mirror = try startMirror()
        try broadcast((1...300).map { station($0) })
        let service = try startService()
        #expect(try service.get("/api/v1/directory")["state"]?.string == "none")
        let fetched = try service.command(["stations", "directory", "--refresh"])
        #expect(fetched.exitCode == 0 && fetched.output.hasPrefix("300 stations"), "\(fetched)")
        #expect(asked.contains("/json/stations?hidebroken=false aircheck/"))
        let found = try service.command(["stations", "search", "directory", "radio", "77", "--ids"])
        #expect(found.output == "rb-00000077-0601-11e8-ae97-52543be04c81\n")
        let id = "rb-00000077-0601-11e8-ae97-52543be04c81"
        try service.call("PUT", "/api/v1/stations/\(id)/favourite", ["value": true])
        // The directory has a better address for it, then drops it.
        try broadcast((1...300).map { station($0, url: $0 == 77 ? "http://better.example/live" : nil) })
        #expect(try service.command(["stations", "directory", "--refresh"]).exitCode == 0)
        let favourites = try service.get("/api/v1/stations?favourites=true").text()
        #expect(
            favourites.contains("http://better.example/live")
                && favourites.contains("http://radio77.example/live"))
        try broadcast((1...300).filter { $0 != 77 }.map { station($0) })
        let second = try service.command(["stations", "directory", "--refresh", "--json"])
        let last = try JSONValue.parse(second.output)["last"]
        #expect(last?["removed"]?.int == 1 && last?["own_removed"]?.array?.count == 1, "\(second)")
        #expect(try service.get("/api/v1/stations?favourites=true").text().contains("Directory Radio 77"))
        service.stop()
        mirror.stop()
    }

    @Test("asking over the network: what is found can be taken over, and the answer is kept")
    func online() throws {
        let mirror = try startMirror()
        try broadcast([station(5)])
        let service = try startService()
        for _ in 0..<2 {
            let found = try service.command(["stations", "search", "--online", "radio", "5", "--ids"])
            #expect(found.output == "rb-00000005-0601-11e8-ae97-52543be04c81\n", "\(found.errors)")
        }
        #expect(asked.split(separator: "\n").count == 1, "the answer is kept")
        #expect(asked.contains("/json/stations/search?name=radio%205"))
        try service.call(
            "PUT", "/api/v1/stations/rb-00000005-0601-11e8-ae97-52543be04c81/favourite", ["value": true])
        #expect(try service.get("/api/v1/stations?favourites=true").text().contains("Directory Radio 5"))
        mirror.stop()
        let refused = try service.command(["stations", "search", "--online", "other"])
        #expect(
            refused.exitCode == 75 && refused.errors.contains("directory cannot be reached"), "\(refused)")
        service.stop()
    }

    @Test("a file of stations comes in whole and goes out whole, and nothing of the directory with it")
    func files() throws {
        let mirror = try startMirror()
        try broadcast((1...20).map { station($0) })
        let service = try startService()
        #expect(try service.command(["stations", "directory", "--refresh"]).exitCode == 0)
        let lines = (1...1200).flatMap {
            ["#EXTINF:-1 group-title=\"Friends\",Friend \($0)", "http://friend.example/\($0)"]
        }
        let list = try folder.write("friends.m3u", (["#EXTM3U"] + lines).joined(separator: "\n"))
        let added = try service.command(["stations", "import", list])
        #expect(added.errors.contains("1200 stations added, 0 were there already"), "\(added.errors)")
        let again = try service.command(["stations", "import", list])
        #expect(again.errors.contains("0 stations added, 1200 were there already"), "\(again.errors)")
        let exported = try service.command(["stations", "export", "--format", "m3u"]).output
        #expect(
            exported.contains("http://friend.example/1\n")
                && exported.contains("http://friend.example/1200\n"))
        #expect(!exported.contains("Directory Radio"))
        // One that is no UTF-8.
        let old = folder.path("old.pls")
        let latin = "[playlist]\nFile1=http://old.example/1\nTitle1=Radio Fran".utf8 + [0xE7] + "aise\n".utf8
        try Data(latin).write(to: URL(fileURLWithPath: old))
        let taken = try service.command(["stations", "import", old])
        #expect(taken.errors.contains("1 station added"), "\(taken.errors)")
        #expect(
            try service.get("/api/v1/stations?query=francaise")["stations"]?.array?.first?["name"]?.string
                == "Radio Française")
        let none = try folder.write("no.m3u", "<html></html>")
        let refused = try service.command(["stations", "import", none])
        #expect(refused.exitCode == 65 && refused.errors.contains("no.m3u"), "\(refused)")
        let few = try service.command(["stations", "search", "friend"])
        #expect(few.errors.contains("100 stations; there may be more: --limit 1000"), "\(few.errors)")
        service.stop()
        mirror.stop()
    }

    @Test(
        "pyradios, with its base address replaced",
        .enabled(if: PythonTools.has("pyradios"), "needs pyradios: scripts/test-python"))
    func pyradios() throws {
        let mirror = try startMirror()
        try broadcast((1...20).map { station($0) })
        let service = try startService()
        #expect(try service.command(["stations", "directory", "--refresh"]).exitCode == 0)
        let script = try folder.write(
            "session.py",
            """
            import pyradios.radios as radios
            radios.pick_base_url = lambda: "\(service.address)/rb/"
            rb = radios.RadioBrowser()
            assert any(c["name"] == "Germany" and c["stationcount"] == 20 for c in rb.countries()), rb.countries()
            assert {"name": "jazz", "stationcount": 20} in rb.tags("jazz")
            assert any(c["name"] == "MP3" for c in rb.codecs())
            rb.languages(); rb.states(); rb.countrycodes()
            found = rb.search(name="directory radio 1", name_exact=False, order="votes", reverse=True, limit=3)
            assert [s["name"] for s in found][0] == "Directory Radio 19", found
            assert len(rb.stations_by_tag("jazz")) == 20
            assert len(rb.stations_by_country("Germany")) == 20
            assert rb.stations_by_name("Directory Radio 7", exact=True)[0]["bitrate"] == 128
            assert [s["name"] for s in rb.stations_by_votes(2)] == ["Directory Radio 20", "Directory Radio 19"]
            one = rb.station_by_uuid(found[0]["stationuuid"])[0]
            assert one["url"] == "http://radio19.example/live"
            assert rb.click_counter(one["stationuuid"])["ok"] is True
            assert any(s["name"] == "aircheck demo" for s in rb.stations())
            print("done")
            """)
        let session = try PythonTools.run(script, in: folder)
        #expect(session.output == "done\n", "\(session.errors)")
        #expect(
            eventually(within: 5) {
                asked.contains("/json/url/00000019-0601-11e8-ae97-52543be04c81 aircheck/")
            })
        service.stop()
        mirror.stop()
    }
}

import Foundation
import JSONText
import TestPrograms
import Testing

/// What the service does for somebody while they do something else: waits for songs, looks after stations, chooses.
@Suite(
    "EndToEnd: companions", .serialized,
    .enabled(if: RunningProgram.isInstalled("icecast2"), "needs icecast2"))
struct CompanionTests {
    private let folder: TemporaryFolder
    private let icecast: Icecast
    private let sources: [RunningProgram]
    private let names = ["alpha", "beta"]

    init() throws {
        folder = try TemporaryFolder("companions")
        let (folder, icecast) = (folder, try Icecast(in: folder))
        self.icecast = icecast
        sources = try ["alpha", "beta"].enumerated().map { number, name in
            try FFmpegSource.tone(400 + 200 * number, to: icecast, mount: name, in: folder)
        }
        try icecast.awaitSources("alpha", "beta", in: folder)
        try icecast.setTitle("The Band - The Song", mount: "alpha", in: folder)
        try icecast.setTitle("Other People - Other Song", mount: "beta", in: folder)
    }

    private func startService(_ settings: String = "") throws -> AircheckService {
        let stations = names.map {
            "[[station]]\nid = \"\($0)\"\nname = \"Radio \($0)\"\nurls = [\"\(icecast.url($0))\"]\nlocal = true\n"
        }
        let service = try AircheckService(
            in: folder, stations: stations.joined(),
            settings: "[player]\noutput = \"null\"\n[catalogue]\n" + settings)
        for name in names { try service.call("PUT", "/api/v1/stations/\(name)/favourite", ["value": true]) }
        return service
    }

    private func station(_ service: AircheckService) -> String? {
        try? service.get("/api/v1/player")["station"]?["id"]?.string
    }

    @Test("a watch-list finds a song on a favourite that nobody reads, and tunes to it")
    func watchList() throws {
        let service = try startService("probe_every = \"0s\"\n")
        let added = try service.command(["watch", "add", "the", "band", "--in", "artist", "--action", "tune"])
        #expect(added.exitCode == 0, "\(added.errors)")
        #expect(eventually(within: 40) { station(service) == "alpha" })
        let watch = try service.get("/api/v1/watches")["watches"]?.array?.first
        #expect(watch?["hits"]?.int == 1 && watch?["action"]?.string == "tune")
        #expect(
            eventually(within: 40, every: 0.5) {
                let rows = try? service.get("/api/v1/now")["favourites"]?.array
                return rows?.compactMap { $0["now"]?["title"]?.string } == ["The Song", "Other Song"]
            })
        let shown = try service.command(["favourites"])
        #expect(shown.output.contains("Other People - Other Song"), "\(shown.output)")
        // Rows are written a moment after they are known.
        #expect(
            eventually(within: 15, every: 0.5) {
                (try? service.command(["log", "other"]).output.contains("beta")) == true
            })
        #expect(try service.command(["watch", "remove", "1"]).exitCode == 0)
        #expect(try service.get("/api/v1/watches")["watches"]?.array?.isEmpty == true)
        service.stop()
        sources.forEach { $0.stop() }
    }

    @Test("a watch-list records a song that airs where the player listens, to its end")
    func watchAndRecord() throws {
        let service = try startService("probe_every = \"0s\"\non_now_every = \"0s\"\n")
        try service.call("POST", "/api/v1/watches", ["words": "the next one", "action": "record"])
        try service.call("POST", "/api/v1/player/play", ["station": "alpha"])
        #expect(eventually(within: 15) { (try? service.get("/api/v1/player")["state"]?.string) == "live" })
        Thread.sleep(forTimeInterval: 3)
        try icecast.setTitle("Somebody - The Next One", mount: "alpha", in: folder)
        #expect(
            eventually(within: 15) { (try? service.get("/api/v1/status")["recordings"]?.array?.count) == 1 })
        // A piece of less than ten seconds is no song.
        Thread.sleep(forTimeInterval: 15)
        try icecast.setTitle("Somebody - And On", mount: "alpha", in: folder)
        #expect(
            eventually(within: 30) {
                (try? service.get("/api/v1/status")["recordings"]?.array?.isEmpty) == true
            })
        let row = try service.get("/api/v1/recordings")["recordings"]?.array?.first
        #expect(row?["path"]?.string?.contains("The Next One") == true, "\(row?.text() ?? "nothing")")
        service.stop()
        sources.forEach { $0.stop() }
    }

    @Test(
        "a thumb down leaves the station; a dial chooses by what airs, says why, and does not come back to what was disliked"
    )
    func dial() throws {
        let service = try startService("probe_every = \"0s\"\n")
        try service.call("POST", "/api/v1/player/play", ["station": "alpha", "list": "favourites"])
        #expect(
            eventually(within: 15) {
                (try? service.get("/api/v1/player")["now"]?["title"]?.string) == "The Song"
            })
        #expect(try service.command(["thumb", "up"]).exitCode == 0)
        #expect(station(service) == "alpha", "a thumb up leaves nothing")
        #expect(try service.command(["dial", "add", "--artist", "the band"]).exitCode == 0)
        try service.call("POST", "/api/v1/player/play", ["station": "beta", "list": "favourites"])
        #expect(
            eventually(within: 15) {
                (try? service.get("/api/v1/player")["now"]?["title"]?.string) == "Other Song"
            })
        let played = try service.command(["dial", "play", "1"])
        #expect(
            played.output == "Radio alpha plays The Band - The Song, which this dial is made for.\n",
            "\(played)")
        #expect(
            eventually(within: 15) { (try? service.get("/api/v1/player")["heard"]?["id"]?.string) == "alpha" }
        )
        #expect(try service.command(["dial", "why"]).output == played.output)
        let disliked = try service.command(["thumb", "down"])
        let shown = try service.get("/api/v1/player").text()
        #expect(disliked.exitCode == 0, "\(disliked)\n\(shown)")
        #expect(eventually(within: 5) { station(service) == "beta" })
        let choices = try service.get("/api/v1/dials/1/choices")["choices"]?.array ?? []
        #expect(!choices.contains { $0["station"]?["id"]?.string == "alpha" }, "it airs what was disliked")
        #expect(try service.get("/api/v1/thumbs")["thumbs"]?.array?.first?["direction"]?.string == "down")
        service.stop()
        sources.forEach { $0.stop() }
    }

    @Test("stations are tried, dead air is an alarm, and both are told")
    func care() throws {
        let service = try startService("probe_every = \"0s\"\ndead_air = \"3s\"\n")
        let probe = try service.call("POST", "/api/v1/stations/alpha/probe", [:])
        #expect(
            probe["state"]?.string == "audio" && probe["codec"]?.string == "mp3"
                && probe["titles"]?.bool == true)
        #expect(abs((probe["kbps"]?.double ?? 0) - 128) < 3)
        #expect((1...5000).contains(probe["first_audio_ms"]?.int ?? 0))
        #expect(try service.get("/api/v1/stations/alpha/probes")["probes"]?.array?.count == 1)
        try service.call("POST", "/api/v1/player/play", ["station": "alpha"])
        #expect(eventually(within: 15) { (try? service.get("/api/v1/player")["state"]?.string) == "live" })
        #expect(try service.get("/api/v1/dead-air")["stations"]?.array?.isEmpty == true)
        icecast.freeze()
        #expect(
            eventually(within: 30, every: 0.2) {
                (try? service.get("/api/v1/dead-air").text())?.contains("alpha") == true
            })
        icecast.thaw()
        #expect(
            eventually(within: 40, every: 0.2) {
                (try? service.get("/api/v1/dead-air").text())?.contains("alpha") == false
            })
        service.stop()
        sources.forEach { $0.stop() }
    }
}

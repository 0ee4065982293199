import Foundation
import Testing

@testable import Catalogue
import TOMLText

@Suite("Station files")
struct StationFileTests {
    @Test("give every key of a station")
    func everyKey() throws {
        let lines = StationField.all.map { "\($0.key) = \($0.example)" }
        let file = StationFile.parse(
            Array("[[station]]\n\(lines.joined(separator: "\n"))\n".utf8), file: "a.toml")
        #expect(file.problems == [])
        let entry = try #require(file.items.first?.entry)
        for field in StationField.all {
            #expect(field.text(of: entry) == field.example, "\(field.key)")
        }
        #expect(entry.station.windowSeconds == 6 * 3600)
        #expect(entry.station.headers.first?.name == "Referer")
    }

    @Test("are read back as they are written")
    func roundTrip() throws {
        let lines = StationField.all.map { "\($0.key) = \($0.example)" }.joined(separator: "\n")
        let first = StationFile.parse(Array("[[station]]\n\(lines)\n".utf8), file: "a.toml")
        let again = StationFile.parse(Array(StationFile.text(first.items.map(\.entry)).utf8), file: "b.toml")
        #expect(again.items.map(\.entry) == first.items.map(\.entry))
    }

    @Test(
        "name file, line, key and remedy of a mistake",
        arguments: [
            (table("x", "X", more: "bitrates = 1"), 5, "station.bitrates", "did you mean bitrate?"),
            (table("x", "X", more: "url = \"http://a.b\""), 5, "station.url", "did you mean urls?"),
            (table("x", "X", more: "bitrate = \"128\""), 5, "station.bitrate", "write a whole number"),
            (table("x", "X", more: "country = \"Norway\""), 5, "station.country", "two letters"),
            (table("x", "X", more: "window = 6"), 5, "station.window", "\"6h\""),
            (table("x", "X", more: "gain = 100"), 5, "station.gain", "-40 to 40"),
            (
                table("x", "X", more: "homepage = \"radio.example\""), 5, "station.homepage",
                "http:// or https://"
            ),
            (table("x", "X", more: "headers = { Host = \"a\" }"), 5, "station.headers", "cannot be set"),
            (
                table("x", "X", more: "headers = { A = \"b\\r\\nC: d\" }"), 5, "station.headers",
                "control character"
            ),
            (table("x", "X", more: "tags = [\"a\",\n3]"), 6, "station.tags", "write a text"),
            (table("x", "X", more: "verified = 1"), 5, "station.verified", "true or false"),
            (table("api", "X"), 2, "station.id", "path of the service itself"),
            (table("all", "X"), 2, "station.id", "try \"all-radio\""),
            (table("Night Drive", "X"), 2, "station.id", "try \"night-drive\""),
            (table("x/../y", "X"), 2, "station.id", "lower-case letters"),
            (table("x", ""), 3, "station.name", "empty"),
            ("[[station]]\nid = \"x\"\nname = \"X\"\n", 1, "station.urls", "missing"),
            (
                "[[station]]\nid = \"x\"\nname = \"X\"\nurls = [\"file:///etc/passwd\"]\n", 4, "station.urls",
                "not an address"
            ),
            ("[station]\nid = \"x\"\n", 1, "station", "two brackets"),
            ("id = \"x\"\n", 1, "id", "put [[station]]"),
            ("[[stations]]\n", 1, "stations", "did you mean [[station]]?"),
            (table("x", "X") + table("x", "Y"), 7, "station.id", "already the station of line 1"),
        ])
    func mistakes(text: String, line: Int, key: String, words: String) throws {
        let file = StationFile.parse(Array(text.utf8), file: "stations/a.toml")
        let problem = try #require(file.problems.first)
        #expect(problem.position?.line == line)
        #expect(problem.key == key)
        #expect(problem.description.contains(words), "\(problem)")
        #expect(problem.description.hasPrefix("stations/a.toml:\(line):"))
    }

    @Test("keep the sound stations beside a broken one")
    func partly() {
        let text = table("a", "A") + table("b", "B", more: "bitrate = -1") + table("c", "C")
        let file = StationFile.parse(Array(text.utf8), file: "a.toml")
        #expect(file.items.map(\.entry.id) == ["a", "c"])
        #expect(file.problems.count == 1)
    }

    @Test("keep addresses byte for byte")
    func addresses() {
        let url = "http://s.example:8057/;stream.nsv?x=%C3%A9&y=[1]#z"
        let file = StationFile.parse(
            Array("[[station]]\nid='x'\nname='X'\nurls=['\(url)']\n".utf8), file: "a.toml")
        #expect(file.items.first?.entry.station.urls == [url])
    }

    @Test("that ship hold sixty real stations and more, each with its source, none claimed to be heard")
    func shipped() throws {
        let folder = projectFolder + "/stations"
        var files = StationFiles(folders: [folder])
        files.reload()
        #expect(files.problems == [])
        let stations = files.stations
        let real = stations.filter { $0.id != "demo" }
        #expect(real.count >= 60)
        #expect(
            real.allSatisfy {
                $0.station.source?.contains("(") == true && !$0.entry.isVerified && !$0.station.isLocal
            })
        let addresses = real.flatMap(\.station.urls)
        #expect(Set(addresses).count == addresses.count)
        let demo = try #require(stations.first { $0.id == "demo" })
        #expect(demo.station.urls == ["http://127.0.0.1:2473/"])
        #expect(demo.station.isLocal)
    }
}

@Suite("Ids out of names")
struct StationIDTests {
    @Test(
        "are what people would type",
        arguments: [
            ("Night Drive FM", "night-drive-fm"), ("Fréquence 3", "frequence-3"), ("  --R&B--  ", "r-b"),
            ("Mouv'", "mouv"), ("Straße Ålesund", "strasse-alesund"), ("API", "api-radio"),
            ("Радио", "radio"),
            ("", "radio"), (String(repeating: "x", count: 300), String(repeating: "x", count: 56)),
        ])
    func names(name: String, id: String) {
        #expect(StationID.made(from: name) == id)
        #expect(StationID.refusal(id) == nil)
    }

    @Test("are numbered where they are taken")
    func taken() {
        #expect(StationID.made(from: "X", taken: { ["x", "x-2"].contains($0) }) == "x-3")
    }

    @Test("never hide a path of the service", arguments: ReservedNames.pathSegments.sorted())
    func reserved(name: String) { #expect(StationID.refusal(name) != nil) }
}

@Suite("Page of station files")
struct StationPageTests {
    @Test("is what the table says; set AIRCHECK_WRITE=1 to write it anew")
    func upToDate() throws {
        let path = projectFolder + "/docs/stations.md"
        if ProcessInfo.processInfo.environment["AIRCHECK_WRITE"] == "1" {
            try StationPage.text.write(toFile: path, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == StationPage.text)
    }
}

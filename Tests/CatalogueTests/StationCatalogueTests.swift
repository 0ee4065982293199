import Foundation
import StreamFormats
import TestPrograms
import Testing

@testable import Catalogue
import Platform
import Store
import TOMLText

@Suite("Station catalogue")
struct StationCatalogueTests {
    private func filled(_ scratch: TemporaryFolder) throws {
        try scratch.write(
            "base/a.toml",
            table("night-drive", "Night Drive", more: "genre = \"jazz\"\ncountry = \"DE\"\ntags = [\"late\"]")
                + table(
                    "night-owl", "Nachteule",
                    more: "genre = \"talk\"\ncountry = \"AT\"\nlanguage = \"german\"")
                + table(
                    "frequence-3", "Fréquence 3", more: "genre = \"pop\"\ncountry = \"FR\"\nbitrate = 128")
                + table("jazz-fm", "Jazz FM", more: "genre = \"jazz\"\ngroups = [\"Kitchen\"]"))
    }

    @Test("reads folders in order, the later winning")
    func folders() throws {
        let scratch = try TemporaryFolder()
        try filled(scratch)
        try scratch.write("own/z.toml", table("night-drive", "My Night Drive"))
        let catalogue = try StationCatalogue(folders: [
            scratch.path + "/base", scratch.path + "/own", "/nonexistent",
        ])
        #expect(catalogue.snapshot.stations.count == 4)
        #expect(catalogue.station("night-drive")?.name == "My Night Drive")
        #expect(catalogue.problems == [])
    }

    @Test(
        "resolves an id, a name, or a unique part of one",
        arguments: [
            ("night-drive", "night-drive"), ("Night Drive", "night-drive"), ("NACHTEULE", "night-owl"),
            ("frequence", "frequence-3"), ("Fréq", "frequence-3"), ("owl", "night-owl"),
            ("fm jazz", "jazz-fm"),
        ])
    func resolves(text: String, id: String) throws {
        let scratch = try TemporaryFolder()
        try filled(scratch)
        #expect(try StationCatalogue(folders: [scratch.path + "/base"]).resolve(text).id == id)
    }

    @Test("lists candidates when a text fits several, and the nearest when it fits none")
    func ambiguous() throws {
        let scratch = try TemporaryFolder()
        try filled(scratch)
        let catalogue = try StationCatalogue(folders: [scratch.path + "/base"])
        let several = #expect(throws: CatalogueError.self) { try catalogue.resolve("night") }
        #expect(several?.description.contains("night-drive (Night Drive), night-owl (Nachteule)") == true)
        let none = #expect(throws: CatalogueError.self) { try catalogue.resolve("nigth-drive") }
        #expect(none == .unknown("nigth-drive", near: ["night-drive"]))
    }

    @Test(
        "finds by beginnings of words, whatever their marks and case",
        arguments: [
            ("jazz", ["jazz-fm", "night-drive"]), ("JAZ", ["jazz-fm", "night-drive"]),
            ("frequence", ["frequence-3"]),
            ("FRÉQ 3", ["frequence-3"]), ("germany", ["night-drive"]), ("late", ["night-drive"]),
            ("german", ["night-owl", "night-drive"]), ("azz", []), ("kitchen", ["jazz-fm"]),
        ])
    func searches(text: String, ids: [String]) throws {
        let scratch = try TemporaryFolder()
        try filled(scratch)
        let found = try StationCatalogue(folders: [scratch.path + "/base"]).search(StationQuery(text))
        #expect(Set(found.map(\.id)) == Set(ids))
        #expect(found.first?.id == ids.first || ids.count > 1)
    }

    @Test(
        "takes whatever is typed as words, never as query language",
        arguments: [
            "'; DROP TABLE station_text", "\" OR *", "NEAR(a b)", "*", "name:x", "a AND", "(", "\"", "^a",
            "{name}: a",
            "\u{0}", "-a", "a + b", String(repeating: "a ", count: 5000), "🎷", "´`", "%", "_",
        ])
    func hostileQueries(text: String) throws {
        let scratch = try TemporaryFolder()
        try filled(scratch)
        let catalogue = try StationCatalogue(folders: [scratch.path + "/base"])
        for query in [text, "jazz " + text] {
            _ = try catalogue.search(StationQuery(query))
            var filter = StationQuery()
            filter.genre = query
            filter.country = query
            _ = try catalogue.search(filter)
        }
        #expect(try catalogue.search(StationQuery("jazz")).count == 2)
    }

    @Test("reads a changed file anew and leaves the rest as it was")
    func reload() throws {
        let scratch = try TemporaryFolder()
        try filled(scratch)
        let seen = Lock<[CatalogueDifference]>([])
        let catalogue = try StationCatalogue(folders: [scratch.path + "/base"]) { difference in
            seen.withLock { $0.append(difference) }
        }
        #expect(catalogue.reload().isEmpty)
        try scratch.write("base/b.toml", table("new", "New"))
        #expect(catalogue.reload().added == ["new"])
        try scratch.write("base/b.toml", table("new", "Newer") + "# and longer\n")
        #expect(catalogue.reload().changed == ["new"])
        try FileManager.default.removeItem(atPath: scratch.path + "/base/b.toml")
        #expect(catalogue.reload().removed == ["new"])
        #expect(seen.withLock { $0.count } == 3)
    }

    @Test("keeps the stations of a file that a slip of the editor broke")
    func brokenReload() throws {
        let scratch = try TemporaryFolder()
        try filled(scratch)
        let catalogue = try StationCatalogue(folders: [scratch.path + "/base"])
        try scratch.write("base/a.toml", "[[station\n")
        #expect(catalogue.reload().isEmpty)
        #expect(catalogue.snapshot.stations.count == 4)
        #expect(catalogue.problems.first?.description.contains("a.toml:1:") == true)
        try scratch.write(
            "base/a.toml", table("night-owl", "Nachteule", more: "bitrate = -1\n") + table("jazz-fm", "J"))
        #expect(catalogue.reload().changed == ["jazz-fm"])
        #expect(catalogue.station("night-owl")?.station.genre == "talk")
    }

    // MARK: Overlay

    @Test("keeps changes on top of files through reload and restart")
    func overlay() throws {
        let scratch = try TemporaryFolder()
        try filled(scratch)
        let folders = [scratch.path + "/base"]
        let database = try scratch.database()
        let catalogue = try StationCatalogue(folders: folders, database: database)
        let place = TOMLPosition(line: 1, column: 1)
        try catalogue.apply(.add(entry("mine", "Mine")))
        try catalogue.apply(
            .edit(
                "night-drive", set: [TOMLEntry("bitrate", at: place, TOMLValue(.integer(64), at: place))],
                clear: ["genre"]))
        try catalogue.apply(.favourite("jazz-fm", true))
        try catalogue.apply(.favourite("mine", true))
        try catalogue.apply(.moveFavourite("mine", 0))
        try catalogue.apply(.preset(3, "night-owl"))
        try catalogue.apply(.hide("frequence-3", true))
        let before = catalogue.snapshot
        database.close()
        let again = try StationCatalogue(folders: folders, database: try scratch.database())
        #expect(again.snapshot.stations == before.stations)
        #expect(again.snapshot.favourites.map(\.id) == ["mine", "jazz-fm"])
        #expect(again.station("night-drive")?.station.bitrate == 64)
        #expect(again.station("night-drive")?.station.genre == nil)
        #expect(again.station("night-drive")?.edited == ["bitrate", "genre"])
        #expect(try again.resolve("3").id == "night-owl")
        #expect(try again.search(StationQuery("frequence")).isEmpty)
        // A field that was not edited still follows the file.
        try scratch.write(
            "base/a.toml",
            table("night-drive", "Night Ride", more: "genre = \"soul\"\ncountry = \"DE\"") + "#\n")
        again.reload()
        #expect(again.station("night-drive")?.name == "Night Ride")
        #expect(again.station("night-drive")?.station.genre == nil)
        try again.apply(.revert("night-drive"))
        #expect(again.station("night-drive")?.station.genre == "soul")
    }

    @Test("never loses a favourite that its file drops")
    func favouriteStays() throws {
        let scratch = try TemporaryFolder()
        try filled(scratch)
        let catalogue = try StationCatalogue(
            folders: [scratch.path + "/base"], database: try scratch.database())
        try catalogue.apply(.favourite("jazz-fm", true))
        try FileManager.default.removeItem(atPath: scratch.path + "/base/a.toml")
        catalogue.reload()
        let kept = try #require(catalogue.station("jazz-fm"))
        #expect(kept.station.urls == ["http://radio.example/jazz-fm"])
        #expect(kept.isFavourite)
        #expect(catalogue.snapshot.stations.count == 1)
    }

    @Test("removes a file's station for good, until somebody adds it again")
    func remove() throws {
        let scratch = try TemporaryFolder()
        try filled(scratch)
        let catalogue = try StationCatalogue(
            folders: [scratch.path + "/base"], database: try scratch.database())
        #expect(try catalogue.apply(.remove("jazz-fm")).removed == ["jazz-fm"])
        catalogue.reload()
        #expect(catalogue.station("jazz-fm") == nil)
        try catalogue.apply(.add(entry("jazz-fm", "Again")))
        #expect(catalogue.station("jazz-fm")?.name == "Again")
    }

    @Test("reads the overlay of a running service, and starts from files alone where there is none")
    func besideService() throws {
        let scratch = try TemporaryFolder()
        try filled(scratch)
        let folders = [scratch.path + "/base"]
        let missing = DatabaseReader(path: scratch.path("aircheck.db"))
        #expect(try StationCatalogue(folders: folders, reader: missing).snapshot.stations.count == 4)
        let service = try StationCatalogue(folders: folders, database: try scratch.database())
        try service.apply(.favourite("jazz-fm", true))
        let beside = try StationCatalogue(
            folders: folders, reader: DatabaseReader(path: scratch.path("aircheck.db")))
        #expect(beside.snapshot.favourites.map(\.id) == ["jazz-fm"])
        #expect(throws: CatalogueError.readOnly) { try beside.apply(.favourite("jazz-fm", false)) }
    }

    @Test("reads lists of other players from the same folders")
    func lists() throws {
        let scratch = try TemporaryFolder()
        try filled(scratch)
        try scratch.write(
            "base/more.m3u",
            "#EXTM3U\n#EXTINF:-1,Jazz FM\nhttp://a.example/\n#EXTINF:-1,Jazz FM\nhttp://b.example/\n")
        try scratch.write("base/bad.pls", "[playlist]\nFile1=file:///etc/passwd\n")
        try scratch.write("base/notes.csv", "not,stations\n")
        let catalogue = try StationCatalogue(folders: [scratch.path + "/base"])
        #expect(catalogue.station("jazz-fm")?.station.urls == ["http://a.example/"])
        #expect(catalogue.station("jazz-fm-2")?.station.urls == ["http://b.example/"])
        let problems = catalogue.problems.map(\.description)
        #expect(problems.contains { $0.contains("bad.pls") } && problems.contains { $0.contains("more.m3u") })
    }

    @Test("refuses what makes no sense, and says why")
    func refusals() throws {
        let scratch = try TemporaryFolder()
        try filled(scratch)
        let catalogue = try StationCatalogue(
            folders: [scratch.path + "/base"], database: try scratch.database())
        let place = TOMLPosition(line: 1, column: 1)
        let bad = TOMLEntry("bitrate", at: place, TOMLValue(.integer(-1), at: place))
        let changes: [(CatalogueChange, String)] = [
            (.add(entry("jazz-fm", "X")), "already a station"),
            (.add(entry("api", "X")), "path of the service"),
            (.add(StationEntry(Station(id: "x", name: "X", urls: []))), "at least one address"),
            (.edit("jazz-fm", set: [bad], clear: []), "bitrate: write a whole number"),
            (.edit("jazz-fm", set: [], clear: ["urls"]), "a station needs one"),
            (.edit("jaz-fm", set: [], clear: []), "did you mean jazz-fm?"),
            (.preset(0, "jazz-fm"), "presets 1 to 9"), (.favourite("nobody", true), "there is no station"),
        ]
        let before = catalogue.snapshot.stations
        for (change, words) in changes {
            let error = #expect(throws: CatalogueError.self) { try catalogue.apply(change) }
            #expect(error?.description.contains(words) == true, "\(String(describing: error))")
        }
        #expect(catalogue.snapshot.stations == before)
        let alone = try StationCatalogue(folders: [scratch.path + "/base"])
        #expect(throws: CatalogueError.readOnly) { try alone.apply(.favourite("jazz-fm", true)) }
    }
}

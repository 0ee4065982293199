import StreamFormats
import TestPrograms
import Testing

@testable import Catalogue

@Suite("Lists of stations")
struct StationListTests {
    private var entries: [StationEntry] {
        var first = entry("night-drive", "Night <Drive> & \"Co\"")
        first.station.urls = ["http://radio.example/a?b=1&c=2", "http://radio.example/spare"]
        first.station.genre = "jazz"
        var second = entry("nord", "Nörd, FM")
        second.station.groups = ["Küche"]
        second.station.charset = "windows-1252"
        return [first, second]
    }

    @Test("are read back as they were written", arguments: StationFormat.allCases)
    func roundTrip(format: StationFormat) throws {
        let text = StationExport.text(entries, as: format)
        let found = try StationImport.read(Array(text.utf8), name: "list.\(format.rawValue)")
        #expect(found.refused == [])
        #expect(found.entries.map(\.station.name) == entries.map(\.station.name))
        #expect(found.entries.map { $0.station.urls.first } == entries.map { $0.station.urls.first })
        switch format {
        case .toml, .json: #expect(found.entries == entries)
        case .opml: #expect(found.entries.map(\.station.groups) == [[], ["Küche"]])
        case .csv: #expect(found.entries.map(\.station.charset) == [nil, "windows-1252"])
        default: break
        }
        // What is in a file decides, not what it is called.
        if format != .csv && format != .json {
            #expect(try StationImport.read(Array(text.utf8), name: "stations.txt").entries.count == 2)
        }
    }

    @Test("of PyRadio are read with groups and comments")
    func pyRadio() throws {
        let text = #"""
            # Find lots more stations
            Afterhours.FM (Trance/Progressive), http://at2.ah.fm:80 
            Radio,-
            "Quoted, ""Name""",http://q.example/,iso-8859-7,
            Broken
            Local,file:///etc/passwd
            """#
        let found = try StationImport.read(Array(text.utf8), name: "stations.csv")
        #expect(
            found.entries.map(\.station.name) == ["Afterhours.FM (Trance/Progressive)", "Quoted, \"Name\""])
        #expect(found.entries.last?.station.groups == ["Radio"])
        #expect(found.entries.last?.station.charset == "iso-8859-7")
        #expect(found.refused.count == 2)
    }

    @Test("of the directory are read with their uuid")
    func directoryAnswer() throws {
        let text = MadeUpDirectory.answer([MadeUpDirectory.element(1), "{\"name\":\"x\"}"])
        let found = try StationImport.read(Array(text.utf8), name: "answer.json")
        #expect(found.entries.map(\.directoryID) == [MadeUpDirectory.uuid(1)])
        #expect(found.refused.count == 1)
    }

    @Test(
        "that are none are refused with what we can read",
        arguments: ["", "hello", "<html><body>x</body></html>", "\u{0}\u{1}\u{2}", "{", "[]"])
    func none(text: String) {
        let error = #expect(throws: CatalogueError.self) {
            try StationImport.read(Array(text.utf8), name: "x.bin")
        }
        #expect(error?.description.contains("x.bin") == true)
    }

    @Test("of thousands are read whole in every form that we write", arguments: StationFormat.allCases)
    func many(format: StationFormat) throws {
        let stations = (1...3000).map {
            StationEntry(Station(id: "s-\($0)", name: "Station \($0)", urls: ["http://radio.example/\($0)"]))
        }
        let text = StationExport.text(stations, as: format)
        let found = try StationImport.read(Array(text.utf8), name: "a.\(format.rawValue)")
        #expect(found.refused == [])
        #expect(found.entries.map(\.station.name) == stations.map(\.station.name))
        #expect(found.entries.map(\.station.urls) == stations.map(\.station.urls))
    }

    @Test("that are too many say so, and the first of them are there")
    func tooMany() throws {
        // However much else is wrong with it.
        let bad = (1...150).map { "mms://radio.example/\($0)\n" }.joined()
        let text = "#EXTM3U\n" + bad + (1...20_001).map { "http://radio.example/\($0)\n" }.joined()
        let found = try StationImport.read(Array(text.utf8), name: "a.m3u")
        #expect(found.entries.count == 20_000)
        #expect(found.refused.count == 101 && found.refused[100].contains("split it"), "\(found.refused)")
    }

    @Test("are taken without what a station file could not hold, and that is said")
    func unfit() throws {
        let text = """
            [{"stationuuid": "\(MadeUpDirectory.uuid(1))", "name": "\(String(repeating: "n", count: 300))",
              "url": "http://one.example/", "countrycode": "1?"},
             {"stationuuid": "\(MadeUpDirectory.uuid(2))", "name": "Two", "url": "http://two.example/"}]
            """
        let found = try StationImport.read(Array(text.utf8), name: "a.json")
        #expect(found.entries.map(\.station.name) == [String(repeating: "n", count: 200), "Two"])
        #expect(found.refused.count == 1 && found.refused[0].contains("country"), "\(found.refused)")
        let scratch = try TemporaryFolder()
        let catalogue = try StationCatalogue(folders: [scratch.path], database: try scratch.database())
        #expect(try catalogue.apply(.addAll(found.entries)).added.count == 2)
    }

    @Test("of one host without a title get a number each")
    func numbered() throws {
        let text = (1...20_000).map { "http://radio.example/\($0)" }.joined(separator: "\n")
        let found = try StationImport.read(Array(text.utf8), name: "a.m3u")
        let ids = found.identified.map(\.id)
        #expect(Set(ids).count == 20_000)
        #expect(ids.prefix(3) == ["radio-example", "radio-example-2", "radio-example-3"])
    }

    @Test("are added once, with ids made from their names")
    func added() throws {
        let scratch = try TemporaryFolder()
        try scratch.write("base/a.toml", table("x", "X"))
        let catalogue = try StationCatalogue(
            folders: [scratch.path + "/base"], database: try scratch.database())
        let text =
            "#EXTM3U\n#EXTINF:-1,X\nhttp://one.example/\n#EXTINF:-1,Radio API\nhttp://two.example/\n"
            + "#EXTINF:-1,Known\nhttp://radio.example/x\n#EXTINF:-1,X\nhttp://three.example/\n"
        let found = try StationImport.read(Array(text.utf8), name: "a.m3u")
        #expect(try catalogue.apply(.addAll(found.entries)).added == ["x-2", "radio-api", "x-3"])
        #expect(try catalogue.apply(.addAll(found.entries)).isEmpty)
        #expect(catalogue.station("x-2")?.station.source == "a.m3u")
    }
}

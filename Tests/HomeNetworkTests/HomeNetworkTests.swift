import Foundation
import HTTPWire
import Platform
import StreamFormats
import TestPrograms
import Testing

@testable import HomeNetwork

/// A house with three stations and a recording.
struct House {
    let jazz = HomeStation(
        id: "jazz", name: "Jazz & \"Blues\"", groups: ["Evening; quiet", "Jazz"], genre: "Jazz",
        country: "France",
        logo: "https://example.org/j.png", isFavourite: true, codec: "aac", bitrate: 96)
    let news = HomeStation(
        id: "news", name: "News <1>", genre: "Talk", country: "France", codec: "mp3", bitrate: 128)
    let plain = HomeStation(id: "plain", name: "Plain")
    let recording = HomeRecording(
        id: "r1", title: "Night, 2026-11-30 20:00", station: "jazz", stationName: "Jazz",
        started: WallTime(secondsSince1970: 1_796_000_000), seconds: 3723.45, bytes: 44_681_400,
        fileExtension: "aac", mediaType: "audio/aac")

    var stations: [HomeStation] { [jazz, news, plain] }

    var tree: ContentTree { ContentTree(stations: stations, favourites: [jazz], recordings: [recording]) }

    let address = HomeAddress(base: "http://192.168.1.5:2472")
}

@Suite("Search for media servers")
struct SsdpTests {
    private static func search(_ target: String, _ more: String = "MX: 2\r\n") -> [UInt8] {
        Array(
            ("M-SEARCH * HTTP/1.1\r\nHOST: 239.255.255.250:1900\r\nMAN: \"ssdp:discover\"\r\n\(more)ST: \(target)\r\n\r\n")
                .utf8)
    }

    private let messages = SsdpMessages(uuid: "u", server: "Linux UPnP/1.0 aircheck/1")

    @Test(
        "is answered for what the server is, and for nothing else",
        arguments: [
            ("ssdp:all", 5), ("upnp:rootdevice", 1), ("uuid:u", 1),
            ("urn:schemas-upnp-org:device:MediaServer:1", 1),
            ("urn:schemas-upnp-org:service:ContentDirectory:1", 1),
            ("urn:schemas-upnp-org:service:ConnectionManager:1", 1),
            ("urn:schemas-upnp-org:device:MediaRenderer:1", 0), ("uuid:other", 0),
        ])
    func targets(target: String, count: Int) throws {
        let search = try #require(SsdpSearch(Self.search(target)))
        #expect(search.spread == 2)
        let answers = messages.answers(to: search, location: "http://10.0.0.1:1/dlna/device.xml", date: "now")
        #expect(answers.count == count)
        for answer in answers {
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.hasSuffix("\r\n\r\n"))
            #expect(answer.contains("EXT:\r\n") && answer.contains("USN: uuid:u"))
        }
    }

    @Test(
        "is nothing else: no announcement of others, no other method, no search without its word",
        arguments: [
            "NOTIFY * HTTP/1.1\r\nNT: upnp:rootdevice\r\n\r\n", "",
            "M-SEARCH * HTTP/1.1\r\nST: ssdp:all\r\n\r\n",
            "M-SEARCH * HTTP/1.1\r\nMAN: \"ssdp:discover\"\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
            String(repeating: "x", count: 4000),
        ])
    func others(text: String) { #expect(SsdpSearch(Array(text.utf8)) == nil) }

    @Test(
        "spreads its answers over five seconds at most",
        arguments: [("MX: 120\r\n", 5), ("MX: -3\r\n", 0), ("", 0), ("MX: x\r\n", 0)])
    func spread(line: String, seconds: Int) throws {
        #expect(SsdpSearch(Self.search("ssdp:all", line))?.spread == seconds)
    }

    @Test(
        "only the house is answered",
        arguments: [
            ("192.168.7.9", true), ("10.1.1.1", true), ("172.31.0.2", true), ("169.254.3.4", true),
            ("100.64.0.1", true), ("127.0.0.1", true), ("8.8.8.8", false), ("172.32.0.1", false),
        ])
    func house(address: String, isIn: Bool) throws {
        #expect(try #require(SocketAddress(address, port: 1)).isOfTheHouse == isIn)
    }
}

@Suite("The tree of a media server")
struct ContentTreeTests {
    private let house = House()

    private func call(_ id: String, _ flag: String = "BrowseDirectChildren", start: Int = 0, count: Int = 0)
        throws -> SoapCall
    {
        let body = """
            <?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>
            <u:Browse xmlns:u="urn:schemas-upnp-org:service:ContentDirectory:1"><ObjectID>\(id)</ObjectID>
            <BrowseFlag>\(flag)</BrowseFlag><Filter>*</Filter><StartingIndex>\(start)</StartingIndex>
            <RequestedCount>\(count)</RequestedCount><SortCriteria></SortCriteria></u:Browse></s:Body></s:Envelope>
            """
        return try #require(
            SoapCall(
                header: "\"urn:schemas-upnp-org:service:ContentDirectory:1#Browse\"", body: Array(body.utf8)))
    }

    private func browse(_ call: SoapCall) throws -> [String: String] {
        let directory = ContentDirectory(
            tree: house.tree, didl: DIDL(address: house.address, broadcastsAsTracks: false), updateNumber: 7)
        return Dictionary(try directory.carryOut(call), uniquingKeysWith: { $1 })
    }

    @Test("every object that a container shows can be asked for by its id, and knows its parent")
    func everyObject() throws {
        var (waiting, seen) = ([ContentTree.root], 0)
        while let id = waiting.popLast() {
            let children = try #require(house.tree.children(id), "\(id)")
            for child in children {
                seen += 1
                let (own, parent): (String, String) =
                    switch child {
                    case .container(let own, let parent, _, let count):
                        {
                            #expect(house.tree.children(own)?.count == count); waiting.append(own);
                            return (own, parent)
                        }()
                    case .station(let own, let parent, _), .recording(let own, let parent, _): (own, parent)
                    }
                #expect(parent == id)
                #expect(house.tree.object(own) != nil, "\(own)")
            }
        }
        // Six shelves; 1 + 3 + (2 groups, 2 items) + (2 genres, 2) + (1 country, 2) + 1 recording.
        #expect(seen == 6 + 1 + 3 + 4 + 4 + 3 + 1)
    }

    @Test("pages as asked, and says how many there are")
    func pages() throws {
        let page = try browse(call("stations", start: 1, count: 1))
        #expect(page["NumberReturned"] == "1" && page["TotalMatches"] == "3" && page["UpdateID"] == "7")
        #expect(page["Result"]?.contains("News &lt;1&gt;") == true)
        #expect(try browse(call("stations", start: 9, count: 5))["NumberReturned"] == "0")
        #expect(try browse(call("0", "BrowseMetadata"))["NumberReturned"] == "1")
    }

    @Test("offers MP3 first where a station sends something else, and itself where it is MP3")
    func resources() throws {
        let jazz = try #require(try browse(call("stations/jazz", "BrowseMetadata"))["Result"])
        let first = try #require(jazz.range(of: "http://192.168.1.5:2472/jazz.mp3</res>"))
        let second = try #require(jazz.range(of: "http://192.168.1.5:2472/jazz</res>"))
        #expect(first.lowerBound < second.lowerBound)
        #expect(
            jazz.contains("audio/mpeg:DLNA.ORG_PN=MP3;DLNA.ORG_OP=00")
                && jazz.contains("audio/aac:DLNA.ORG_OP=00"))
        let news = try #require(try browse(call("stations/news", "BrowseMetadata"))["Result"])
        #expect(news.contains("/news</res>") && !news.contains("news.mp3"))
        let night = try #require(try browse(call("recordings/r1", "BrowseMetadata"))["Result"])
        #expect(night.contains("duration=\"1:02:03.450\"") && night.contains("size=\"44681400\""))
        #expect(night.contains("DLNA.ORG_OP=01"))
    }

    @Test(
        "says no by UPnP's codes",
        arguments: [
            ("nothing", "BrowseDirectChildren", 701), ("stations/gone", "BrowseMetadata", 701),
            ("stations/jazz", "BrowseDirectChildren", 701), ("0", "Sideways", 402),
            ("groups/%zz", "BrowseMetadata", 701),
            (String(repeating: "a/", count: 2000), "BrowseDirectChildren", 701),
        ])
    func refusals(id: String, flag: String, code: Int) throws {
        let wrong = try call(id, flag)
        #expect { try browse(wrong) } throws: { ($0 as? SoapFault)?.code == code }
    }

    @Test(
        "what is no call is none",
        arguments: [
            "", "<a", "<!DOCTYPE x><s:Body><u:Browse/></s:Body>", "<Envelope><Body></Body></Envelope>",
        ])
    func noCalls(body: String) { #expect(SoapCall(header: nil, body: Array(body.utf8)) == nil) }

    @Test(
        "is XML that a strict reader takes",
        .enabled(if: RunningProgram.isInstalled("xmllint"), "needs xmllint"))
    func wellFormed() throws {
        let folder = try TemporaryFolder("didl")
        let device = DeviceDescription(uuid: "u", name: "a & b", version: "1", address: house.address)
        let all = DIDL(address: house.address, broadcastsAsTracks: false).text(
            house.tree.children("stations") ?? [])
        let texts = [
            all, device.text, ServiceDescription.contentDirectory, ServiceDescription.connectionManager,
            SoapCall.answer("Browse", of: ContentDirectory.type, [("Result", all)]),
            SoapCall.fault(701, "No <such>"),
            AvahiServices.text(port: 2472, mpdPort: 6600),
        ]
        for (number, text) in texts.enumerated() {
            let file = try folder.write("\(number).xml", text)
            let judged = try RunningProgram.run("xmllint", ["--noout", "--nonet", file], in: folder)
            #expect(judged.exitCode == 0, "\(text)\n\(judged.errors)")
        }
    }

    @Test("has a picture in every form it names")
    func icons() {
        #expect(DeviceIcon.all.count == 4)
        for icon in DeviceIcon.all {
            #expect(
                icon.bytes.starts(with: icon.mediaType == "image/png" ? [0x89, 0x50] : [0xFF, 0xD8]),
                "\(icon.name)")
        }
    }
}

@Suite("What strangers send")
struct StrangerTests {
    @Test("is read or refused, never trapped on, however its bytes are turned")
    func mutations() throws {
        let search = Array(
            "M-SEARCH * HTTP/1.1\r\nMAN: \"ssdp:discover\"\r\nMX: 3\r\nST: ssdp:all\r\n\r\n".utf8)
        let browse = Array(
            """
            <?xml version="1.0"?><s:Envelope><s:Body><u:Browse><ObjectID>groups/Jazz%20x</ObjectID><BrowseFlag>\
            BrowseDirectChildren</BrowseFlag><StartingIndex>1</StartingIndex><RequestedCount>5</RequestedCount></u:Browse>\
            </s:Body></s:Envelope>
            """.utf8)
        let house = House()
        let directory = ContentDirectory(
            tree: house.tree, didl: DIDL(address: house.address, broadcastsAsTracks: true), updateNumber: 1)
        let menu = VTunerMenu(tree: house.tree, address: house.address)
        let query = "id=groups&startitems=1&enditems=5&search=ja"
        var generator = SeededGenerator(seed: 20_261_130)
        var (searches, calls, answers) = (0, 0, 0)
        for _ in 0..<3000 {
            if SsdpSearch(generator.mutated(search)) != nil { searches += 1 }
            if let call = SoapCall(header: nil, body: generator.mutated(browse)) {
                calls += 1
                _ = try? directory.carryOut(call)
            }
            let text = String(decoding: generator.mutated(Array(query.utf8)), as: UTF8.self)
            if menu.answer(to: ["x", "navXML.asp"], QueryParameters(text)) != nil { answers += 1 }
        }
        // Many are still good enough: the ways behind the first check were walked too.
        #expect(searches > 100 && calls > 100 && answers > 100, "\(searches) \(calls) \(answers)")
    }
}

/// The same numbers in every run (splitmix64).
private struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// One to four bytes changed, taken out or doubled; sometimes cut short.
    mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &self) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &self)
            switch Int.random(in: 0..<4, using: &self) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &self)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(bytes[place], at: place)
            default: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            }
        }
        if Int.random(in: 0..<10, using: &self) == 0 {
            bytes.removeLast(Int.random(in: 0...bytes.count, using: &self))
        }
        return bytes
    }
}

@Suite("The menu of old receivers")
struct VTunerTests {
    private let house = House()

    private func answer(_ path: String, _ query: String) -> String? {
        VTunerMenu(tree: house.tree, address: house.address).answer(
            to: path.split(separator: "/").map(String.init), QueryParameters(query))
    }

    @Test(
        "any number may be asked for",
        arguments: [
            "start=-9223372036854775808", "startitems=9223372036854775807", "enditems=-9223372036854775808",
            "start=9223372036854775807&howmany=9223372036854775807", "start=-1&howmany=-9223372036854775808",
        ])
    func numbers(query: String) throws {
        let page = try #require(answer("x/navXML.asp", "id=stations&" + query))
        #expect(page.contains("<ItemCount>3</ItemCount>"))
    }

    @Test("greets, lists, pages, searches and shows one station, however the maker spells it")
    func dance() throws {
        #expect(
            answer("denon/asp/BrowseXML/loginXML.asp", "token=0")?.contains(
                "<EncryptedToken>0000000000000000<") == true)
        let root = try #require(
            answer("denon/asp/BrowseXML/loginXML.asp", "mac=1&fver=W&startitems=1&enditems=8"))
        #expect(root.contains("<ItemCount>7</ItemCount>") && root.contains("<ItemType>Search</ItemType>"))
        #expect(root.contains("navXML.asp?id=groups"))
        let page = try #require(answer("Yamaha/asp/browsexml/navXML.asp", "id=stations&start=2&howmany=1"))
        #expect(
            page.contains("<ItemCount>3</ItemCount>") && page.contains("News &lt;1&gt;")
                && !page.contains("Plain"))
        #expect(page.contains("<StationUrl>http://192.168.1.5:2472/news</StationUrl>"))
        let last = try #require(answer("x/navXML.asp", "id=stations&startItems=3&endItems=9"))
        #expect(last.components(separatedBy: "<Item>").count == 2)
        #expect(answer("x/FavXML.asp", "")?.contains("http://192.168.1.5:2472/jazz.mp3") == true)
        #expect(answer("x/search.asp", "search=new")?.contains("<StationId>news</StationId>") == true)
        #expect(answer("x/search.asp", "search=ne")?.contains("<Display>") == true)
        #expect(answer("x/statxml.asp", "id=plain")?.contains("<StationName>Plain</StationName>") == true)
        #expect(answer("x/statxml.asp", "id=gone")?.contains("<Display>") == true)
        #expect(answer("x/other.asp", "") == nil)
    }

    @Test(
        "pages without sense give an empty part of the list, never a fault",
        arguments: [
            "startitems=-5&enditems=-9", "start=99999999999999999999&howmany=-1",
            "start=4&howmany=9223372036854775807", "startitems=3&enditems=1",
        ])
    func nonsense(query: String) {
        #expect(answer("x/navXML.asp", "id=stations&" + query)?.contains("<ItemCount>3</ItemCount>") == true)
    }
}

@Suite("Lists for Kodi")
struct KodiTests {
    private let house = House()
    private let base = "http://radio.lan:2472"

    @Test("carry group, number, picture and what can be replayed, and no station can break out of its line")
    func playlist() {
        let text = KodiPlaylist.text(house.stations, base: base, recordedDays: ["jazz": 3])
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.count == 7)
        #expect(lines[0].contains("x-tvg-url=\"\(base)/iptv/guide.xml\""))
        #expect(
            lines[1]
                == "#EXTINF:-1 tvg-id=\"jazz.aircheck\" tvg-name=\"Jazz & 'Blues'\" tvg-logo=\"https://example.org/j.png\" tvg-chno=\"1\""
                + " group-title=\"Evening, quiet;Jazz;Favourites\" radio=\"true\" catchup=\"vod\" catchup-days=\"3\",Jazz & \"Blues\""
        )
        #expect(lines[2] == base + "/jazz")
        let evil = HomeStation(id: "evil", name: "a\r\nhttp://evil/\u{1}\"x")
        #expect(KodiPlaylist.text([evil], base: base).split(separator: "\n").count == 3)
    }

    private func programme(_ start: Double, _ stop: Double, _ title: String, recorded: Bool = false)
        -> HomeProgramme
    {
        HomeProgramme(
            station: "jazz", start: WallTime(secondsSince1970: start), stop: WallTime(secondsSince1970: stop),
            title: title, recording: recorded ? house.recording : nil)
    }

    @Test("the guide has no two programmes at once: recordings stay whole, titles fill what is free")
    func merged() {
        let merged = XMLTVGuide.merged(
            firm: [
                programme(100, 200, "Recorded", recorded: true), programme(150, 300, "Planned"),
                programme(400, 600, "Long"), programme(500, 550, "Short"),
            ],
            loose: [
                programme(0, 90, "Before"), programme(90, 110, "Over"), programme(210, 220, "Between"),
                programme(30, 40, "Inside"),
            ])
        #expect(merged.map(\.title) == ["Before", "Inside", "Recorded", "Between", "Long", "Short"])
        for (one, next) in zip(merged, merged.dropFirst()) { #expect(one.stop <= next.start) }
    }

    @Test(
        "is a guide that XMLTV's own validator takes",
        .enabled(
            if: RunningProgram.isInstalled("tv_validate_file")
                && FileManager.default.fileExists(atPath: "/usr/share/xmltv/xmltv.dtd"), "needs xmltv-util"))
    func valid() throws {
        let folder = try TemporaryFolder("guide")
        let programmes = house.stations.map { station in
            HomeProgramme(
                station: station.id, start: WallTime(secondsSince1970: 1_796_000_000),
                stop: WallTime(secondsSince1970: 1_796_003_600), title: "A & <b>", about: "Will be recorded")
        }
        let text = XMLTVGuide.text(house.stations, programmes, base: base)
        let file = try folder.write("guide.xml", text)
        let judged = try RunningProgram.run(
            "tv_validate_file", ["--dtd-file", "/usr/share/xmltv/xmltv.dtd", file], in: folder)
        #expect(judged.exitCode == 0, "\(judged.output)\(judged.errors)")
    }

    @Test("leads from a programme to its recording")
    func catchUp() {
        let text = XMLTVGuide.text(
            house.stations, [programme(1_796_000_000, 1_796_003_600, "Night", recorded: true)], base: base)
        #expect(text.contains("catchup-id=\"http://radio.lan:2472/iptv/recording/r1.aac\""))
        #expect(text.contains("start=\"2026113"))
    }
}

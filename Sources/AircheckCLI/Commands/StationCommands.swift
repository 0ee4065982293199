internal import AircheckDaemon
internal import Catalogue
internal import JSONText
internal import Platform
internal import StreamFormats

/// `aircheck stations …`: the catalogue, through the service where one runs, from the files elsewhere.
enum StationCommands {
    static let all: [CommandSpec] = [
        CommandSpec(
            "stations list", "list the stations",
            options: filters(limit: listLimit) + [.flag("ids", "ids alone, one a line")]
        ) { try list($0, text: nil) },
        CommandSpec(
            "stations search", "find stations by name, genre, country, language or tag",
            operands: [.required("TEXT", "words, or the beginnings of words").repeated()],
            options: filters(limit: searchLimit) + [
                .flag("online", "ask the Radio Browser directory over the network"),
                .flag("ids", "ids alone, one a line"),
            ]
        ) { try list($0, text: $0.operands.joined(separator: " ")) },
        CommandSpec(
            "stations directory", "the copy of the Radio Browser directory that is searched offline",
            options: [.flag("refresh", "fetch every station of the directory, and wait until that is done")]
        ) { try DirectoryCommand.run($0) },
        CommandSpec("stations show", "everything that is known of a station", operands: [.station]) {
            try show($0)
        },
        CommandSpec(
            "stations favourite", "mark a station as favourite", operands: [.station],
            options: [.flag("off", "take the mark away")]
        ) { try favourite($0) },
        CommandSpec(
            "stations add", "add a station to the service's catalogue",
            operands: [.required("URL", "address of the stream or playlist").repeated()],
            options: [
                .value("id", "ID", "lower-case letters, digits and dashes; made from the name by default"),
                .value("name", "NAME", "what it is called"), .value("genre", "TEXT", "its genre"),
                .value("country", "CODE", "two letters: DE"),
            ]
        ) { try add($0) },
        CommandSpec(
            "stations remove", "remove a station that was added, or hide one of the files",
            operands: [.station]
        ) {
            try remove($0)
        },
        CommandSpec(
            "stations export", "print the stations as a station file or playlist",
            options: filterOptions + [
                .value(
                    "format", "FORMAT", "toml, m3u, pls, xspf, opml, json or csv; toml by default",
                    completion: .words(StationFormat.allCases.map(\.rawValue)))
            ]
        ) { try StationExchange.export($0) },
        CommandSpec(
            "stations import", "add the stations of a file to the service's catalogue",
            operands: [
                .required("FILE", "M3U, PLS, XSPF, OPML, JSON, TOML or PyRadio's CSV", completion: .file)
            ],
            options: [.flag("dry-run", "only say what would be added")]
        ) { try StationExchange.importFile($0) },
        ProbeCommand.stations,
        ProbeCommand.spec,
    ]

    /// Every station that a household has.
    static let listLimit = 1000
    /// The best come first; nobody reads a thousand of them, and making them costs more than finding them.
    static let searchLimit = 100

    static func filters(limit: Int) -> [CommandSpec.Option] {
        filterOptions + [.value("limit", "N", "at most so many; \(limit) by default")]
    }

    static let filterOptions: [CommandSpec.Option] = [
        .value("genre", "TEXT", "of this genre"), .value("country", "COUNTRY", "code or name: DE, germany"),
        .value("language", "LANGUAGE", "in this language"), .value("tag", "TAG", "with this tag"),
        .value("group", "GROUP", "of this group"), .flag("favourites", "favourites only"),
    ]

    private static func list(_ invocation: Invocation, text: String?) throws {
        let limit = try StationListing.limit(invocation, standard: text == nil ? listLimit : searchLimit)
        let found = try StationListing.find(invocation, text: text ?? "", limit: limit)
        if invocation.has("ids") { return found.forEach { Terminal.print($0["id"]?.string ?? "") } }
        if invocation.json { return found.forEach { Terminal.print($0) } }
        if found.isEmpty { throw try StationListing.nothing(invocation, text: text) }
        Terminal.table(
            found.map { station in
                [
                    (station["favourite"]?.bool == true ? "★ " : "  ") + (station["id"]?.string ?? ""),
                    station["name"]?.string ?? "", station["genre"]?.string ?? "",
                    station["country"]?.string ?? "",
                    [station["codec"]?.string, station["bitrate"]?.int.map { "\($0)k" }].compactMap(\.self)
                        .joined(separator: " "),
                ]
            })
        guard !invocation.quiet else { return }
        Terminal.note(
            CountText.text(found.count, "station") + (found.count == limit ? more(than: limit) : ""))
    }

    /// Where the rest of a list that is as long as it may be can be had.
    static func more(than limit: Int) -> String {
        limit < StationQuery.largestLimit
            ? "; there may be more: --limit \(StationQuery.largestLimit)"
            : "; there may be more: say more of what you look for, or take `aircheck stations export`"
    }

    private static func show(_ invocation: Invocation) throws {
        let text = try invocation.required(0)
        let station: JSONValue
        if let client = try ServiceClient.find(invocation) {
            station = try client.get("/api/v1/stations/\(ServiceClient.encoded(text))")
        } else {
            station = CatalogueJSON.object(try StationListing.resolve(text, invocation))
        }
        if invocation.json { return Terminal.print(station) }
        for line in station.text(pretty: true).split(separator: "\n") {
            Terminal.print(TerminalText.escaped(line))
        }
    }

    private static func favourite(_ invocation: Invocation) throws {
        let client = try ServiceClient.require(invocation)
        let path = "/api/v1/stations/\(ServiceClient.encoded(try invocation.required(0)))/favourite"
        let station = try client.send("PUT", path, ["value": .bool(!invocation.has("off"))])
        if invocation.json { return Terminal.print(station) }
        let word = invocation.has("off") ? "is no favourite any more" : "is a favourite"
        if !invocation.quiet {
            Terminal.note(TerminalText.escaped("\(station["name"]?.string ?? "") \(word)"))
        }
    }

    private static func add(_ invocation: Invocation) throws {
        let client = try ServiceClient.require(invocation)
        var body: [JSONValue.Member] = [.init("urls", .array(invocation.operands.map(JSONValue.string)))]
        for key in ["id", "name", "genre", "country"] {
            if let value = invocation.text(key) { body.append(.init(key, .string(value))) }
        }
        let station = try client.send("POST", "/api/v1/stations", .object(body))
        if invocation.json { return Terminal.print(station) }
        if !invocation.quiet {
            Terminal.note(
                TerminalText.escaped(
                    "added \(station["id"]?.string ?? ""); try: aircheck tune \(station["id"]?.string ?? "")")
            )
        }
    }

    private static func remove(_ invocation: Invocation) throws {
        let client = try ServiceClient.require(invocation)
        try client.send("DELETE", "/api/v1/stations/\(ServiceClient.encoded(try invocation.required(0)))")
        if !invocation.quiet { Terminal.note("removed") }
    }
}

/// Stations by the filters of the command line.
enum StationListing {
    /// As the API writes them, from the service or from the files.
    static func find(_ invocation: Invocation, text: String, limit: Int) throws -> [JSONValue] {
        if invocation.has("online") {
            let client = try ServiceClient.require(invocation)
            let found = try client.get("/api/v1/directory/search?" + parameters(invocation, text, limit))
            return found["stations"]?.array ?? []
        }
        if let client = try ServiceClient.find(invocation) {
            return try client.get("/api/v1/stations?" + parameters(invocation, text, limit))["stations"]?
                .array ?? []
        }
        let catalogue = try LocalCatalogue.open(invocation)
        return try catalogue.search(query(invocation, text, limit)).map(CatalogueJSON.object)
    }

    /// Why a list came out empty: nothing fits what was asked, or there are no stations at all.
    static func nothing(_ invocation: Invocation, text: String?) throws -> CommandFailure {
        let asked =
            text != nil || StationCommands.filterOptions.contains { invocation.has($0.long) }
        guard !asked else {
            return CommandFailure(
                .noInput, "no station fits", remedy: "`aircheck stations list` shows all of them.")
        }
        let folders = try SettingsFile.folders(invocation).stationFolders(program: Program.path)
        return CommandFailure(
            .noInput, "no station file in \(folders.joined(separator: ", "))",
            remedy: "Put station files into one of them, name another folder in `paths.stations`, "
                + "or fetch some: `aircheck stations import FILE`.")
    }

    static func resolve(_ text: String, _ invocation: Invocation) throws -> CatalogueStation {
        do {
            return try LocalCatalogue.open(invocation).resolve(text)
        } catch let error as CatalogueError {
            throw CommandFailure(.noInput, error.description)
        }
    }

    static func query(_ invocation: Invocation, _ text: String, _ limit: Int = StationQuery.largestLimit)
        -> StationQuery
    {
        var query = StationQuery(text)
        query.genre = invocation.text("genre")
        query.country = invocation.text("country")
        query.language = invocation.text("language")
        query.tag = invocation.text("tag")
        query.group = invocation.text("group")
        query.favouritesOnly = invocation.has("favourites")
        query.limit = limit
        return query
    }

    static func limit(_ invocation: Invocation, standard: Int) throws -> Int {
        try invocation.integer("limit", in: 1...StationQuery.largestLimit) ?? standard
    }

    static func parameters(_ invocation: Invocation, _ text: String, _ limit: Int? = nil) -> String {
        var parts = ["query=\(ServiceClient.encoded(text))"] + (limit.map { ["limit=\($0)"] } ?? [])
        for key in ["genre", "country", "language", "tag", "group"] {
            if let value = invocation.text(key) { parts.append("\(key)=\(ServiceClient.encoded(value))") }
        }
        if invocation.has("favourites") { parts.append("favourites=1") }
        return parts.joined(separator: "&")
    }
}

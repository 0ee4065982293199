import Foundation
import TestPrograms
import Testing

@testable import Configuration
import TOMLText

/// The top of the source tree.
let projectFolder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

@Suite("Settings")
struct SettingsTests {
    private func load(_ text: String, environment: [String: String] = [:]) throws -> Settings {
        let scratch = try TemporaryFolder()
        let file = try scratch.write("aircheck.toml", text)
        return try ConfigurationLoader(environment: environment).load(file: file).settings
    }

    @Test("are the built-in ones where there is no file")
    func defaults() throws {
        let scratch = try TemporaryFolder()
        let loaded = try ConfigurationLoader(environment: [
            "XDG_CONFIG_HOME": scratch.path, "HOME": scratch.path,
        ])
        .load(file: nil)
        #expect(loaded.settings == Settings() || !loaded.files.isEmpty)
    }

    @Test("keep their defaults when the sample file is used with every # taken away")
    func sampleIsTheDefault() throws {
        let lines = ConfigurationText.sampleFile.split(separator: "\n").map { line in
            line.hasPrefix("#") && !line.hasPrefix("# ") && line != "#"
                ? String(line.dropFirst()) : String(line)
        }
        #expect(try load(lines.joined(separator: "\n")) == Settings())
        #expect(
            lines.filter { $0.contains(" = ") && !$0.hasPrefix("#") }.count == SettingTable.settings.count)
    }

    @Test("are read in every kind")
    func kinds() throws {
        let settings = try load(
            """
            [server]
            port = 8000
            names = ["radio.lan", "aircheck.example"]
            listen_open = true
            [window]
            disk = "1h30m"
            memory_bytes = "4 MiB"
            [relay]
            batch = "100ms"
            slow_bytes = 131072
            range_rule = "always-206"
            """)
        #expect(settings.server.port == 8000)
        #expect(settings.server.names == ["radio.lan", "aircheck.example"])
        #expect(settings.server.listenOpen)
        #expect(settings.window.disk == .seconds(5400))
        #expect(settings.window.memoryBytes == 4 << 20)
        #expect(settings.relay.batch == .milliseconds(100))
        #expect(settings.relay.slowBytes == 131_072)
        #expect(settings.relay.rangeRule == .always206)
    }

    @Test(
        "name the place, the key and the remedy of a mistake",
        arguments: [
            ("[server]\nprot = 1\n", 2, "server.prot", "did you mean port?"),
            ("[server]\nport = 0\n", 2, "server.port", "from 1 to 65535"),
            ("[server]\nport = \"2472\"\n", 2, "server.port", "this is a string; write a whole number"),
            ("[server]\nlinger = \"30s\"\n", 2, "server.linger", "belongs in [ingest]"),
            ("[ingest]\n\nlinger = 30\n", 3, "ingest.linger", "write a duration such as"),
            ("[ingest]\nlinger = \"2h\"\n", 2, "ingest.linger", "out of range"),
            ("[window]\nmemory_bytes = \"8 XB\"\n", 2, "window.memory_bytes", "write a size such as"),
            ("[paths]\ndata = \"var/lib\"\n", 2, "paths.data", "start it with / or ~/"),
            ("[server]\nbind = \"any where\"\n", 2, "server.bind", "is not an address"),
            ("[log]\nlevel = \"loud\"\n", 2, "log.level", "\"debug\", \"info\""),
            ("[serv]\n", 1, nil, "did you mean [server]?"),
            ("server = 4\n", 1, nil, "write [server] on a line"),
            ("[log]\nlevel = \"info\"\nlevel = \"info\"\n", 3, nil, "level"),
            ("[recording]\ntemplate = \"a\\u0000b\"\n", 2, "recording.template", "control character"),
        ] as [(String, Int, String?, String)])
    func mistakes(text: String, line: Int, key: String?, words: String) throws {
        let error = #expect(throws: ConfigurationError.self) { try load(text) }
        let problem = try #require(error?.problems.first)
        #expect(problem.position?.line == line)
        #expect(problem.key == key)
        #expect(problem.description.contains(words), "\(problem)")
        #expect(problem.description.contains("aircheck.toml:\(line):"))
    }

    @Test("report every mistake at once")
    func allAtOnce() throws {
        let error = #expect(throws: ConfigurationError.self) {
            try load("[server]\nport = 0\nprot = 1\n[lag]\n")
        }
        #expect(error?.problems.count == 3)
    }

    @Test("come from flags before the environment before files, and say so")
    func precedence() throws {
        let scratch = try TemporaryFolder()
        let file = try scratch.write("aircheck.toml", "[server]\nport = 1000\n[log]\nlevel = \"debug\"\n")
        _ = try scratch.write(
            "aircheck.d/10-more.toml", "[log]\nlevel = \"warning\"\n[player]\nvolume = 10\n")
        let loader = ConfigurationLoader(environment: [
            "AIRCHECK_SERVER_PORT": "2000", "AIRCHECK_PLAYER_VOLUME": "20",
        ])
        let loaded = try loader.load(
            file: file, flags: [("player.volume", "30"), ("server.names", "a.b,c.d")])
        #expect(loaded.settings.server.port == 2000)
        #expect(loaded.settings.log.level == .warning)
        #expect(loaded.settings.player.volume == 30)
        #expect(loaded.settings.server.names == ["a.b", "c.d"])
        #expect(loaded.origins["player.volume"] == .flag)
        #expect(loaded.origins["server.port"] == .environment("AIRCHECK_SERVER_PORT"))
        let shown = ConfigurationText.effective(loaded)
        #expect(shown.contains("level = \"warning\"  # \(scratch.path)/aircheck.d/10-more.toml:2\n"))
        #expect(shown.contains("bind = \"127.0.0.1\"\n"))
    }

    @Test("from the environment are refused with the variable's name")
    func environmentMistake() {
        let loader = ConfigurationLoader(environment: [
            "AIRCHECK_SERVER_PORT": "many", "HOME": "/nonexistent",
        ])
        let error = #expect(throws: ConfigurationError.self) { try loader.load() }
        #expect(error?.description.contains("AIRCHECK_SERVER_PORT") == true)
    }

    @Test("that were asked for by name must be there")
    func missingFile() {
        let loader = ConfigurationLoader(environment: [:])
        let error = #expect(throws: ConfigurationError.self) {
            try loader.load(file: "/nonexistent/aircheck.toml")
        }
        #expect(error?.description.contains("/nonexistent/aircheck.toml: cannot be read") == true)
    }

    @Test("tell which of them take a restart")
    func restart() throws {
        var other = Settings()
        other.server.port = 99
        other.relay.batch = .seconds(1)
        let loaded = LoadedSettings(settings: Settings(), files: [], origins: [:])
        #expect(loaded.needingRestart(since: other) == ["server.port"])
    }

    @Test(
        "take sizes and durations as people write them",
        arguments: [
            ("512 KiB", 512 << 10), ("2GiB", 2 << 30), ("64K", 64 << 10), ("1000", 1000), ("3 mib", 3 << 20),
        ])
    func sizes(text: String, bytes: Int) {
        #expect(ByteCountText.bytes(text) == bytes)
        #expect(ByteCountText.bytes(ByteCountText.text(bytes)) == bytes)
    }

    @Test(
        "refuse sizes that are none",
        arguments: ["", "KiB", "-1", "99999999999999 TiB", "1.5 GiB", "1 parsec"])
    func noSizes(text: String) { #expect(ByteCountText.bytes(text) == nil) }
}

@Suite("Folders")
struct FoldersTests {
    @Test("follow the settings, then systemd, then XDG")
    func order() {
        var settings = Settings()
        #expect(Folders(environment: ["HOME": "/home/u"]).data == "/home/u/.local/share/aircheck")
        #expect(Folders(environment: ["HOME": "/h", "XDG_DATA_HOME": "/d"]).data == "/d/aircheck")
        #expect(
            Folders(environment: ["HOME": "/h", "XDG_DATA_HOME": "not/absolute"]).data
                == "/h/.local/share/aircheck")
        #expect(Folders(environment: ["STATE_DIRECTORY": "/var/lib/aircheck:/x"]).data == "/var/lib/aircheck")
        settings.paths.data = "~/radio"
        #expect(Folders(settings, environment: ["HOME": "/h", "STATE_DIRECTORY": "/v"]).data == "/h/radio")
    }

    @Test(
        "a command asks this user's service, then the machine's; where the settings name a socket, at that one alone"
    )
    func sockets() {
        let environment = ["HOME": "/h", "XDG_RUNTIME_DIR": "/run/user/7"]
        #expect(
            Folders(environment: environment).controlSocketCandidates == [
                "/run/user/7/aircheck/control.sock", "/run/aircheck/control.sock",
            ])
        var settings = Settings()
        settings.server.socket = "/srv/radio.sock"
        #expect(Folders(settings, environment: environment).controlSocketCandidates == ["/srv/radio.sock"])
    }

    @Test("put recordings into the Music folder that the user named")
    func music() throws {
        let scratch = try TemporaryFolder()
        _ = try scratch.write("user-dirs.dirs", "# x\nXDG_MUSIC_DIR=\"$HOME/Musik\"\n")
        let environment = ["HOME": "/home/u", "XDG_CONFIG_HOME": scratch.path]
        #expect(Folders(environment: environment).recordings == "/home/u/Musik/aircheck")
        #expect(Folders(environment: ["HOME": "/home/u"]).recordings == "/home/u/Music/aircheck")
    }

    @Test("of stations are read from what ships to what is one's own")
    func stations() {
        var settings = Settings()
        settings.paths.stations = ["/srv/stations"]
        let folders = Folders(settings, environment: ["HOME": "/h"]).stationFolders(
            program: "/usr/local/bin/aircheck")
        #expect(
            folders == [
                "/usr/local/share/aircheck/stations", "/usr/share/aircheck/stations",
                "/etc/aircheck/stations",
                "/h/.config/aircheck/stations", "/srv/stations",
            ])
    }
}

@Suite("Files made from the table")
struct GeneratedFileTests {
    @Test(
        "are what the table says; set AIRCHECK_WRITE=1 to write them anew",
        arguments: ["config/aircheck.toml", "docs/configuration.md"])
    func upToDate(name: String) throws {
        let text = name.hasSuffix(".md") ? ConfigurationText.page : ConfigurationText.sampleFile
        let path = projectFolder + "/" + name
        if ProcessInfo.processInfo.environment["AIRCHECK_WRITE"] == "1" {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        }
        let found = try String(contentsOfFile: path, encoding: .utf8)
        #expect(found == text, "\(name) is not what the table of settings says")
    }

    /// A setting that nothing reads is a promise that nothing keeps. Read as `….section.name`, through a name for the
    /// section (`let ingest = ….ingest`), or by what is handed its type (`Settings.Ingest`).
    @Test("name no setting that is read nowhere")
    func used() throws {
        let table = try String(
            contentsOfFile: projectFolder + "/Sources/Configuration/SettingTable.swift", encoding: .utf8)
        let paths = Set(table.components(separatedBy: "\\.").dropFirst().compactMap(Self.keyPath))
        #expect(paths.count == SettingTable.settings.count)
        let files = try Self.sources().map(SettingReads.init)
        for path in paths.sorted(by: { $0.joined() < $1.joined() }) {
            let isRead = files.contains { $0.has(path[0], path[1]) }
            #expect(isRead, "\(path[0]).\(path[1]) is read nowhere")
        }
    }

    /// `ingest`, `stall` of `ingest.stall, .duration(`.
    private static func keyPath(_ text: String) -> [String]? {
        let parts = text.prefix { $0.isLetter || $0.isNumber || $0 == "." }.split(separator: ".").map(
            String.init)
        return parts.count == 2 ? parts : nil
    }

    /// Every Swift file beyond the settings' own room, and the one in it that makes folders of them.
    private static func sources() throws -> [String] {
        let folder = projectFolder + "/Sources"
        return try FileManager.default.subpathsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix(".swift") }
            .filter { !$0.hasPrefix("Configuration/") || $0.hasSuffix("/Folders.swift") }
            .map { try String(contentsOfFile: folder + "/" + $0, encoding: .utf8) }
    }

    @Test("name every setting once")
    func names() {
        let names = SettingTable.settings.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(Set(SettingTable.settings.map(\.section)) == Set(SettingTable.sections.map(\.name)))
    }
}

/// Which settings one file reads, by its words alone.
private struct SettingReads {
    /// `section.name`, wherever something stands before it.
    private var direct: Set<String> = []
    /// Two names with a dot between, wherever they stand.
    private var pairs: Set<String> = []
    /// What stands behind a dot.
    private var names: Set<String> = []
    /// What `let`s of the file call something that ends in this name, or is made of it.
    private var aliases: [String: Set<String>] = [:]

    init(_ text: String) {
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            let words = line.split { !Self.isWord($0) }.map { String(decoding: $0, as: UTF8.self) }
            for word in words where word.contains(".") { take(word) }
            if let start = words.firstIndex(of: "let") { take(names: words[(start + 1)...]) }
        }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private mutating func take(_ word: String) {
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated().dropFirst() {
            names.insert(String(part))
            pairs.insert("\(parts[index - 1]).\(part)")
            if index > 1 { direct.insert("\(parts[index - 1]).\(part)") }
        }
    }

    private mutating func take(names words: ArraySlice<String>) {
        let given = words.prefix { !$0.contains(".") }
        for word in words.dropFirst(given.count) {
            for part in word.split(separator: ".") { aliases[String(part), default: []].formUnion(given) }
        }
    }

    func has(_ section: String, _ name: String) -> Bool {
        if direct.contains("\(section).\(name)") { return true }
        let types = pairs.filter { $0.hasPrefix("Settings.") || $0.hasPrefix("settings.") }
        if names.contains(name), types.contains(where: { $0.lowercased() == "settings.\(section)" }) {
            return true
        }
        return aliases[section]?.contains { pairs.contains("\($0).\(name)") } ?? false
    }
}

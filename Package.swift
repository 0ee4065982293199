// swift-tools-version: 6.2
// swift-format-ignore-file
// aircheck: one live-radio station in, once; a player, recorders and listeners out.
//
// One target per room. Imports go down this list and never back; `docs/architecture.md` draws it. The doors to C
// libraries stand under `Sources/Doors` and hold nothing but a header, a module map and, where C needs it, a shim.

import PackageDescription

/// What every Swift target is compiled with: Swift 6, no warning tolerated, `any` written out, imports private.
let house: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// The pure rooms read bytes from strangers: no raw pointer without the word `unsafe`.
let pure: [SwiftSetting] = house + [.strictMemorySafety()]

func door(_ name: String, apt: String, pkgConfig: String? = nil) -> Target {
    .systemLibrary(name: name, path: "Sources/Doors/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

func shim(_ name: String, links: [String] = []) -> Target {
    .target(name: name, path: "Sources/Doors/\(name)", linkerSettings: links.map { .linkedLibrary($0) })
}

/// The targets of a list such as `"Feed Platform"`: one line a target keeps changes of two people apart.
func words(_ list: String) -> [Target.Dependency] { list.split(separator: " ").map { .byName(name: String($0)) } }

func room(_ name: String, _ dependencies: String = "", settings: [SwiftSetting] = house) -> Target {
    .target(name: name, dependencies: words(dependencies), swiftSettings: settings)
}

func executable(_ name: String, _ dependencies: String) -> Target {
    .executableTarget(name: name, dependencies: words(dependencies), swiftSettings: house)
}

func testSupport(_ name: String, _ dependencies: String = "") -> Target {
    .target(name: name, dependencies: words(dependencies), path: "Tests/Support/\(name)", swiftSettings: house)
}

func tests(
    _ name: String, _ dependencies: String, exclude: [String] = [], resources: [Resource] = []
) -> Target {
    .testTarget(
        name: name, dependencies: words(dependencies), exclude: exclude, resources: resources, swiftSettings: house)
}

let doors: [Target] = [
    shim("CLinux"),
    door("CCurl", apt: "libcurl4-openssl-dev", pkgConfig: "libcurl"),
    door("CSQLite", apt: "libsqlite3-dev", pkgConfig: "sqlite3"),
    shim("CTags", links: ["tag"]),
    shim("CToml"),
    .target(name: "CDemoAudio", path: "Sources/Doors/CDemoAudio", exclude: ["demo.mp3"]),
    door("CUchardet", apt: "libuchardet-dev", pkgConfig: "uchardet"),
    // The second executable's alone.
    door("CMpg123", apt: "libmpg123-dev"),
    door("CAVCodec", apt: "libavformat-dev"),
    door("CPulse", apt: "libpulse-dev"),
    shim("CAVLazy"),
    shim("CSandbox"),
    door("CEBUR128", apt: "libebur128-dev"),
    shim("CSoundTouch", links: ["SoundTouch"]),
    door("CCrypto", apt: "libssl-dev", pkgConfig: "libcrypto"),
    door("CZlib", apt: "zlib1g-dev"),
    shim("CICal"),
    door("CUnistring", apt: "libunistring-dev"),
    shim("CBus"),
]

let rooms: [Target] = [
    // Pure: bytes in, values out.
    room("StreamFormats", settings: pure),
    room("HTTPWire", settings: pure),
    room("JSONText"),
    // Which charset, asked of C.
    room("CharsetGuess", "CUchardet StreamFormats"),
    room("TOMLText", "CToml"),
    // The machine.
    room("Platform", "CLinux"),
    room("Cryptography", "CCrypto CLinux"),
    room("Reactor", "CLinux Platform"),
    room("Transfers", "CCurl CLinux Platform StreamFormats"),
    room("Store", "CLinux CSQLite Platform"),
    room("HTTPServer", "CLinux HTTPWire JSONText Platform Reactor"),
    // The hub, and what fills it.
    room("Feed", "Platform StreamFormats"),
    room("Ingest", "CLinux CharsetGuess Cryptography Feed Platform StreamFormats Transfers"),
    room("Catalogue", "CLinux JSONText Platform Store StreamFormats TOMLText"),
    // What reads the feed.
    room("Scheduling", "CICal CLinux Platform Store StreamFormats"),
    room("MediaHelper", "CLinux Platform StreamFormats"),
    room("Recording", "CUnistring CLinux CTags Feed HTTPWire JSONText MediaHelper Platform Store StreamFormats"),
    room("Relay", "CLinux Feed HTTPServer HTTPWire JSONText Platform Reactor StreamFormats Transfers"),
    room("HomeNetwork", "CLinux HTTPServer HTTPWire Platform Reactor StreamFormats"),
    room("Variants", "Feed MediaHelper Platform Reactor StreamFormats"),
    room("Playback", "Feed MediaHelper Platform StreamFormats"),
    // Who asks.
    room("MPDServer", "CLinux Platform Reactor"),
    room("MPRIS", "CBus Platform Reactor"),
    room("Configuration", "CLinux Platform TOMLText"),
    room("ControlAPI", "CLinux Cryptography HTTPServer HTTPWire JSONText Platform Reactor Store"),
    room("Household", "JSONText Platform Store"),
    room("Podcasts", "HTTPWire JSONText Platform StreamFormats"),
    room("WebUI", "CZlib Cryptography HTTPServer HTTPWire Platform"),
    room("DemoStation", "CDemoAudio CLinux HTTPServer HTTPWire Platform Reactor StreamFormats"),
    room("AircheckDaemon", "Catalogue CLinux Configuration ControlAPI DemoStation Feed HomeNetwork HTTPServer HTTPWire Household Ingest JSONText MediaHelper MPDServer MPRIS Platform Playback Podcasts Reactor Recording Relay Scheduling Store StreamFormats TOMLText Transfers Variants WebUI"),
    room("AircheckCLI", "AircheckDaemon Catalogue CLinux Configuration ControlAPI DemoStation Feed HomeNetwork HTTPServer Ingest JSONText MediaHelper Platform Playback Reactor Recording Relay Store StreamFormats TOMLText Transfers"),
]

let executables: [Target] = [
    executable("aircheck", "AircheckCLI Platform"),
    executable("AircheckMedia", "CAVCodec CAVLazy CEBUR128 CLinux CMpg123 CPulse CSandbox CSoundTouch MediaHelper Platform StreamFormats"),
    .executableTarget(
        name: "IngestBenchReceiver", dependencies: words("CLinux Feed Ingest Platform Recording StreamFormats Transfers"),
        path: "Benchmarks/ingest/receiver", swiftSettings: house),
    .executableTarget(
        name: "SplitBench", dependencies: words("CLinux Feed MediaHelper Platform Recording StreamFormats"),
        path: "Benchmarks/split", swiftSettings: house),
]

/// Servers, judges and real programs that only tests use.
let testLibraries: [Target] = [
    testSupport("TestStations", "CLinux Platform"),
    testSupport("TestClients", "CLinux Platform"),
    testSupport("TestPrograms", "Platform"),
    .executableTarget(
        name: "RecorderVictim", dependencies: words("CLinux Feed Platform Recording StreamFormats TestStations"),
        path: "Tests/Support/RecorderVictim", swiftSettings: house),
    testSupport("TestSound", "Feed Platform StreamFormats TestPrograms"),
    .executableTarget(
        name: "PlayerBench",
        dependencies: words("Feed Ingest Platform Playback StreamFormats TestPrograms TestSound TestStations Transfers"),
        path: "Benchmarks/player", swiftSettings: house),
]

/// What scripts/fuzz runs. It links with `--sanitize=fuzzer` alone, which brings the `main`, and so is there only when
/// that asks for it.
let fuzzer = Target.executableTarget(
    name: "aircheck-fuzz", dependencies: words("FuzzOracles"), path: "Fuzz/Entry", swiftSettings: house)

let fuzzing: [Target] =
    [.target(name: "FuzzOracles", dependencies: words("HTTPWire MediaHelper StreamFormats"), path: "Fuzz/Oracles", swiftSettings: house)]
    + (Context.environment["AIRCHECK_FUZZ"] == nil ? [] : [fuzzer])

let suites: [Target] = [
    tests("FuzzReplayTests", "FuzzOracles"),
    tests("StreamFormatsTests", "StreamFormats", resources: [.copy("Fixtures")]),
    tests("CharsetGuessTests", "CharsetGuess StreamFormats"),
    tests("CryptographyTests", "Cryptography"),
    tests("HTTPWireTests", "HTTPWire"),
    tests("ReactorTests", "CLinux Platform Reactor TestClients TestPrograms"),
    tests("HTTPServerTests", "CLinux HTTPServer HTTPWire Platform Reactor TestClients"),
    tests("DemoStationTests", "DemoStation Platform TestClients TestPrograms"),
    tests("RelayTests", "CLinux Feed HTTPServer HTTPWire JSONText Platform Reactor Relay StreamFormats TestPrograms TestStations Transfers", exclude: ["Programs"]),
    tests("HomeNetworkTests", "HTTPServer HTTPWire HomeNetwork Platform Reactor StreamFormats TestClients TestPrograms"),
    tests("VariantsTests", "AircheckMedia Feed MediaHelper Platform Reactor StreamFormats TestPrograms TestSound Variants"),
    tests("ControlAPITests", "ControlAPI HTTPServer HTTPWire JSONText Platform Reactor Store TestPrograms"),
    tests("MediaHelperTests", "AircheckMedia CLinux MediaHelper Platform StreamFormats TestPrograms TestSound"),
    tests("PlaybackTests", "Feed MediaHelper Platform Playback StreamFormats TestPrograms TestSound"),
    tests("AircheckCLITests", "AircheckCLI Platform Recording"),
    tests("EndToEndTests", "JSONText TestPrograms TestSound TestStations aircheck AircheckMedia"),
    tests("FeedTests", "Feed Platform StreamFormats"),
    tests("StoreTests", "Platform Store TestPrograms"),
    tests("IngestTests", "CCrypto CLinux Feed Ingest Platform StreamFormats TestPrograms TestStations Transfers", resources: [.copy("WildCases")]),
    tests("TransfersTests", "Platform StreamFormats TestPrograms TestStations Transfers"),
    tests("JSONTextTests", "JSONText"),
    tests("TOMLTextTests", "TOMLText"),
    tests("MPDServerTests", "MPDServer Platform Reactor TestClients"),
    tests("DaemonTests", "AircheckDaemon Catalogue ControlAPI Household JSONText MPDServer Platform Playback Recording Store StreamFormats TestPrograms TestStations Transfers"),
    tests("MPRISTests", "MPRIS"),
    tests("ConfigurationTests", "Configuration TOMLText TestPrograms"),
    tests("CatalogueTests", "Catalogue JSONText Platform Store StreamFormats TOMLText TestPrograms"),
    tests("RecordingTests", "CLinux Feed JSONText MediaHelper Platform RecorderVictim Recording Store StreamFormats TestPrograms TestStations"),
    tests("SchedulingTests", "Platform Scheduling Store TestPrograms", resources: [.copy("Fixtures")]),
]

let package = Package(
    name: "aircheck",
    products: [.executable(name: "aircheck", targets: ["aircheck"]), .executable(name: "aircheck-media", targets: ["AircheckMedia"])],
    targets: [doors, rooms, executables, testLibraries, fuzzing, suites].flatMap { $0 }
)

import Foundation
import JSONText
import TestPrograms

/// The executables of this build, as a user would start them.
enum Built {
    /// The folder that `swift build` put them into: the test bundle lies there too.
    static let folder: String = {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        return (bundle as NSString).deletingLastPathComponent
    }()

    static var aircheck: String { folder + "/aircheck" }

    /// Every XDG folder inside a temporary one, so that nothing of the machine's is touched.
    static func environment(_ folder: TemporaryFolder) -> [String: String] {
        [
            "HOME": folder.path, "XDG_DATA_HOME": folder.path("data"),
            "XDG_CONFIG_HOME": folder.path("config"),
            "XDG_RUNTIME_DIR": folder.path("run"), "XDG_STATE_HOME": folder.path("state"),
            "SWIFT_BACKTRACE": "enable=no", "NO_COLOR": "1",
            // A service that runs on this machine is not asked by what a test runs.
            "AIRCHECK_SERVER_SOCKET": folder.path("run/aircheck/control.sock"),
            // Services of several tests would quarrel about the usual port, and appear on this desktop.
            "AIRCHECK_MPD_PORT": "0", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent",
        ]
    }

    /// Runs a command to its end.
    static func run(
        _ arguments: [String], in folder: TemporaryFolder, environment: [String: String] = [:],
        within seconds: Double = 60
    ) throws -> (exitCode: Int32?, output: String, errors: String) {
        try RunningProgram.run(
            aircheck, arguments, in: folder,
            environment: Built.environment(folder).merging(environment) { $1 },
            within: seconds)
    }

    /// Starts a command and leaves it running.
    static func start(
        _ arguments: [String], in folder: TemporaryFolder, name: String, environment: [String: String] = [:]
    ) throws -> RunningProgram {
        try RunningProgram(
            aircheck, arguments, in: folder, name: name,
            environment: Built.environment(folder).merging(environment) { $1 })
    }
}

/// A service of this build with settings and stations of the test's own.
final class AircheckService {
    let folder: TemporaryFolder
    let port: Int
    let demoPort: Int
    private(set) var program: RunningProgram
    private let environment: [String: String]
    private let arguments: [String]

    var pid: Int32 { program.pid }
    var address: String { "http://127.0.0.1:\(port)" }

    /// - Parameters:
    ///   - stations: TOML of the stations it knows beside the demo station.
    ///   - settings: TOML added to the settings file.
    init(
        in folder: TemporaryFolder, stations: String = "", settings: String = "", arguments: [String] = [],
        environment: [String: String] = [:]
    ) throws {
        self.folder = folder
        port = FreePort.next()
        demoPort = FreePort.next()
        self.environment = environment
        for name in ["data", "config", "config/aircheck", "config/aircheck/stations", "run"] {
            _ = try folder.folder(name, permissions: 0o700)
        }
        _ = try folder.write("config/aircheck/aircheck.toml", settings)
        if !stations.isEmpty { _ = try folder.write("config/aircheck/stations/test.toml", stations) }
        self.arguments =
            [
                "serve", "--demo", "--demo-port", "\(demoPort)", "--listen", "127.0.0.1:\(port)",
            ] + arguments
        program = try Built.start(self.arguments, in: folder, name: "serve", environment: environment)
        try waitUntilReady()
    }

    deinit { program.stop() }

    func stop() { program.stop() }

    /// Starts it again on the same folders, as after a crash or an upgrade.
    func start(again: Bool = true) throws {
        program = try Built.start(arguments, in: folder, name: "serve-again", environment: environment)
        try waitUntilReady()
    }

    private func waitUntilReady() throws {
        let ready = eventually(within: 30) {
            !program.isRunning || (try? get("/readyz")) != nil
        }
        guard ready, program.isRunning else {
            throw StartFailure("the service did not start: \(program.errors)")
        }
    }

    /// Asks the API on its socket, where the kernel vouches for the caller.
    func get(_ path: String) throws -> JSONValue { try call("GET", path, nil) }

    @discardableResult
    func call(_ method: String, _ path: String, _ body: JSONValue?) throws -> JSONValue {
        var words = [
            "-s", "--fail-with-body", "--unix-socket", folder.path("run/aircheck/control.sock"), "-X", method,
        ]
        if method != "GET" { words += ["-H", "Content-Type: application/json", "-d", body?.text() ?? "{}"] }
        let answer = try RunningProgram.run(
            "curl", words + ["http://localhost" + path], in: folder, within: 30)
        guard answer.exitCode == 0 else {
            throw StartFailure("\(method) \(path): \(answer.exitCode ?? -1) \(answer.output)")
        }
        return answer.output.isEmpty ? .null : try JSONValue.parse(answer.output, limit: 64 << 20)
    }

    /// What the API answers on its socket, a refusal too.
    func answer(_ method: String, _ path: String, _ body: JSONValue) throws -> (status: Int, body: JSONValue)
    {
        let answer = try RunningProgram.run(
            "curl",
            [
                "-s", "--unix-socket", folder.path("run/aircheck/control.sock"), "-X", method, "-H",
                "Content-Type: application/json", "-d", body.text(), "-w", "\n%{http_code}",
                "http://localhost" + path,
            ], in: folder, within: 30)
        let parts = answer.output.split(separator: "\n", omittingEmptySubsequences: false)
        let text = parts.dropLast().joined(separator: "\n")
        let status = parts.last.flatMap { Int($0) } ?? 0
        return (status, text.isEmpty ? .null : try JSONValue.parse(text, limit: 64 << 20))
    }

    /// A command that talks to this service.
    func command(_ arguments: [String], within seconds: Double = 60) throws -> (
        exitCode: Int32?, output: String, errors: String
    ) {
        try Built.run(arguments, in: folder, environment: environment, within: seconds)
    }

    /// What `status` says of one station.
    func station(_ id: String) throws -> JSONValue? {
        try get("/api/v1/status")["stations"]?.array?.first { $0["id"]?.string == id }
    }
}

package import Configuration
internal import DemoStation
internal import HTTPServer
internal import Platform
internal import Relay
internal import Variants

/// What a service is started with: settings, and what the command line adds.
package struct ServicePlan: Sendable {
    package var configuration: Settings
    package var folders: Folders
    /// Path of the running executable, for files that lie beside it.
    package var program: String?

    package init(configuration: Settings, folders: Folders, program: String? = Program.path) {
        self.configuration = configuration
        self.folders = folders
        self.program = program
    }

    /// Folders of station files; with the demo station, one that holds its entry.
    func stationFolders() throws(ServiceFailure) -> [String] {
        let usual = folders.stationFolders(program: program)
        guard configuration.demo.enabled else { return usual }
        let folder = folders.runtime + "/stations"
        do {
            try Files.makeFolder(folder, mode: 0o700)
            try Files.replace(folder + "/demo.toml", with: Array(demoEntry.utf8))
        } catch {
            throw ServiceFailure(.cannotCreate, "cannot write the demo station's entry: \(error)")
        }
        return usual + [folder]
    }

    private var demoEntry: String {
        """
        [[station]]
        id = "demo"
        name = "aircheck demo"
        urls = ["http://127.0.0.1:\(configuration.demo.port)/"]
        genre = "Test"
        codec = "mp3"
        source = "aircheck itself"
        local = true

        """
    }

    func startDemo() throws(ServiceFailure) -> DemoStation? {
        guard configuration.demo.enabled else { return nil }
        do {
            return try DemoStation(port: UInt16(clamping: configuration.demo.port))
        } catch {
            throw ServiceFailure(
                .unavailable, "the demo station cannot use port \(configuration.demo.port): \(error)",
                remedy: "Choose another port with --demo-port, or end what uses it.")
        }
    }

    /// Where listeners reach the service when their request does not say.
    var listenAddress: String {
        let server = configuration.server
        let host = ["0.0.0.0", "::"].contains(server.listenBind) ? "127.0.0.1" : server.listenBind
        return "http://\(host.contains(":") ? "[\(host)]" : host):\(server.listenPort)"
    }

    var serverLimits: ServerLimits {
        var limits = ServerLimits()
        limits.connections = configuration.server.maxConnections
        limits.waitingPerAddress = configuration.server.maxConnectionsPerAddress
        return limits
    }

    var mp3Settings: MP3Variants.Settings {
        MP3Variants.Settings(
            bitrate: configuration.relay.mp3Bitrate, encoders: configuration.relay.maxEncoders)
    }

    /// Where stations are sent to.
    func pushTargets() throws(ServiceFailure) -> [PushTarget] {
        var targets: [PushTarget] = []
        for text in configuration.relay.push {
            do throws(PushTarget.Mistake) {
                targets.append(try PushTarget(text))
            } catch {
                throw ServiceFailure(
                    .configuration, error.description, remedy: "Mend relay.push in the settings.")
            }
        }
        return targets
    }

    var relaySettings: RelaySettings {
        let relay = configuration.relay
        return RelaySettings(
            batch: relay.batch.inSeconds,
            burst: Burst(
                bytes: relay.burstBytesMin, seconds: relay.burst.inSeconds, limit: relay.burstBytesMax),
            ringBytes: relay.slowBytes, lagSeconds: relay.slowAfter.inSeconds,
            metaint: Int32(clamping: relay.metaint),
            limits: RelayLimits(
                listeners: relay.maxListeners, listenersPerMount: relay.maxListenersPerStation,
                listenersPerAddress: relay.maxListenersPerAddress),
            rangeRule: RangeRule(rawValue: relay.rangeRule.rawValue) ?? .auto,
            corsOrigin: relay.corsOrigin.isEmpty ? nil : relay.corsOrigin)
    }
}

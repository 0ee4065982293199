package import Configuration
internal import Feed
internal import HTTPServer
internal import HTTPWire
internal import Ingest
internal import Platform
internal import Reactor
internal import Relay
package import StreamFormats
internal import Transfers

/// A relay of a few stations without a database, an API or a player: `aircheck relay`.
package final class StandAloneRelay: Sendable {
    private let engine: TransferEngine
    private let hub: IngestHub
    private let loops: LoopGroup
    private let server: HTTPServer
    private let relay: RelayService
    /// `http://127.0.0.1:2472`
    package let address: String

    /// Begins to listen. Everybody who reaches the address may listen; nothing else is served there.
    package init(stations: [Station], host: String, port: UInt16, settings: Settings) throws {
        engine = TransferEngine(IngestWiring.engineSettings(settings))
        hub = IngestHub(engine: engine, settings: IngestWiring.settings(settings))
        let plan = ServicePlan(configuration: settings, folders: Folders(settings, environment: [:]))
        do {
            loops = try LoopGroup(count: Program.cores, name: "loop")
            server = HTTPServer(loops: loops, limits: plan.serverLimits)
            relay = RelayService(
                loops: loops, source: FixedMounts(all: stations, hub: hub), auth: NobodyIsAdmin(),
                identity: RelayIdentity(server: Product.userAgent), settings: plan.relaySettings)
            let hosts = HostRules(names: settings.server.names, machineName: Program.hostName)
            let endpoint = try server.listen(
                on: .tcp(host: host, port: port), application: relay, hosts: hosts)
            let shown = ["0.0.0.0", "::"].contains(host) ? "127.0.0.1" : host
            address = "http://\(shown.contains(":") ? "[\(shown)]" : shown):\(endpoint.port ?? port)"
        } catch {
            throw ServiceFailure(
                .unavailable, "cannot listen on \(host) port \(port): \(error.reason)",
                remedy: "Choose another address or port with --bind and --port.")
        }
    }

    package func stop() {
        relay.close()
        hub.stop()
        engine.stop()
        loops.stop()
    }
}

/// The stations of the command line, each on a mount of its own.
private struct FixedMounts: MountSource {
    let all: [Station]
    let hub: IngestHub

    func station(named name: String) -> Station? { all.first { $0.id == name } }
    func stations() -> [Station] { all }
    func favourites() -> [Station] { [] }
    func feed(of station: Station) -> Feed? { hub.feed(for: station) }
}

/// There is nothing to administer.
private struct NobodyIsAdmin: AdminAuth {
    func verdict(on credentials: Credentials?, from peer: PeerAddress, for use: AdminUse) -> AdminVerdict {
        .unknown
    }
}

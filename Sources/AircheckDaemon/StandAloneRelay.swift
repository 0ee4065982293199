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
internal import Variants

/// A relay of a few stations without a database, an API or a player: `aircheck relay`.
package final class StandAloneRelay: Sendable {
    private let engine: TransferEngine
    private let hub: IngestHub
    private let loops: LoopGroup
    private let server: HTTPServer
    private let relay: RelayService
    private let variantLoop: EventLoop
    private let mp3: MP3Variants
    /// `http://127.0.0.1:2472`
    package let address: String

    /// Begins to listen. Everybody who reaches the address may listen; nothing else is served there.
    package init(stations: [Station], host: String, port: UInt16, settings: Settings) throws {
        engine = TransferEngine(IngestWiring.engineSettings(settings))
        hub = IngestHub(engine: engine, settings: IngestWiring.settings(settings))
        let plan = ServicePlan(configuration: settings, folders: Folders(settings, environment: [:]))
        do {
            variantLoop = try EventLoop(name: "variants")
            mp3 = MP3Variants(settings: plan.mp3Settings, loop: variantLoop) { [hub] id in
                stations.first { $0.id == id }.map { hub.feed(for: $0) }
            }
            loops = try LoopGroup(count: Program.cores, name: "loop")
            server = HTTPServer(loops: loops, limits: plan.serverLimits)
            relay = RelayService(
                loops: loops, source: FixedMounts(all: stations, hub: hub, mp3: mp3), auth: NobodyIsAdmin(),
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
        mp3.close()
        variantLoop.stop()
        hub.stop()
        engine.stop()
        loops.stop()
    }
}

/// The stations of the command line, each on a mount of its own.
private struct FixedMounts: MountSource {
    let all: [Station]
    let hub: IngestHub
    let mp3: MP3Variants

    func station(named name: String) -> Station? {
        if let station = all.first(where: { $0.id == name }) { return station }
        guard let original = MP3Variants.original(of: name) else { return nil }
        return all.first { $0.id == original }.map { mp3.station(for: $0) }
    }

    func stations() -> [Station] { all }
    func favourites() -> [Station] { [] }
    func feed(of station: Station) -> Feed? { mp3.feed(of: station)?.feed ?? hub.feed(for: station) }
}

/// There is nothing to administer.
private struct NobodyIsAdmin: AdminAuth {
    func verdict(on credentials: Credentials?, from peer: PeerAddress, for use: AdminUse) -> AdminVerdict {
        .unknown
    }
}

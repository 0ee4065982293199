package import Feed
package import HTTPWire
package import Platform
package import Reactor
internal import HTTPServer
internal import StreamFormats

/// A relay without a service around it: a few feeds, an address, nothing to administer. For `aircheck relay URL`.
///
/// It serves until `stop`. All functions may be called from any thread.
package final class DirectRelay: Sendable {
    private let loops: LoopGroup
    private let server: HTTPServer
    private let relay: RelayService
    /// Where it listens, with the port that the kernel chose.
    package let endpoint: Endpoint

    /// Begins to listen.
    /// - Parameters:
    ///   - mounts: path without its slash, and what is heard there.
    ///   - hosts: which names it answers to besides addresses.
    /// - Throws: `SystemError` when the address cannot be had.
    package init(
        mounts: [(name: String, feed: Feed)], on endpoint: Endpoint, hosts: HostRules, loopCount: Int,
        identity: RelayIdentity, settings: RelaySettings = RelaySettings()
    ) throws(SystemError) {
        loops = try LoopGroup(count: loopCount, name: "relay")
        server = HTTPServer(loops: loops)
        var settings = settings
        settings.mounts = mounts.map { MountRule(name: $0.name, station: $0.feed.station.id) }
        relay = RelayService(
            loops: loops, source: FixedMounts(feeds: mounts.map(\.feed)), auth: NoAdministration(),
            identity: identity, settings: settings)
        self.endpoint = try server.listen(on: endpoint, application: relay, hosts: hosts)
    }

    package var snapshot: RelaySnapshot { relay.snapshot }

    /// Ends all listeners and closes the address.
    package func stop() async {
        relay.close()
        await server.stop()
        loops.stop()
    }
}

/// The stations that were named on the command line.
private struct FixedMounts: MountSource {
    let feeds: [Feed]

    func station(named name: String) -> Station? { feeds.first { $0.station.id == name }?.station }
    func stations() -> [Station] { feeds.map(\.station) }
    func favourites() -> [Station] { [] }
    func feed(of station: Station) -> Feed? { feeds.first { $0.station.id == station.id } }
}

/// Nobody has a password, so nobody is let in.
private struct NoAdministration: AdminAuth {
    func verdict(on credentials: Credentials?, from peer: PeerAddress, for use: AdminUse) -> AdminVerdict {
        .unknown
    }
}

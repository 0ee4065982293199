internal import Catalogue
internal import Configuration
internal import HomeNetwork
internal import HTTPServer
internal import HTTPWire
internal import Platform
internal import Reactor

/// Starts what makes the service found by devices in the house, as far as the settings ask for it.
final class HomeWiring: Sendable {
    let pages: HomePages
    private let loop: EventLoop
    private let ssdp: SsdpService?

    init(_ plan: ServicePlan, rooms: Rooms) throws {
        let (home, server) = (plan.configuration.home, plan.configuration.server)
        let uuid = home.mediaServer ? try Self.identity(in: plan.folders.data) : ""
        let port = UInt16(clamping: server.listenPort)
        loop = try EventLoop(name: "home")
        pages = HomePages(
            settings: HomePages.Settings(
                isMediaServer: home.mediaServer, isReceiverMenu: home.receiverPort > 0,
                name: home.name.isEmpty ? "aircheck on \(Program.hostName ?? "this machine")" : home.name,
                uuid: uuid,
                version: Product.version, broadcastsAsTracks: home.itemClass == .track, mountPort: port),
            contents: HomeShelves(rooms: rooms), loop: loop, time: rooms.time)
        ssdp =
            home.mediaServer
            ? SsdpService(
                loop: loop, bind: server.listenBind, port: port, uuid: uuid, version: Product.version,
                time: rooms.time) : nil
    }

    /// Once the ports are bound.
    func start() throws(ServiceFailure) {
        do {
            try ssdp?.start()
        } catch {
            throw ServiceFailure(
                .unavailable, "cannot announce the media server: \(error)",
                remedy: "Set home.media_server = false, or end what keeps UDP port 1900 for itself.")
        }
    }

    func stop() {
        ssdp?.stop()
        loop.stop()
    }

    /// The same as long as the data folder is: players remember a server by it.
    private static func identity(in folder: String) throws -> String {
        let path = folder + "/media-server-id"
        if let known = try? Files.read(path, limit: 64) {
            let text = String(decoding: known, as: UTF8.self).filter { !$0.isWhitespace }
            if text.utf8.count == 36 { return text }
        }
        let new = DeviceIdentity.random()
        do {
            try Files.replace(path, with: Array((new + "\n").utf8))
        } catch {
            throw ServiceFailure(
                .cannotCreate, "cannot write \(path): \(error)",
                remedy: "Give the data folder to this user, or set home.media_server = false.")
        }
        return new
    }
}

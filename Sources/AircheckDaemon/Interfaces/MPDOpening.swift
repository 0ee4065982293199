internal import Configuration
internal import MPDServer
internal import Platform
internal import Reactor

/// Opens the door for MPD's clients. Whatever keeps it shut is said once; the service runs without it.
struct MPDOpening {
    let plan: ServicePlan
    let rooms: Rooms

    /// Nil when the settings want none, or nothing could be opened.
    func open() -> MPDDoor? {
        let settings = plan.configuration.mpd
        guard settings.port > 0 else { return nil }
        do {
            let role: MPDPermissions = MPDAdapter.permissions(
                of: settings.loopbackControl ? .operator : .viewer)
            let door = try MPDDoor(backend: MPDAdapter(rooms: rooms), loopback: role)
            let isOpen = [openPort(door, settings), openSocket(door)].contains(true)
            guard isOpen else {
                door.close()
                return nil
            }
            rooms.playerNews.follow { [weak door] _ in door?.playerChanged() }
            rooms.catalogueNews.follow { [weak door] _ in door?.catalogueChanged() }
            return door
        } catch {
            Log.warning("mpd", "cannot start", ["error": "\(error)"])
            return nil
        }
    }

    private func openPort(_ door: MPDDoor, _ settings: Settings.MPD) -> Bool {
        do {
            let endpoint = try door.open(.tcp(host: settings.bind, port: UInt16(clamping: settings.port)))
            Log.info("mpd", "clients may connect", ["endpoint": "\(endpoint)"])
            return true
        } catch {
            Log.warning(
                "mpd", "the port cannot be used; set mpd.port to another one, or to 0 for none",
                ["port": "\(settings.port)", "error": error.reason])
            return false
        }
    }

    private func openSocket(_ door: MPDDoor) -> Bool {
        let path = plan.folders.runtime + "/mpd.sock"
        do {
            _ = try door.open(.unix(path: path, permissions: 0o600))
            return true
        } catch {
            Log.warning("mpd", "the socket cannot be made", ["path": path, "error": error.reason])
            return false
        }
    }
}

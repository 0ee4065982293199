internal import Catalogue
internal import MPRIS
internal import Platform
internal import Playback
internal import StreamFormats

/// The service's player as a desktop sees it.
struct MPRISAdapter: Sendable {
    let rooms: Rooms

    /// The door, if the settings want one; without a session bus it waits for one.
    func open() -> MPRISDoor? {
        guard rooms.configuration.mpris.enabled else { return nil }
        do {
            let door = try MPRISDoor(view: { view }, perform: { perform($0) })
            rooms.playerNews.follow { [weak door] _ in door?.playerChanged() }
            return door
        } catch {
            Log.warning("mpris", "cannot start", ["error": "\(error)"])
            return nil
        }
    }

    var view: MPRISView {
        let status = rooms.player.status
        var view = MPRISView()
        view.isPlaying = status.isPlaying
        view.station = status.station?.name
        view.genre = status.station?.genre
        view.url = status.station?.urls.first
        view.logo = status.station?.logo
        view.volume = status.volume
        view.canSkip = status.list.count > 1
        view.pauses = rooms.configuration.mpris.pauseStops
        if let text = status.title?.text, text.kind != .none, !text.text.isEmpty {
            view.artist = text.artist
            view.title = text.title ?? text.text
        }
        return view
    }

    func perform(_ order: MPRISOrder) {
        switch order {
        case .play: rooms.player.play()
        case .stop: rooms.player.stop()
        case .next: rooms.player.next()
        case .previous: rooms.player.previous()
        case .volume(let percent): rooms.player.setVolume(percent)
        case .open(let address):
            guard PlayerOrders.isAddress(address) else { return }
            let known = rooms.catalogue.snapshot.stations.first { $0.station.urls.contains(address) }
            let station = known?.station ?? PlayerOrders.station(at: address)
            let orders = PlayerOrders(player: rooms.player, catalogue: rooms.catalogue)
            rooms.player.tune(station, among: orders.list(around: station))
        }
    }
}

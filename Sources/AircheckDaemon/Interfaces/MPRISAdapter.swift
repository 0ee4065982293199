internal import Catalogue
internal import HTTPWire
internal import MPRIS
internal import MediaHelper
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
        if let recording = status.recording { return view(of: recording, status) }
        var view = MPRISView()
        view.isPlaying = status.isPlaying
        view.station = status.station?.name
        view.genre = status.station?.genre
        view.url = status.station?.urls.first
        view.logo = status.station.flatMap(picture)
        view.volume = status.volume
        view.canSkip = status.list.count > 1
        view.pauses = rooms.configuration.mpris.pauseStops
        if let text = status.tunedTitle?.text, text.kind != .none, !text.text.isEmpty {
            view.artist = text.artist
            view.title = text.title ?? text.text
        }
        return view
    }

    private func view(of recording: PlayedRecording, _ status: PlayerStatus) -> MPRISView {
        var view = MPRISView()
        view.isPlaying = status.isPlaying
        view.station = recording.stationName
        view.volume = status.volume
        view.canSkip = !recording.chapters.isEmpty
        view.logo = (rooms.catalogue.station(recording.stationID)?.station).flatMap(picture)
        view.artist = status.tunedTitle?.text.artist
        view.title = status.tunedTitle.map { $0.text.title ?? $0.text.text } ?? recording.title
        view.recording = .init(
            isPaused: status.phase == .paused, length: Self.microseconds(recording.length),
            position: Self.microseconds(status.position(at: rooms.time.wall) ?? 0), rate: status.speed,
            rates: PlaybackSpeed.range)
        return view
    }

    /// The station's picture as a file of ours: a desktop would ask the station's server for its address, and say so who
    /// listens to what.
    private func picture(_ station: Station) -> String? {
        rooms.artwork.fileAtHand(of: station).map { path in
            "file://" + path.split(separator: "/").map { "/" + PercentCoding.encode(String($0)) }.joined()
        }
    }

    private static func microseconds(_ seconds: Double) -> Int64 { Nanoseconds.of(seconds) / 1000 }

    func perform(_ order: MPRISOrder) {
        switch order {
        case .pause: rooms.player.pause()
        case .position(let microseconds): rooms.player.seek(to: Double(microseconds) / 1e6)
        case .rate(let rate): rooms.player.setSpeed(rate)
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

/// What the service does by itself around the player: it looks after stations, waits for songs, and plays dials.
final class Companions: Sendable {
    let scout: StationScout
    let watchman: Watchman
    let dial: DialRunner

    init(rooms: Rooms) {
        scout = StationScout(rooms: rooms)
        watchman = Watchman(rooms: rooms)
        dial = DialRunner(rooms: rooms, scout: scout)
    }

    func start() {
        watchman.start()
        dial.start()
        scout.start()
    }

    /// Blocks until what is being listened to just now has ended; seconds at most.
    func end() { scout.end() }
}

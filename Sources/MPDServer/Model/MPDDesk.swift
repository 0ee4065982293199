/// What all clients share: the queue, the options that are stored and echoed, and who is to be told what has changed.
/// Touched on the door's thread only.
final class MPDDesk {
    let backend: any MPDBackend
    private(set) var queue = MPDQueue()
    var options = MPDOptions()
    var updates = 0
    private(set) var clients: [Int: MPDClient] = [:]
    /// Told when a client has something pending.
    var wake: (MPDClient) -> Void = { _ in }
    /// The player at the last look.
    private(set) var player: MPDPlayerView
    private var random = SystemRandomNumberGenerator()
    /// Nobody has chosen this queue yet: it is what the service offers.
    private var isUntouched: Bool

    init(backend: any MPDBackend) {
        self.backend = backend
        player = backend.player
        isUntouched = player.list.isEmpty
        queue.replace(with: player.list.isEmpty ? backend.firstQueue : player.list)
    }

    // MARK: Clients

    func add(_ client: MPDClient) { clients[client.number] = client }
    func remove(_ client: MPDClient) {
        clients[client.number] = nil
        if !client.channels.isEmpty { changed(.subscription) }
    }

    func changed(_ what: MPDSubsystems) {
        guard !what.isEmpty else { return }
        for client in clients.values {
            client.pending.formUnion(what)
            wake(client)
        }
    }

    // MARK: The player

    /// Looks at the player and tells what has changed since the last look. A list that somebody else made it walk is the
    /// queue from here on.
    func look() {
        let now = backend.player
        let before = player
        guard now != before else { return }
        player = now
        var what: MPDSubsystems = []
        let stations = queue.entries.filter { $0.recording == nil }
        if now.list != before.list, !now.list.isEmpty, now.list.map(\.id) != stations.map(\.id) {
            isUntouched = false
            queue.replace(with: now.list)
            what.formUnion([.playlist, .player])
        }
        if let entry = now.recording, current == nil {
            // Somebody put it on elsewhere: it has a place here all the same.
            _ = try? queue.add(entry)
            what.formUnion([.playlist, .player])
        }
        if now.airing != before.airing {
            queue.retitled(now.station.flatMap(queue.place(ofStation:)))
            what.formUnion([.playlist, .player])
        }
        if (now.isPlaying, now.station, now.error) != (before.isPlaying, before.station, before.error)
            || now.isPaused != before.isPaused || now.jumpedTo != before.jumpedTo
        {
            what.insert(.player)
        }
        if now.volume != before.volume { what.insert(.mixer) }
        if now.isMuted != before.isMuted { what.insert(.output) }
        changed(what)
    }

    /// The catalogue is another one.
    func catalogueChanged() {
        var what: MPDSubsystems = [.database, .storedPlaylist]
        if isUntouched {
            queue.replace(with: backend.firstQueue)
            what.insert(.playlist)
        }
        changed(what)
    }

    func perform(_ order: MPDOrder) {
        isUntouched = false
        options.isErrorCleared = false
        backend.perform(order)
        look()
    }

    /// The place of the tuned station in the queue.
    var current: Int? { player.station.flatMap(queue.place(ofStation:)) }

    // MARK: The queue

    /// Changes the queue and tells it; a station that plays and is no longer in it falls silent, the others are what next
    /// and previous walk from now on.
    func edit<Result>(_ change: (inout MPDQueue) throws(MPDFailure) -> Result) throws(MPDFailure) -> Result {
        var edited = queue
        let result = try change(&edited)
        guard edited != queue else { return result }
        queue = edited
        isUntouched = false
        look()
        if player.isPlaying {
            if let current {
                // A recording needs no list; it plays on as it is.
                guard queue.items[current].entry.recording == nil else { return result }
                perform(.tune(queue.items[current].entry, among: queue.entries))
            } else {
                perform(.stop)
            }
        }
        changed(.playlist)
        return result
    }

    func shuffle(_ range: Range<Int>) throws(MPDFailure) {
        var random = random
        try edit { queue throws(MPDFailure) in queue.shuffle(range, using: &random) }
        self.random = random
    }

    func play(_ place: Int) throws(MPDFailure) {
        guard queue.items.indices.contains(place) else { throw .badIndex }
        perform(.tune(queue.items[place].entry, among: queue.entries))
    }
}

/// Switches of music players that mean nothing to live radio: stored and echoed, so that a client's buttons keep what they
/// were set to.
struct MPDOptions: Sendable, Hashable {
    var isRepeating = true
    var isRandom = false
    var single = "0"
    var consume = "0"
    var crossfade = 0
    var mixRampDecibels = 0.0
    var mixRampDelay: Double?
    var replayGain = "off"
    /// `clearerror` was said since the last order.
    var isErrorCleared = false
}

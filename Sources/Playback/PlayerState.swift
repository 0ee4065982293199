package import StreamFormats

/// The player's decisions: what a command or an event means in each phase. Pure; `LivePlayer` does what it says.
///
/// A station is joined and left. A recording, once it is put on, is what all commands mean until a station is tuned:
/// it has a place, which is kept while it is paused or stopped. `PlayerState+Recording` has what it alone can do.
package struct PlayerState: Sendable, Hashable {
    package enum Command: Sendable, Hashable {
        case play
        case stop
        case next
        case previous
        /// Hear this station; next and previous walk `among`.
        case tune(Station, among: [Station])
        /// Hear this recording from a place on.
        case hear(PlayedRecording, from: Double)
        /// Stand still. Means nothing on live.
        case pause
        /// Go on at this second of the recording. Means nothing on live.
        case seek(Double)
    }

    package enum Event: Sendable, Hashable {
        /// The tuned station is what is heard now.
        case sounding
        /// The tuned station ran dry.
        case starved
        /// Its connection broke and is being made again.
        case disconnected(reason: String)
        /// Its feed has given up.
        case unavailable(reason: String)
        /// The helper has died; another one is on its way.
        case helperLost
        /// A helper is there, and knows nothing yet.
        case helperReady
        /// No helper can be had.
        case helperMissing(reason: String)
        /// The station could not be joined in the time that the old one is kept for.
        case joinTimedOut
        /// The sleep timer has run out.
        case slept
        /// So far into the recording.
        case reached(Double)
        /// The recording is over.
        case ended
        /// It is longer now, or complete.
        case grown(PlayedRecording)
    }

    /// What is to be done, in order.
    package enum Action: Sendable, Hashable {
        /// Open the station's feed and have it sound as soon as it can; what sounds now goes on until then.
        case join(Station)
        /// Send the station that is joined to a new helper, from a little before the live edge.
        case resend(Station)
        /// The old station has been kept long enough: fade it out, go on joining.
        case silenceOld
        /// Fade out and close the feeds.
        case leave
        /// Keep these stations connected, and no others beside the tuned one.
        case warm([Station])
        /// Have the recording sound from a place on, or stand ready there; what sounds now goes on until then.
        case put(PlayedRecording, at: Double, isHeld: Bool)
        /// The recording stands still, or goes on.
        case hold(Bool)
        /// The recording was heard to its end; it is left like everything else.
        case heardOut(PlayedRecording)
    }

    package private(set) var phase = PlayerPhase.stopped
    package private(set) var station: Station?
    package private(set) var reason: String?
    /// What is put on in place of the station, and the second at which it stands.
    package internal(set) var recording: PlayedRecording?
    package internal(set) var place = 0.0
    /// What next and previous walk.
    package private(set) var list: [Station] = []
    /// How many neighbours on each side are kept warm; 0 saves data.
    private let reach: Int

    package init(reach: Int = 1) { self.reach = reach }

    // MARK: Commands

    package mutating func command(_ command: Command) -> [Action] {
        switch command {
        case .play: play()
        case .stop: stop()
        case .next: step(by: 1)
        case .previous: step(by: -1)
        case .tune(let station, let among): tune(station, among: among)
        case .hear(let recording, let place): hear(recording, from: place)
        case .pause: pause()
        case .seek(let place): seek(to: place)
        }
    }

    /// Play is "be live": it joins a stopped or failed station and leaves a playing one alone.
    private mutating func play() -> [Action] {
        if let recording { return goOn(recording) }
        guard phase == .stopped || phase == .failed, let station else { return [] }
        return join(station)
    }

    mutating func stop() -> [Action] {
        guard phase != .stopped else { return [] }
        enter(.stopped)
        return [.leave, .warm([])]
    }

    /// Walks the list; a stopped player moves its dial and stays silent.
    private mutating func step(by direction: Int) -> [Action] {
        if let recording { return step(by: direction, in: recording) }
        guard !list.isEmpty else { return [] }
        let target = neighbour(direction)
        guard target != station else { return [] }
        station = target
        return phase == .stopped ? [] : join(target)
    }

    private mutating func tune(_ target: Station, among stations: [Station]) -> [Action] {
        let isSame = target == station && recording == nil && phase != .stopped && phase != .failed
        recording = nil
        station = target
        list = stations.contains { $0.id == target.id } ? stations : [target]
        return isSame ? [.warm(neighbours)] : join(target)
    }

    private mutating func join(_ target: Station) -> [Action] {
        enter(.joining)
        return [.join(target), .warm(neighbours)]
    }

    // MARK: Events

    package mutating func event(_ event: Event) -> [Action] {
        // A stopped player hears nothing of what still trickles in.
        guard phase != .stopped else { return [] }
        if let recording { return self.event(event, recording) }
        guard let station else { return [] }
        switch event {
        case .sounding:
            if phase != .failed { enter(.live) }
        case .starved:
            if phase == .live { enter(.stalled, "no audio is arriving") }
        case .disconnected(let reason):
            if phase == .stalled || phase == .rejoining { enter(.rejoining, reason) }
            if phase == .joining { self.reason = reason }
        case .unavailable(let reason):
            guard phase != .failed else { return [] }
            enter(.failed, reason)
            return [.leave]
        case .helperLost:
            if phase != .failed, phase != .joining {
                enter(.rejoining, "the decoder died and is being restarted")
            }
        case .helperReady:
            return phase == .failed ? [] : [.resend(station)]
        case .helperMissing(let reason):
            enter(.failed, reason)
        case .joinTimedOut:
            return phase == .joining ? [.silenceOld] : []
        case .slept:
            return stop()
        case .reached, .ended, .grown: break
        }
        return []
    }

    mutating func enter(_ phase: PlayerPhase, _ reason: String? = nil) {
        self.phase = phase
        self.reason = reason
    }

    // MARK: The list

    /// Stations are not what they were: the tuned one and those of the list are as they are now. By their ids.
    package mutating func renew(_ changed: [String: Station]) {
        station = station.map { changed[$0.id] ?? $0 }
        list = list.map { changed[$0.id] ?? $0 }
    }

    /// The station `offset` places on; round and round.
    private func neighbour(_ offset: Int) -> Station {
        let here = list.firstIndex { $0.id == station?.id } ?? 0
        let count = list.count
        return list[((here + offset) % count + count) % count]
    }

    /// The nearest first, none twice, without the tuned one.
    private var neighbours: [Station] {
        guard list.count > 1, reach > 0 else { return [] }
        var found: [Station] = []
        for distance in 1...reach {
            for candidate in [neighbour(distance), neighbour(-distance)]
            where candidate.id != station?.id && !found.contains(where: { $0.id == candidate.id }) {
                found.append(candidate)
            }
        }
        return found
    }
}

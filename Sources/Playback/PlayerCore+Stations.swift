internal import Feed
internal import MediaHelper
internal import Platform
internal import StreamFormats

/// Joining, leaving and keeping warm.
extension PlayerCore {
    /// Milliseconds of the fade to silence.
    private static let leaveFade: UInt32 = 40
    /// Seconds after which held audio is old: a rejoin within them is healed by the burst of the next connection.
    private static let freshness = 5.0

    func join(_ station: Station) {
        startHelper()
        setAside()
        guard open(station) else {
            perform(state.event(.unavailable(reason: "\(station.name) is not in the catalogue any more")))
            return
        }
        joinDeadline = time.now.advanced(bySeconds: options.patience)
        idleDeadline = nil
    }

    /// What sounds goes on until the next one has audio; what never came to be heard goes at once.
    func setAside() {
        if let tuned, tuned.id == heard {
            dropOld()
            old = tuned
        } else if let tuned {
            // What sounds is still the one before.
            tuned.reader.close()
            tell(.drop(id: tuned.id, fade: 0))
        }
        if let deck, deck.id == heard {
            dropOld()
            oldDeck = deck
        } else if let deck {
            deck.close()
            tell(.drop(id: deck.id, fade: 0))
        }
        (tuned, deck) = (nil, nil)
    }

    /// The helper has faded the old one out by itself.
    func forgetOld() {
        old?.reader.close()
        oldDeck?.close()
        (old, oldDeck) = (nil, nil)
    }

    /// The helper is a new one: what was sent is lost, what sounded is silent.
    func resend(_ station: Station) {
        dropOld()
        tuned?.reader.close()
        tuned = nil
        _ = open(station)
    }

    private func open(_ station: Station) -> Bool {
        guard let feed = source.feed(of: station) else { return false }
        lastStream &+= 1
        let reader = feed.open(
            name: "player", from: start(in: feed), wake: { [mailbox] in mailbox.feedWoke() })
        feed.hurry()
        tuned = TunedStream(id: lastStream, station: station, feed: feed, reader: reader)
        tell(.select(id: lastStream, fade: UInt32(clamping: options.fade)))
        return true
    }

    /// A little behind the live edge where audio flows, or did until just now; what a feed still holds of a station that
    /// was left long ago is not live.
    private func start(in feed: Feed) -> FeedStart {
        let age = feed.lastArrival.map { time.now.seconds(since: $0) } ?? .infinity
        guard feed.status.state == .live || age < Self.freshness else { return .live }
        return .burst(seconds: options.cushion, bytes: 0)
    }

    /// What sounded before the one that is joined has sounded long enough.
    func silenceOld() {
        dropOld()
        (status.heardStation, status.title) = (nil, nil)
    }

    func dropOld() {
        for id in [old?.id, oldDeck?.id].compactMap({ $0 }) { tell(.drop(id: id, fade: Self.leaveFade)) }
        forgetOld()
    }

    /// - Parameter isHeardOut: what sounded has come to its end, and something may follow it.
    func leave(isHeardOut: Bool = false) {
        dropOld()
        if let gone = tuned {
            gone.reader.close()
            tell(.drop(id: gone.id, fade: Self.leaveFade))
        }
        if let gone = deck {
            gone.close()
            tell(.drop(id: gone.id, fade: Self.leaveFade))
        }
        (tuned, deck) = (nil, nil)
        heard = 0
        status.heardStation = nil
        status.title = nil
        meters.levels = AudioLevels()
        shown.show(meters)
        joinDeadline = nil
        idleDeadline = time.now.advanced(bySeconds: Self.idleTime)
        if isHeardOut { endSleepOfRecording() } else { endSleep() }
    }

    /// Opens a reader for every neighbour that has none and lets go of the others. Nobody reads from them: they keep
    /// the station connected, and its feed keeps the last minute.
    func keepWarm(_ stations: [Station]) {
        var kept: [String: FeedReader] = [:]
        for station in stations {
            kept[station.id] = warm[station.id] ?? source.feed(of: station)?.open(name: "warm preset")
        }
        for (id, reader) in warm where kept[id] == nil { reader.close() }
        warm = kept
    }

    // MARK: Gain and volume

    func gain(of station: Station) -> Double {
        let own = station.gain ?? 0
        guard options.levels, let loudness = learned[station.id] ?? options.knownLoudness(station) else {
            return own
        }
        return own + Levelling.lift(from: loudness)
    }

    /// Stations are not what they were: what sounds of them is as loud as they say now.
    func renew(_ changed: [String: Station]) {
        state.renew(changed)
        status.heardStation = status.heardStation.map { changed[$0.id] ?? $0 }
        renew(&tuned, changed)
        renew(&old, changed)
    }

    private func renew(_ stream: inout TunedStream?, _ changed: [String: Station]) {
        guard let id = stream?.id, let station = (stream?.station.id).flatMap({ changed[$0] }) else { return }
        stream?.station = station
        tell(.gain(id: id, decibels: gain(of: station)))
    }

    func set(volume: Int) {
        status.volume = volume
        tell(.volume(linear(volume), ramp: 50))
    }

    /// Hearing is closer to a cube than to a line; sound servers do the same.
    func linear(_ volume: Int) -> Double {
        let part = Double(volume) / 100
        return part * part * part
    }
}

import CharsetGuess
import Feed
import StreamFormats

/// Reads a station's titles and passes on those that are news; learns the station's charset on the way.
struct TitleDesk {
    private let feed: Feed
    private let memory: CharsetMemory
    private let reader: TitleReader
    private var debouncer = TitleDebouncer()
    private var history = CharsetHistory()
    private var learned: String?
    /// What an earlier run learned from many titles is not given up for what the first few of this one look like.
    private let enoughToUnlearn: Int

    private static let many = 5

    init(feed: Feed, memory: CharsetMemory) {
        self.feed = feed
        self.memory = memory
        let station = feed.station
        learned = memory.recall(station.id)
        enoughToUnlearn = learned == nil ? 0 : Self.many
        reader = TitleReader(
            charset: station.charset, rules: station.titles,
            names: [station.name, feed.status.stationName].compactMap { $0 },
            decoder: CharsetGuesser.decode)
    }

    /// A title has come, valid from the feed's present position on.
    mutating func take(_ raw: RawTitle) { read(debouncer.arrived(raw, at: now)) }

    /// Audio has gone on: a title that had to wait may be due, an advert may be over.
    mutating func audioWentOn() {
        publish(debouncer.advertEnded(at: now))
        read(debouncer.due(at: now))
    }

    private var now: Duration { .seconds(feed.position.seconds) }

    private mutating func read(_ arrival: TitleDebouncer.Arrival?) {
        guard let arrival else { return }
        learn(from: arrival.raw)
        publish(debouncer.read(arrival, as: reader.read(arrival.raw, learned: learned), now: now))
    }

    private func publish(_ change: TitleDebouncer.Change?) {
        guard let change else { return }
        feed.publish(title: change.raw, reading: change.title)
    }

    /// One title is too short to tell a charset by: the guess is made over the history, and the history read anew.
    private mutating func learn(from raw: RawTitle) {
        guard history.add(raw), history.samples.count >= enoughToUnlearn,
            let guess = CharsetGuesser.guess(history.samples, country: feed.station.country), guess != learned
        else { return }
        learned = guess
        memory.keep(feed.station.id, guess)
        let reader = reader
        feed.redecodeTitles { reader.read($0, learned: guess) }
        if let current = feed.nowAiring?.text { debouncer.reread(current) }
    }
}

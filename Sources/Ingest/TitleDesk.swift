import CharsetGuess
import Feed
import StreamFormats

/// Reads a station's titles and passes on those that are news; learns the station's charset on the way.
struct TitleDesk {
    /// Two changes within so many seconds of audio are one: the last one wins.
    private static let quietest = 1.0
    /// Changes passed on in a minute of audio; a station that sends more is not telling titles.
    private static let mostPerMinute = 60

    private let feed: Feed
    private let reader: TitleReader
    private var history = CharsetHistory()
    private var learned: String?
    private var said: TitleText?
    private var saidAt = -Double.infinity
    private var waiting: RawTitle?
    private var minute = (start: 0.0, count: 0)

    init(feed: Feed, rules: TitleRules = TitleRules()) {
        self.feed = feed
        let station = feed.station
        reader = TitleReader(
            charset: station.charset, rules: rules,
            names: [station.name, feed.status.stationName].compactMap { $0 },
            decoder: CharsetGuesser.decode)
    }

    /// A title has come, valid from the feed's present position on.
    mutating func take(_ raw: RawTitle) {
        waiting = nil
        learn(from: raw)
        let text = reader.read(raw, learned: learned)
        guard text.text != said?.text || text.kind != said?.kind else { return }
        guard mayPublish else {
            waiting = raw
            return
        }
        publish(raw, text)
    }

    /// Audio has gone on: a title that had to wait may be due.
    mutating func audioWentOn() {
        if let raw = waiting, mayPublish { take(raw) }
    }

    private var mayPublish: Bool {
        let now = feed.position.seconds
        if now - saidAt < Self.quietest { return false }
        return now - minute.start >= 60 || minute.count < Self.mostPerMinute
    }

    private mutating func publish(_ raw: RawTitle, _ text: TitleText) {
        saidAt = feed.position.seconds
        if saidAt - minute.start >= 60 { minute = (saidAt, 0) }
        minute.count += 1
        said = text
        feed.publish(title: raw, reading: text)
    }

    /// One title is too short to tell a charset by: the guess is made over the history, and the history read anew.
    private mutating func learn(from raw: RawTitle) {
        guard history.add(raw), let guess = CharsetGuesser.guess(history.samples), guess != learned else {
            return
        }
        learned = guess
        let reader = reader
        feed.redecodeTitles { reader.read($0, learned: guess) }
        said = feed.nowAiring?.text ?? said
    }
}

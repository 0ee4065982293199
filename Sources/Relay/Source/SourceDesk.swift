package import Feed
internal import HTTPWire
package import Platform
package import StreamFormats

/// Where the stations of source clients are kept. The service keeps them in its catalogue, so that they are listed,
/// recorded and scheduled as all others are.
///
/// Any thread; must not block.
package protocol SourceBook: Sendable {
    /// The station that is fed at this mount, if there is one already.
    func station(ofMount mount: String) -> Station?
    /// Keeps a station that a source has just made.
    /// - Returns: the same, with the id that it has got.
    func keep(_ station: Station) -> Station
    /// The hub of one of these stations.
    func feed(of station: Station) -> Feed
}

/// The mounts that source clients feed: their stations, their feeds, and who has them now.
///
/// A mount is there from its first source on, and stays (silent) when the source has gone, so that listeners, recordings
/// and schedules find it again. Any thread.
package final class SourceDesk: Sendable {
    /// One mount of a source client.
    struct Entry {
        var station: Station
        var feed: Feed
        var session: SourceSession?
    }

    /// Most mounts that sources may make: a password must not become a way to fill memory.
    private static let limit = 256

    private let entries = Lock<[String: Entry]>([:])
    private let time: any TimeSource
    private let book: any SourceBook

    /// - Parameter book: where stations are kept; in memory unless said otherwise.
    package init(book: any SourceBook = SourcesInMemory(), time: any TimeSource = SystemTime()) {
        self.book = book
        self.time = time
    }

    /// The station that a source feeds under this mount's name, or with this id.
    package func station(named name: String) -> Station? {
        entries.withLock { $0[name]?.station ?? $0.values.first { $0.station.id == name }?.station }
    }

    package func stations() -> [Station] {
        entries.withLock { $0.values.map(\.station) }.sorted { $0.id < $1.id }
    }

    /// The mount's name of a station of ours.
    func mount(ofStation id: String) -> String? { entries.withLock { $0.first { $1.station.id == id }?.key } }

    package func feed(of station: Station) -> Feed? {
        entries.withLock { $0.values.first { $0.station.id == station.id }?.feed }
    }

    func feed(ofMount name: String) -> Feed? { entries.withLock { $0[name]?.feed } }

    // MARK: Sources

    enum Admission {
        case begin(Feed)
        case inUse
        case full
    }

    /// A source with the right credentials wants this mount. If it may have it, `begin` must be followed by `hold`.
    func admit(mount: String, hello: SourceHello, credentials: Credentials?) -> Admission {
        let now = time.now
        let made = feed(ofMount: mount) == nil ? makeEntry(mount, hello) : nil
        let (admission, outdated) = entries.withLock { entries -> (Admission, SourceSession?) in
            guard let entry = entries[mount] else {
                guard entries.count < Self.limit, let made else { return (.full, nil) }
                entries[mount] = made
                return (.begin(made.feed), nil)
            }
            let holder = entry.session.map {
                SourceRule.Holder(credentials: $0.credentials, silentSeconds: $0.silentSeconds(at: now))
            }
            if SourceRule.verdict(on: credentials, holder: holder) == .inUse { return (.inUse, nil) }
            entries[mount]?.session = nil
            return (.begin(entry.feed), entry.session)
        }
        outdated?.end("another source took over")
        return admission
    }

    func hold(mount: String, by session: SourceSession) { entries.withLock { $0[mount]?.session = session } }

    /// The session is over; nothing happens if another one has the mount by now.
    /// - Parameter tell: says so to others. Whoever hears it finds the mount free; must not call the desk.
    func release(mount: String, by session: SourceSession, tell: () -> Void) {
        entries.withLock { entries in
            guard let holder = entries[mount]?.session else { return tell() }
            guard holder === session else { return }
            entries[mount]?.session = nil
            tell()
        }
    }

    /// Ends the source of a mount; false when there is none.
    func kill(mount: String) -> Bool {
        let session = entries.withLock { $0[mount]?.session }
        session?.end("ended by the administrator")
        return session != nil
    }

    /// Ends all sources.
    package func close() {
        let sessions = entries.withLock { $0.values.compactMap(\.session) }
        for session in sessions { session.end("the service is ending") }
    }

    /// The mount's station as it is kept, or a new one out of what the source says of itself.
    private func makeEntry(_ mount: String, _ hello: SourceHello) -> Entry? {
        guard entries.withLock({ $0.count < Self.limit }) else { return nil }
        let station = book.station(ofMount: mount) ?? book.keep(Self.station(of: mount, hello))
        return Entry(station: station, feed: book.feed(of: station))
    }

    private static func station(of mount: String, _ hello: SourceHello) -> Station {
        var station = Station(
            id: identifier(for: mount), name: hello.name ?? mount, urls: [Station.sourceScheme + mount])
        station.genre = hello.genre
        station.homepage = hello.homepage
        station.source = "source client"
        station.isLocal = true
        return station
    }

    /// Lower-case letters, digits and dashes: `live.mp3` is `live-mp3`.
    static func identifier(for mount: String) -> String {
        let octets = mount.utf8.map { octet -> UInt8 in
            switch octet {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): octet
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): octet | 0x20
            default: UInt8(ascii: "-")
            }
        }
        return String(decoding: octets, as: UTF8.self)
    }
}

/// Stations of sources for as long as the process lives.
package final class SourcesInMemory: SourceBook {
    private let feeds = Lock<[String: Feed]>([:])
    private let limits: Feed.Limits
    private let time: any TimeSource

    /// - Parameter limits: how much of each feed is kept in memory.
    package init(limits: Feed.Limits = Feed.Limits(), time: any TimeSource = SystemTime()) {
        self.limits = limits
        self.time = time
    }

    package func station(ofMount mount: String) -> Station? {
        feeds.withLock { feeds in feeds.values.map(\.station).first { $0.sourceMount == mount } }
    }

    package func keep(_ station: Station) -> Station { station }

    package func feed(of station: Station) -> Feed {
        feeds.withLock { feeds in
            if let known = feeds[station.id] { return known }
            let feed = Feed(station: station, limits: limits, time: time)
            feeds[station.id] = feed
            return feed
        }
    }
}

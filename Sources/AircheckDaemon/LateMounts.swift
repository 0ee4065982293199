internal import Catalogue
internal import Configuration
internal import Feed
internal import Platform
internal import Reactor
internal import Recording
internal import Relay
internal import StreamFormats
internal import Variants

/// Stations some time late, for the relay: from the past that is held on the disk.
final class LateMounts: Sendable {
    private let past: PastKeeper
    private let catalogue: StationCatalogue
    private let mp3: MP3Variants
    private let variants: DelayedVariants
    private let named: [String: DelayedMount]
    /// Looks what is held, and reads it: both may wait for the disk.
    private let loop: EventLoop
    private let time: any TimeSource

    /// Seconds by which the oldest audio may be younger than what is asked for.
    private static let tolerance = 3.0
    /// Seconds of titles that are looked through for the start of a song.
    private static let longestSong = 7200.0

    init(
        _ configuration: Settings, past: PastKeeper, catalogue: StationCatalogue, mp3: MP3Variants,
        variants: DelayedVariants, loop: EventLoop, time: any TimeSource
    ) {
        self.past = past
        self.catalogue = catalogue
        self.mp3 = mp3
        self.variants = variants
        self.loop = loop
        self.time = time
        named = Dictionary(
            configuration.relay.delayed.compactMap(DelayedMount.init).map { ($0.name, $0) },
            uniquingKeysWith: { first, _ in first })
    }

    // MARK: Names of the settings

    /// The station of a name in `relay.delayed`, or of a delay that is being heard.
    func station(named name: String) -> Station? {
        named[name].flatMap(late)?.feed.station ?? feed(id: name)?.station
    }

    func isLate(_ station: Station) -> Bool {
        named[MP3Variants.original(of: station.id) ?? station.id] != nil
    }

    /// The feed of a station that is late, whichever way it was asked for.
    func feed(of station: Station) -> Feed? { feed(id: station.id) }

    func feed(id: String) -> Feed? { variants.feed(id: id)?.feed }

    private func late(_ mount: DelayedMount) -> DelayedFeed? {
        catalogue.station(mount.station).flatMap {
            variants.feed(of: $0.station, delay: mount.delay, id: mount.name)
        }
    }

    /// Says of names in the settings that they cannot be heard, or not always, and why.
    func check(_ configuration: Settings) {
        for mount in named.values {
            guard let reason = trouble(mount, configuration) else { continue }
            Log.warning("relay", "a delayed mount", ["name": mount.name, "trouble": reason])
        }
    }

    private func trouble(_ mount: DelayedMount, _ configuration: Settings) -> String? {
        if catalogue.station(mount.name) != nil { return "this is a station's name already, which is heard" }
        guard let station = catalogue.station(mount.station)?.station else {
            return "there is no station \(mount.station)"
        }
        guard let held = station.windowSeconds else {
            return "\(mount.station) is not armed, so its past is held only while somebody hears it; "
                + "give its entry window = \"\(DurationText.text(mount.delay + 3600))\""
        }
        guard Double(held) < mount.delay else { return nil }
        return "the window of \(mount.station) holds \(DurationText.text(Double(held))) and no more"
    }

    // MARK: Asking for the past

    func answer(
        _ station: Station, _ wish: PastWish?, _ done: @escaping @Sendable (LateAnswer) -> Void
    ) {
        loop.submit { [self] in done(answer(station, wish)) }
    }

    private func answer(_ station: Station, _ wish: PastWish?) -> LateAnswer {
        let asked = MP3Variants.original(of: station.id)
        let mount = named[asked ?? station.id]
        guard let original = catalogue.station(mount?.station ?? asked ?? station.id)?.station else {
            return .nothing("This station's past is not kept.")
        }
        guard wish == nil || mount == nil else {
            return .nothing(
                "/\(station.id) is late by itself; ask for /\(original.id) with the delay you want.")
        }
        switch delay(original, wish, mount) {
        case .failure(let reason): return .nothing(reason.text)
        case .success(let delay):
            if let reason = missing(original, delay) { return .nothing(reason) }
            guard let late = variants.feed(of: original, delay: delay, id: mount?.name) else {
                return .busy(
                    "\(variants.limit) different delays are being heard already (relay.max_delayed).")
            }
            guard asked != nil else { return .feed(LateFeed(station: late.feed.station, feed: late.feed)) }
            let shown = mp3.station(for: late.feed.station)
            return mp3.feed(of: shown).map { .feed(LateFeed(station: shown, feed: $0.feed)) }
                ?? .nothing("There is no MP3 form of it.")
        }
    }

    private struct Reason: Error { var text: String }

    private func delay(_ station: Station, _ wish: PastWish?, _ mount: DelayedMount?) -> Result<
        Double, Reason
    > {
        switch wish {
        case nil: return mount.map { .success($0.delay) } ?? .failure(Reason(text: "No delay was asked for."))
        case .delay(let seconds): return .success(seconds)
        case .since(let wall): return .success(time.wall.secondsSince1970 - wall.secondsSince1970)
        case .song:
            // No song is longer, and who wants to hear it waits for the answer.
            let since = time.wall.advanced(bySeconds: -Self.longestSong)
            guard let start = Self.songStart(past.titles(station.id, since: since)) else {
                return .failure(Reason(text: "\(station.name) has announced no song since it was connected."))
            }
            return .success(time.wall.secondsSince1970 - start.secondsSince1970)
        }
    }

    /// When the song that is on began: an ident or an advert in the middle of it is not another one.
    static func songStart(_ titles: [TitleMark]) -> WallTime? {
        let songs = titles.filter { $0.text.kind == .track }
        guard var start = songs.last else { return titles.last?.wall }
        for earlier in songs.dropLast().reversed() {
            guard earlier.text.text == start.text.text else { break }
            start = earlier
        }
        return start.wall
    }

    /// Why nothing can be heard from so far back; nil where it can.
    private func missing(_ station: Station, _ delay: Double) -> String? {
        let wanted = time.wall.advanced(bySeconds: -delay)
        guard let held = past.heldSince(station.id) else {
            return "Nothing of \(station.name)'s past is held. "
                + "It is kept while somebody plays, records or hears the station; always, where its entry says window = \"6h\"."
        }
        guard held.secondsSince1970 > wanted.secondsSince1970 + Self.tolerance else { return nil }
        let longest = DurationText.text(max(time.wall.secondsSince1970 - held.secondsSince1970, 1))
        return
            "\(station.name)'s past is held since \(LocalTime.text(held)), \(longest) ago, and not for longer."
    }
}

/// The past as the delayed feeds read it.
struct HeldPast: PastSource {
    let reader: PastReader

    func read() -> [FeedEvent] { reader.read().events }
    func close() { reader.close() }
}

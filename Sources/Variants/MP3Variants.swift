package import Feed
package import Platform
package import Reactor
package import StreamFormats

/// Every station as MP3, under its name with `.mp3`; made when it is asked for first. Any thread.
package final class MP3Variants: Sendable {
    /// What stands behind the name of the station.
    package static let suffix = ".mp3"

    package struct Settings: Sendable, Hashable {
        /// kbit/s, 32…320.
        package var bitrate: Int
        /// Encoders at a time.
        package var encoders: Int

        package init(bitrate: Int = 128, encoders: Int = 4) {
            self.bitrate = bitrate
            self.encoders = encoders
        }
    }

    package let places: EncoderPlaces
    private let settings: Settings
    private let loop: EventLoop
    private let time: any TimeSource
    private let source: @Sendable (String) -> Feed?
    private let made = Lock([String: MP3Feed]())

    /// - Parameters:
    ///   - loop: does the carrying; it must outlive this.
    ///   - source: the feed of the station with this id.
    package init(
        settings: Settings, loop: EventLoop, time: any TimeSource = SystemTime(),
        source: @escaping @Sendable (String) -> Feed?
    ) {
        self.settings = settings
        self.loop = loop
        self.time = time
        self.source = source
        places = EncoderPlaces(limit: settings.encoders)
    }

    /// `demo` out of `demo.mp3`; nil for every other name.
    package static func original(of name: String) -> String? {
        name.count > suffix.count && name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : nil
    }

    /// The station as its MP3 mount shows it.
    package func station(for original: Station) -> Station {
        var station = original
        station.id += Self.suffix
        // What a listener is told before the first frame; a station that sends MP3 keeps its own rate.
        if original.codec?.lowercased() != Codec.mp3.rawValue { station.bitrate = settings.bitrate }
        station.codec = Codec.mp3.rawValue
        return station
    }

    /// The MP3 feed of a station that `station(for:)` made; nil for any other.
    package func feed(of station: Station) -> MP3Feed? {
        guard let original = Self.original(of: station.id) else { return nil }
        return made.withLock { made in
            if let known = made[station.id] {
                if known.feed.station != station { known.feed.update(station: station) }
                return known
            }
            // Every moment of the past has its own; they go when nobody hears them any more.
            for (id, feed) in made where id.contains("?") && feed.feed.readerCount == 0 { made[id] = nil }
            let feed = MP3Feed(
                station: station, bitrate: settings.bitrate, loop: loop, encoders: places, time: time
            ) { [source] in source(original) }
            made[station.id] = feed
            return feed
        }
    }

    /// Those that were asked for so far, by id.
    package var all: [MP3Feed] {
        made.withLock { Array($0.values) }.sorted { $0.feed.station.id < $1.feed.station.id }
    }

    /// Ends every encoder.
    package func close() {
        for feed in made.withLock({ made in
            defer { made = [:] }
            return Array(made.values)
        }) { feed.close() }
    }
}

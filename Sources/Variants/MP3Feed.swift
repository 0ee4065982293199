package import Feed
internal import MediaHelper
internal import Platform
internal import Reactor
internal import StreamFormats

/// A station as MP3: a feed of its own that reads the station's and encodes it, as long as somebody reads it.
///
/// However many listen there is one encoder. A station that sends MP3 itself is passed on as it is. Titles and breaks
/// come with the sound that they belong to. Any thread.
package final class MP3Feed: Sendable {
    /// What listeners read. Its station has an id of its own, `demo.mp3`.
    package let feed: Feed
    private let worker: MP3Worker
    private let loop: EventLoop

    /// - Parameters:
    ///   - station: as listeners shall see it.
    ///   - source: asked at every start for the feed to read; nil when there is none any more.
    ///   - encoders: how many may run at a time.
    init(
        station: Station, bitrate: Int, loop: EventLoop, encoders: EncoderPlaces, time: any TimeSource,
        source: @escaping @Sendable () -> Feed?
    ) {
        let demand = DemandLink()
        feed = Feed(
            station: station, time: time, demandChanged: { demand.changed($0) }, hurry: { source()?.hurry() })
        self.loop = loop
        worker = MP3Worker(
            feed: feed, bitrate: bitrate, loop: loop, encoders: encoders, time: time, source: source)
        demand.connect { [worker, loop] _ in
            loop.submit { worker.meetDemand() }
        }
    }

    /// Leaves the station; readers get nothing more.
    package func close() { loop.submit { [worker] in worker.end() } }

    /// The process that encodes, 0 if there is none.
    package var encoderID: Int32 { worker.encoderID.withLock { $0?.processID ?? 0 } }
}

/// The way from a feed's demand to whoever meets it, who needs the feed first.
final class DemandLink: Sendable {
    private let tell = Lock<(@Sendable (Int) -> Void)?>(nil)

    func connect(_ tell: @escaping @Sendable (Int) -> Void) { self.tell.withLock { $0 = tell } }

    func changed(_ readers: Int) { tell.withLock { $0 }?(readers) }
}

/// How many encoders run, and how many may.
package final class EncoderPlaces: Sendable {
    package let limit: Int
    private let taken = Lock(0)

    package init(limit: Int) { self.limit = limit }

    package var count: Int { taken.withLock { $0 } }

    /// False when all are taken.
    func take() -> Bool {
        taken.withLock { taken in
            guard taken < limit else { return false }
            taken += 1
            return true
        }
    }

    func giveBack() { taken.withLock { $0 -= 1 } }
}

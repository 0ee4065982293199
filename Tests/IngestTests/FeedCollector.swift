import Feed
import Ingest
import Platform
import StreamFormats
import TestStations
import Testing
import Transfers

/// Reads a feed to the end of a test and keeps everything.
final class FeedCollector: Sendable {
    struct Kept {
        var bytes: [UInt8] = []
        var formats: [AudioFormat] = []
        var titles: [(text: TitleText, position: StreamPosition)] = []
        var gaps: [Gap] = []
        var chunks = 0
    }

    let feed: Feed
    private let reader = Lock<FeedReader?>(nil)
    let kept = Lock(Kept())

    init(_ feed: Feed) {
        self.feed = feed
        let opened = feed.open(name: "collector", patience: 64 << 20)
        reader.withLock { $0 = opened }
    }

    /// Takes what there is now.
    func collect() {
        guard let reader = reader.withLock({ $0 }) else { return }
        while true {
            let batch = reader.read()
            guard !batch.events.isEmpty else { return }
            kept.withLock { kept in
                for event in batch.events { Self.keep(event, in: &kept) }
            }
        }
    }

    private static func keep(_ event: FeedEvent, in kept: inout Kept) {
        switch event {
        case .format(let format, at: _): kept.formats.append(format)
        case .audio(let chunk):
            kept.bytes += chunk.bytes
            kept.chunks += 1
        case .title(let mark): kept.titles.append((mark.text, mark.position))
        case .gap(let gap): kept.gaps.append(gap)
        case .retitled(let marks):
            for mark in marks {
                for index in kept.titles.indices where kept.titles[index].position == mark.position {
                    kept.titles[index].text = mark.text
                }
            }
        }
    }

    /// Goes on collecting until the condition holds; false when it does not within so many seconds.
    func wait(seconds: Double = 90, until condition: (Kept, FeedStatus) -> Bool) async throws -> Bool {
        let time = SystemTime()
        let start = time.now
        while time.now.seconds(since: start) < seconds {
            collect()
            if condition(kept.withLock { $0 }, feed.status) { return true }
            try await Task.sleep(for: .milliseconds(10))
        }
        return false
    }

    /// Collects until the station has gone so many units further than its live edge is now.
    func follow(_ station: ScriptedStation, units: Int) async throws {
        let end = station.liveUnit + units
        let source = station.programme.source as? NumberedFrames ?? NumberedFrames()
        _ = try await wait { kept, _ in
            kept.bytes.count >= source.frameLength
                && source.number(of: kept.bytes, at: kept.bytes.count - source.frameLength) ?? 0 >= end
        }
    }

    func verdict(of source: NumberedFrames = NumberedFrames()) -> Judge.Verdict {
        collect()
        return Judge.verdict(on: kept.withLock { $0.bytes }, of: source)
    }

    func leave() { reader.withLock { $0 = nil } }
}

/// A hub whose patience is as much shorter as its stations' programmes are faster.
struct TestHub {
    let engine = TransferEngine()
    let hub: IngestHub

    init(
        speed: Double = 1, charsets: CharsetMemory = CharsetMemory(),
        change: (inout IngestSettings) -> Void = { _ in }
    ) {
        var settings = IngestSettings()
        settings.linger = 0.2
        settings.stall /= speed
        settings.stallAlone /= speed
        change(&settings)
        hub = IngestHub(engine: engine, settings: settings, charsets: charsets)
    }

    func feed(_ url: String, id: String = "test", change: (inout Station) -> Void = { _ in }) -> Feed {
        var station = Station(id: id, name: "Test", urls: [url])
        station.isLocal = true
        change(&station)
        return hub.feed(for: station)
    }
}

import Feed
package import Platform
package import StreamFormats
package import Transfers

/// Listens to an address for a while, just as a station is listened to, and says what it really is.
package final class Prober: Sendable {
    private let engine: TransferEngine
    private let time: any TimeSource
    private let settings: IngestSettings

    /// How often it is looked whether there is anything to wait for.
    private static let glance = 0.25

    package init(
        engine: TransferEngine, time: any TimeSource = SystemTime(),
        settings: IngestSettings = IngestSettings()
    ) {
        self.engine = engine
        self.time = time
        self.settings = settings
    }

    /// Probes an address that the owner typed, and waits for the report. Any thread but the engine's; blocks it.
    package func probe(_ url: String, seconds: Double) -> ProbeReport {
        var station = Station(id: "probe", name: "", urls: [url])
        station.isLocal = true
        return probe(station, seconds: seconds)
    }

    /// Probes a station's addresses, and waits for the report. Any thread but the engine's; blocks it.
    package func probe(_ station: Station, seconds: Double) -> ProbeReport {
        let waiting = Lock<ProbeReport?>(nil)
        let done = Semaphore()
        probe(station, seconds: seconds) { report in
            waiting.withLock { $0 = report }
            done.signal()
        }
        done.wait()
        return waiting.withLock { $0 } ?? ProbeReport(url: station.urls.first ?? "")
    }

    /// Probes a station's addresses. Any thread.
    /// - Parameters:
    ///   - seconds: of wall time; less where nothing but a person could help.
    ///   - done: called once, on the engine's thread.
    package func probe(_ station: Station, seconds: Double, done: @escaping @Sendable (ProbeReport) -> Void) {
        engine.run { [self] in
            var limits = Feed.Limits()
            limits.history = 10_000
            let feed = Feed(station: station, limits: limits, time: time)
            let context = PullContext(engine: engine, time: time, settings: settings)
            let pull = StationPull(feed: feed, context: context)
            pull.want(true)
            let start = time.now
            glance(at: pull, since: start, until: start.advanced(bySeconds: seconds), done: done)
        } onDrop: {
            done(ProbeReport(url: station.urls.first ?? ""))
        }
    }

    private func glance(
        at pull: StationPull, since start: MonotonicTime, until end: MonotonicTime,
        done: @escaping @Sendable (ProbeReport) -> Void
    ) {
        let left = end.seconds(since: time.now)
        guard left > 0, !pull.isHopeless else {
            var report = Self.report(on: pull)
            report.firstAudioMilliseconds = pull.journal.firstAudio.map {
                Int($0.seconds(since: start) * 1000)
            }
            pull.stop()
            done(report)
            return
        }
        engine.after(min(left, Self.glance)) { [self] in
            glance(at: pull, since: start, until: end, done: done)
        }
    }

    private static func report(on pull: StationPull) -> ProbeReport {
        let (feed, journal) = (pull.feed, pull.journal)
        let status = feed.status
        var report = ProbeReport(url: feed.station.urls.first ?? "")
        report.finalURL = status.url ?? journal.url
        report.httpStatus = journal.httpStatus
        report.protocolName = status.protocolName
        report.name = status.stationName
        report.genre = status.genre
        report.description = status.stationDescription
        report.homepage = status.homepage
        report.bitrateKbps = status.advertisedBitrate
        report.metaint = status.metaint
        report.junkBytes = journal.junkBytes
        report.attempts = journal.attempts.map { .init(url: $0.url, result: $0.fault.text) }
        report.gaps = feed.gaps.map {
            .init(atSeconds: $0.position.seconds, lostSeconds: $0.lostSeconds, cause: $0.cause.rawValue)
        }
        report.titles = feed.titles.filter { !$0.text.text.isEmpty || $0.text.kind == .advert }.map(title)
        addSound(to: &report, pull)
        return report
    }

    private static func title(_ mark: TitleMark) -> ProbeReport.Title {
        .init(
            atSeconds: mark.position.seconds, text: mark.text.text, artist: mark.text.artist,
            title: mark.text.title,
            kind: mark.text.kind.rawValue)
    }

    private static func addSound(to report: inout ProbeReport, _ pull: StationPull) {
        let (feed, journal) = (pull.feed, pull.journal)
        guard journal.frames > 0, let format = feed.format else {
            let fault = journal.explanation
            report.state =
                journal.hasConnected && fault?.state ?? .unreachable == .unreachable
                ? .noAudio : fault?.state ?? .unreachable
            report.reason = report.state == .noAudio ? "connected, no audio" : fault?.text ?? "no answer"
            return
        }
        report.state = .audio
        report.codec = format.codec.rawValue
        report.sampleRate = format.sampleRate
        report.channels = format.channels
        report.frames = journal.frames
        report.audioSeconds = feed.position.seconds
        if report.audioSeconds > 0 {
            report.measuredKbps = Double(journal.audioBytes) * 8 / report.audioSeconds / 1000
        }
    }
}

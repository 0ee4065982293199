internal import Feed
internal import Platform

/// What a session of a logger knows of the row of files that it is one of.
struct LoggerPart: Sendable {
    var clock: SlotClock
    var keeper: RetentionKeeper
    /// Begins the next file. False where the recorder is being shut down: then this one goes on to the end.
    var next: @Sendable (SlotStart) -> Bool
}

/// What the next file of a logger begins with.
struct SlotStart: Sendable {
    /// The reader of the last one: what it has not given yet has not been recorded.
    var source: any EventSource
    /// What that reader rings.
    var bell: SessionBell
    /// What the reader had given, and belongs to the next file; first the title that is on.
    var items: [Backlog.Item]
    /// The round time.
    var begins: WallTime
    var limit: RecordingRequest.Limit
}

extension Recorder {
    func loggerPart(
        _ request: RecordingRequest, _ facts: RecordingFacts, _ feed: Feed, _ keeper: RetentionKeeper?
    )
        -> LoggerPart?
    {
        guard let log = request.log, case .library(let root, _) = request.target else { return nil }
        let keeper =
            keeper
            ?? RetentionKeeper(
                log, stationID: facts.stationID, root: root, disk: disk, journal: journal, time: time,
                tell: tell)
        var request = request
        request.continuing = nil
        // It had its chance before the first file.
        request.giveUpSeconds = nil
        let again = request
        let series = facts.slot?.series ?? facts.id
        return LoggerPart(clock: SlotClock(seconds: log.slotSeconds), keeper: keeper) { [weak self] start in
            self?.goOn(again, series, feed, keeper, start) ?? false
        }
    }

    /// On the writer thread of the volume.
    private func goOn(
        _ request: RecordingRequest, _ series: RecordingID, _ feed: Feed, _ keeper: RetentionKeeper,
        _ start: SlotStart
    ) -> Bool {
        var request = request
        request.limit = start.limit
        do throws(RecordingError) {
            let session = try makeSession(
                request, feed: feed, going: Going(series: series, keeper: keeper, start: start))
            try add(session, device: session.device)
            return true
        } catch {
            Log.warning(
                "recording", "the logger could not begin another file; it goes on in the last one",
                ["station": feed.station.id, "error": error.description])
            return false
        }
    }

    /// A logger on its way from one file to the next.
    struct Going: Sendable {
        var series: RecordingID
        var keeper: RetentionKeeper
        var start: SlotStart
    }
}

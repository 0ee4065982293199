internal import Catalogue
internal import Configuration
internal import ControlAPI
internal import Feed
internal import JSONText
internal import Platform
internal import Playback
internal import Recording
internal import Scheduling
internal import StreamFormats

/// What the thread of the schedules does and remembers: it does what the machine says, and tells it how that ended.
struct ScheduleWork {
    /// A row of the library comes a moment after its recording has ended; it is waited for so long.
    private static let rowSeconds = 10.0
    /// Seconds over which what was played to its end grows quieter.
    private static let farewell = 20.0

    private let tools: ScheduleRunner.Tools
    private let book: ScheduleBook
    private(set) var machine: ScheduleMachine
    private var recordings: [String: RecordingID] = [:]
    private var missingSince: [String: MonotonicTime] = [:]
    /// Readers that keep a station connected until its recording reads by itself.
    private var warm: [String: FeedReader] = [:]

    init(tools: ScheduleRunner.Tools, book: ScheduleBook, records: [OccurrenceRecord]) {
        self.tools = tools
        self.book = book
        machine = ScheduleMachine(records: records)
    }

    private var moment: ScheduleMachine.Moment { ScheduleMachine.Moment(tools.time) }

    mutating func act(isNew: Bool, zones: Zones) {
        let moment = moment
        let isPlanned = !isNew && !machine.needsPlan(at: moment)
        carryOut(
            isPlanned ? machine.look(at: moment) : machine.plan(book.entries, zones: zones, at: moment))
        // A schedule may have gone, or have another time, before it began.
        warm = warm.filter { machine.isWarm($0.key) }
    }

    private mutating func carryOut(_ actions: [ScheduleMachine.Action]) {
        for action in actions {
            switch action {
            case .warm(let entry, let occurrence):
                guard let station = tools.catalogue.station(entry.station)?.station else { continue }
                warm[occurrence.key] = tools.hub.feed(for: station).open(name: "schedule")
            case .start(let entry, let record, let isAgain):
                if entry.action == .play {
                    play(entry, record, isAgain: isAgain)
                } else {
                    makeRecording(entry, record)
                }
                warm[record.key] = nil
            case .stop(let record): stop(record)
            case .settle(let record):
                let (outcome, end) = outcome(of: record)
                carryOut(machine.settled(record.key, outcome, end: end, at: moment))
            case .keep(let record):
                warm[record.key] = nil
                book.keep(record)
                ScheduleNews.tell(record, tools.events)
            }
        }
    }

    // MARK: Playing

    private mutating func play(_ entry: ScheduleEntry, _ record: OccurrenceRecord, isAgain: Bool) {
        guard let station = tools.catalogue.station(entry.station)?.station else {
            return carryOut(machine.ended(record.key, .failed(ScheduleNews.noStation), at: moment))
        }
        // After a start of the service the player comes back by itself, to whatever was chosen meanwhile.
        if !isAgain {
            let all = tools.catalogue.snapshot
            let list = all.favourites.contains { $0.id == station.id } ? all.favourites : all.visible
            tools.player.tune(station, among: list.map(\.station))
        }
        if record.to == nil { carryOut(machine.ended(record.key, .finished, at: moment)) }
    }

    // MARK: Recording

    private mutating func makeRecording(_ entry: ScheduleEntry, _ record: OccurrenceRecord) {
        do {
            guard let station = tools.catalogue.station(entry.station)?.station else {
                return carryOut(machine.ended(record.key, .failed(ScheduleNews.noStation), at: moment))
            }
            let id = try tools.recorder.start(request(entry, station), feed: tools.hub.feed(for: station))
            recordings[record.key] = id
            carryOut(machine.began(record.key, recording: id.text))
        } catch {
            carryOut(machine.ended(record.key, .failed("\(error)"), at: moment))
        }
    }

    /// It has no limit of its own: the machine ends it, by the clock that never steps.
    private func request(_ entry: ScheduleEntry, _ station: Station) throws -> RecordingRequest {
        let template = try NameTemplate(entry.template ?? tools.settings.recording.template)
        var request = RecordingRequest(target: .library(folder: tools.folder, template: template))
        request.show = entry.name
        request.keep = entry.keep
        request.origin = entry.id
        if entry.action == .tracks {
            let name = try NameTemplate(tools.settings.recording.trackTemplate)
            request.tracks = TrackRequest(
                folder: tools.folder, template: name,
                rules: TrackRules(tools.settings.tracks, station: station))
        }
        return request
    }

    private mutating func stop(_ record: OccurrenceRecord) {
        guard record.action == .play else {
            if let id = recordings[record.key] { try? tools.recorder.stop(id) }
            return
        }
        // Somebody may have gone to another station meanwhile, or goes there while it fades; that one goes on.
        tools.player.farewell(to: record.station, over: Self.farewell)
        carryOut(machine.ended(record.key, .finished, at: moment))
    }

    // MARK: What has ended

    /// Tells the machine of recordings that are over.
    mutating func collect() {
        for (key, id) in recordings where tools.recorder.status(id) == nil {
            guard let outcome = outcome(of: id, key) else { continue }
            recordings[key] = nil
            missingSince[key] = nil
            carryOut(machine.ended(key, outcome, at: moment))
        }
    }

    /// Nil while the library does not say yet.
    private mutating func outcome(of id: RecordingID, _ key: String) -> ScheduleMachine.Outcome? {
        let facts = try? tools.library.recording(id)
        if let facts, facts.state != .recording { return Self.outcome(facts) }
        let since = missingSince[key] ?? tools.time.now
        missingSince[key] = since
        return tools.time.now.seconds(since: since) < Self.rowSeconds ? nil : .finished
    }

    /// How and when something ended that ran when the program did.
    private func outcome(of record: OccurrenceRecord) -> (ScheduleMachine.Outcome, end: WallTime?) {
        guard record.action != .play else { return (record.to == nil ? .finished : .interrupted, nil) }
        guard let id = record.recordings.last,
            let facts = try? tools.library.recording(RecordingID(id)), facts.state != .recording
        else { return (.interrupted, nil) }
        return (Self.outcome(facts), facts.state == .failed ? nil : facts.ended)
    }

    private static func outcome(_ facts: RecordingFacts) -> ScheduleMachine.Outcome {
        switch facts.state {
        case .failed: .failed(facts.reason ?? "no audio came")
        case .interrupted: .interrupted
        case .finished, .recording: .finished
        }
    }
}

/// What becomes of the schedules, for the log and for those who follow the events.
enum ScheduleNews {
    static let noStation = "the station is not in the catalogue any more"

    static func tell(_ record: OccurrenceRecord, _ events: EventHub) {
        let facts = record.reason ?? ""
        // Its recording has not begun yet, and is told of in a moment.
        if record.state == .running, record.action != .play, record.recordings.isEmpty { return }
        switch record.state {
        case .running, .done:
            Log.info("schedule", record.state.rawValue, ["key": record.key, "reason": facts])
        case .partial: Log.warning("schedule", "partial", ["key": record.key, "reason": facts])
        case .missed: Log.error("schedule", "missed", ["key": record.key, "reason": facts])
        }
        events.publish("schedule", ScheduleJSON.record(record))
    }
}

internal import ControlAPI
internal import JSONText
internal import Platform
internal import Recording

/// What happens to recordings, for the log, for those who follow the events, and for the owner's programs.
struct RecordingNews: Sendable {
    private let events: EventHub
    private let hooks: HookRunner
    private let waveforms: Waveforms
    private let traces: RecordingTraces

    init(_ events: EventHub, _ hooks: HookRunner, _ waveforms: Waveforms, _ traces: RecordingTraces) {
        self.traces = traces
        self.events = events
        self.hooks = hooks
        self.waveforms = waveforms
    }

    func tell(_ event: RecordingEvent) {
        switch event {
        case .started(let facts), .finished(let facts):
            let file = facts.path ?? ""
            Log.info("recording", facts.state.rawValue, ["id": facts.id.text, "file": file])
            events.publish("recording", RecordingJSON.row(facts))
            hooks.run(facts.state == .recording ? "started" : "finished", facts)
        case .failed(let facts):
            Log.error("recording", "failed", ["id": facts.id.text, "reason": facts.reason ?? ""])
            events.publish("recording", RecordingJSON.row(facts))
            hooks.run("failed", facts)
        case .title(let id, let title):
            events.publish("recording-title", ["id": .string(id.text), "now": FeedJSON.title(title.text)])
        case .gap(let id, let gap):
            Log.warning(
                "recording", "a break",
                ["id": id.text, "cause": gap.cause.rawValue, "lost_seconds": "\(gap.lostSeconds)"])
            events.publish(
                "recording-gap",
                [
                    "id": .string(id.text), "cause": .string(gap.cause.rawValue),
                    "lost_seconds": .number(gap.lostSeconds),
                ])
        case .diskFull(let id, let reason):
            Log.error(
                "recording", "the disk is full; audio is kept in memory", ["id": id.text, "reason": reason])
            events.publish(
                "recording-disk", ["id": .string(id.text), "full": true, "reason": .string(reason)])
        case .resumed(let id, let lost):
            Log.warning("recording", "there is room again", ["id": id.text, "lost_seconds": "\(lost)"])
            events.publish(
                "recording-disk", ["id": .string(id.text), "full": false, "lost_seconds": .number(lost)])
        case .newPart(let id, let name, let reason):
            Log.error(
                "recording", "goes on in another file", ["id": id.text, "file": name, "reason": reason])
        case .measured(let facts, let waveform):
            waveforms.keep(waveform, of: facts.id)
            events.publish("recording", RecordingJSON.row(facts))
            hooks.run("measured", facts)
        case .deleted(let deletion):
            events.publish("recording-deleted", RecordingJSON.deletion(deletion))
            traces.remove(deletion.recording)
        case .track(let facts, let track):
            events.publish(
                "recording-track", ["id": .string(facts.id.text), "file": JSONValue(track.name)])
            hooks.run("track", facts, track: track)
        }
    }
}

internal import Configuration
internal import Platform
internal import Playback
internal import Recording
internal import StreamFormats

/// The library, and what is being recorded, as the player asks for recordings.
struct LibraryRecordings: RecordingSource {
    let recorder: Recorder
    let library: RecordingLibrary
    /// Whether recordings are brought to the loudness that stations are brought to.
    let levels: Bool

    func recording(_ id: String) -> PlayedRecording? { facts(RecordingID(id)).map(played) }

    private func facts(_ id: RecordingID) -> RecordingFacts? {
        recorder.status(id)?.facts ?? (try? library.recording(id)) ?? nil
    }

    private func played(_ facts: RecordingFacts) -> PlayedRecording {
        PlayedRecording(
            id: facts.id.text, title: Self.title(facts.show ?? facts.stationName, facts.started),
            show: facts.show, stationID: facts.stationID, stationName: facts.stationName,
            started: facts.started, length: facts.audioSeconds,
            isGrowing: recorder.status(facts.id) != nil,
            chapters: facts.titles.filter { $0.text.kind != .none && !$0.text.text.isEmpty }.map {
                .init(seconds: $0.chapterSeconds, text: $0.text)
            },
            gain: gain(of: facts))
    }

    /// The show, else the station, and the day: `Nightwatch, 2026-11-30`.
    static func title(_ name: String, _ started: WallTime) -> String { "\(name), \(day(started))" }

    /// The day on which something began: `2026-11-30`.
    static func day(_ started: WallTime) -> String { String(LocalTime.iso(started).prefix(10)) }

    private func gain(of facts: RecordingFacts) -> Double {
        guard levels, let loudness = facts.loudness?.integrated else { return 0 }
        return Levelling.lift(from: loudness)
    }

    func read(
        _ id: String, from seconds: Double, isWanted: @escaping () -> Bool, visit: (RecordedSound) -> Void
    ) throws(RecordingTrouble) {
        let id = RecordingID(id)
        guard let known = facts(id) else { throw RecordingTrouble("the recording is not there any more") }
        guard known.path != nil || recorder.status(id) != nil else {
            throw RecordingTrouble("the recording has no file")
        }
        let reader = RecordingReader(
            recorder, id, from: seconds, known: { facts(id) }, isWanted: isWanted)
        do throws(SystemError) {
            try reader.run { run, format, seconds in
                visit(RecordedSound(format: format, run: run, seconds: seconds))
            }
        } catch {
            throw RecordingTrouble("its file cannot be read: \(error.description)")
        }
    }
}

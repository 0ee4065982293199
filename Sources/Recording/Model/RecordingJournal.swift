/// Where the facts of recordings are kept beside their sidecars. Called on a thread of the recorder.
///
/// A recording never waits for its journal: what cannot be kept is logged, and the sidecar still has it.
package protocol RecordingJournal: Sendable {
    /// Keeps what is known now: at the start, at every title, at the end.
    func keep(_ facts: RecordingFacts)
    /// The recordings that were being written when the program ended last.
    func unfinished() -> [RecordingFacts]
    /// The facts as they are by now; nil where the recording has been deleted. Blocks.
    func newest(_ facts: RecordingFacts) -> RecordingFacts?
    /// Its files have been deleted: forgets it. Blocks.
    func forget(_ id: RecordingID) throws
    /// The files that the logger has made of a station, running and over; nil where only their sidecars are known.
    func logged(station: String) -> [RecordingFacts]?
    /// A recording has been deleted by rule: forgets it, and remembers that.
    func deleted(_ deletion: Deletion)
}

/// Keeps nothing: a stand-alone recording has its sidecar alone.
package struct NoJournal: RecordingJournal {
    package init() {}
    package func keep(_ facts: RecordingFacts) {}
    package func unfinished() -> [RecordingFacts] { [] }
    package func newest(_ facts: RecordingFacts) -> RecordingFacts? { facts }
    package func forget(_ id: RecordingID) {}
    package func logged(station: String) -> [RecordingFacts]? { nil }
    package func deleted(_ deletion: Deletion) {}
}

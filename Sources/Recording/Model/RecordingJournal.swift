/// Where the facts of recordings are kept beside their sidecars. Called on a thread of the recorder.
///
/// A recording never waits for its journal: what cannot be kept is logged, and the sidecar still has it.
package protocol RecordingJournal: Sendable {
    /// Keeps what is known now: at the start, at every title, at the end.
    func keep(_ facts: RecordingFacts)
    /// The recordings that were being written when the program ended last.
    func unfinished() -> [RecordingFacts]
}

/// Keeps nothing: a stand-alone recording has its sidecar alone.
package struct NoJournal: RecordingJournal {
    package init() {}
    package func keep(_ facts: RecordingFacts) {}
    package func unfinished() -> [RecordingFacts] { [] }
}

/// What is remembered of stations' charsets from one run to the next. Ingest asks and tells; somebody else keeps it.
package struct CharsetMemory: Sendable {
    /// What an earlier run learned of a station, by its id; nil for nothing. Asked on the engine's thread, must not block.
    let recall: @Sendable (_ station: String) -> String?
    /// Told what has been learned of a station now. Called on the engine's thread, must not block.
    let keep: @Sendable (_ station: String, _ charset: String) -> Void

    /// One that remembers nothing.
    package init() {
        recall = { _ in nil }
        keep = { _, _ in }
    }

    package init(
        recall: @escaping @Sendable (_ station: String) -> String?,
        keep: @escaping @Sendable (_ station: String, _ charset: String) -> Void
    ) {
        self.recall = recall
        self.keep = keep
    }
}

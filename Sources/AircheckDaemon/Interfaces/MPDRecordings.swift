internal import Household
internal import JSONText
internal import MPDServer
internal import Platform
internal import Playback
internal import Recording

/// The library as MPD's clients see it: what of it can be heard.
struct MPDRecordings {
    let library: RecordingLibrary
    let shelf: Shelf
    /// What is being recorded, as it is now.
    let running: () -> [RecordingFacts]

    private static let prefix = "recordings/"
    /// Recordings that are shown as a folder.
    private static let most = 1000

    /// The id of the recording that an entry or an address names; nil for those of stations.
    static func id(in text: String) -> String? {
        text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : nil
    }

    /// How clients name a recording.
    static func uri(of id: String) -> String { prefix + id }

    /// The newest first. Blocks.
    var newest: [MPDEntry] { summaries(limit: Self.most).compactMap(entry) }

    /// Those that somebody likes, the newest first. Blocks.
    var starred: [MPDEntry] {
        let ids = Set(shelf.all(.mark).filter { $0.value["starred"]?.bool == true }.map(\.key))
        return ids.isEmpty ? [] : summaries(limit: .max).filter { ids.contains($0.id.text) }.compactMap(entry)
    }

    func entry(_ recording: PlayedRecording) -> MPDEntry {
        entry(
            recording.id, station: recording.stationName,
            .init(
                title: recording.title, duration: recording.length,
                date: recording.started.map(LibraryRecordings.day) ?? ""))
    }

    /// A row knows what was said last of a recording that runs; the recorder knows how long it is now.
    private func summaries(limit: Int) -> [RecordingSummary] {
        let now = Dictionary(
            running().map { ($0.id, RecordingSummary($0)) }, uniquingKeysWith: { $1 })
        return ((try? library.summaries(limit: limit)) ?? []).map { now[$0.id] ?? $0 }
    }

    private func entry(_ summary: RecordingSummary) -> MPDEntry? {
        guard summary.state != .failed, summary.path != nil else { return nil }
        return entry(
            summary.id.text, station: summary.stationName,
            .init(
                title: LibraryRecordings.title(summary.show ?? summary.stationName, summary.started),
                duration: summary.audioSeconds, date: LibraryRecordings.day(summary.started)))
    }

    private func entry(_ id: String, station: String, _ recording: MPDEntry.Recording) -> MPDEntry {
        let uri = Self.uri(of: id)
        return MPDEntry(
            id: uri, uri: uri, name: station,
            isFavourite: shelf[.mark, id]?["starred"]?.bool ?? false, recording: recording)
    }
}

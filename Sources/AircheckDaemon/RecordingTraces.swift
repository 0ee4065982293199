internal import ControlAPI
internal import Household
internal import Platform
internal import Playback
internal import Recording

/// What there is of a recording beside its files and its row: it goes when the recording does, whoever has deleted it. Any
/// thread; blocks.
final class RecordingTraces: Sendable {
    private let shelf: Shelf
    private let upNext: UpNext
    private let descriptions: Descriptions
    private let waveforms: Waveforms
    private let player = Lock<LivePlayer?>(nil)

    init(shelf: Shelf, events: EventHub, waveforms: Waveforms) {
        self.shelf = shelf
        upNext = UpNext(shelf: shelf, events: events)
        descriptions = Descriptions(shelf: shelf)
        self.waveforms = waveforms
    }

    /// From now on this player leaves what is gone.
    func follow(_ player: LivePlayer) { self.player.withLock { $0 = player } }

    func remove(_ id: RecordingID) {
        waveforms.forget(id)
        upNext.forget(id.text)
        descriptions.put("", about: id.text)
        _ = shelf.remove(.mark, id.text)
        let note = MPDAdapter.key(MPDRecordings.uri(of: id.text), "")
        for (kind, prefix) in [(Shelf.Kind.bookmark, id.text + "/"), (.note, note)] {
            for item in shelf.all(kind, prefix: prefix) { _ = shelf.remove(kind, item.key) }
        }
        player.withLock { $0 }?.forget(recording: id.text)
    }
}

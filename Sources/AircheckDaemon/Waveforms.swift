internal import Glibc
internal import Platform
internal import Recording

/// The waveforms of recordings, in files of their own in the data folder: they can be measured again at any time.
final class Waveforms: Sendable {
    /// Three days at ten values a second.
    private static let sizeLimit = 4 << 20
    /// Deletions that a measurement may still be unaware of.
    private static let remembered = 256

    private let folder: String
    /// What was deleted last: a measurement that was under way ends after it.
    private let gone = Lock<[RecordingID]>([])

    init(folder: String) { self.folder = folder }

    /// Blocks. Keeps nothing of a recording that was deleted meanwhile.
    func keep(_ peaks: [UInt8], of id: RecordingID) {
        gone.withLock { gone in
            if !gone.contains(id) { write(peaks, of: id) }
        }
    }

    private func write(_ peaks: [UInt8], of id: RecordingID) {
        do {
            try Files.makeFolder(folder, mode: 0o700)
            try Files.replace(path(id), with: Array(peaks.prefix(Self.sizeLimit)), mode: 0o600)
        } catch {
            Log.warning("recording", "a waveform was not kept", ["id": id.text, "error": error.description])
        }
    }

    /// Nil where it has not been measured. Blocks.
    func read(_ id: RecordingID) -> [UInt8]? { try? Files.read(path(id), limit: Self.sizeLimit) }

    /// Blocks.
    func forget(_ id: RecordingID) {
        gone.withLock { gone in
            gone = gone.suffix(Self.remembered - 1) + [id]
            unlink(path(id))
        }
    }

    /// Ids are ours, yet a row of the database may hold anything.
    private func path(_ id: RecordingID) -> String { "\(folder)/\(SafeName.component(id.text)).peaks" }

    /// The loudest value of each of so many equal stretches.
    static func reduced(_ peaks: [UInt8], to points: Int) -> [UInt8] {
        guard points > 0, points < peaks.count else { return peaks }
        return (0..<points).map { index in
            let start = index * peaks.count / points
            let end = max(start + 1, (index + 1) * peaks.count / points)
            return peaks[start..<end].max() ?? 0
        }
    }
}

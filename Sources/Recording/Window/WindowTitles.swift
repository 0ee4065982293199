internal import Feed
internal import Platform
internal import StreamFormats

/// The titles of all windows, by station and file: who asks for them reads neither audio nor, mostly, the disk.
///
/// Whoever writes a file says its titles here; those of files from before the start are read once. Any thread.
final class WindowTitles: Sendable {
    private let held = Lock<[String: [String: [TitleMark]]]>([:])

    /// The titles of a file as they are by now.
    func keep(_ titles: [TitleMark], station: String, file: String) {
        held.withLock { $0[station, default: [:]][file] = titles }
    }

    func knows(station: String, file: String) -> Bool { held.withLock { $0[station]?[file] != nil } }

    /// The file is gone.
    func forget(station: String, file: String) {
        held.withLock { _ = $0[station]?.removeValue(forKey: file) }
    }

    /// The titles of a file. Reads it where nobody has said them, and remembers them if it does not grow any more.
    func titles(
        station: String, of segment: WindowSegment, in folder: any DiskFolder, grows: Bool
    ) -> [TitleMark] {
        if let known = held.withLock({ $0[station]?[segment.name] }) { return known }
        let found = Self.read(segment.name, in: folder)
        if !grows { keep(found, station: station, file: segment.name) }
        return found
    }

    /// Skips the audio.
    private static func read(_ name: String, in folder: any DiskFolder) -> [TitleMark] {
        guard let file = try? folder.open(name, forWriting: false) else { return [] }
        var found: [TitleMark] = []
        var place: Int64 = 0
        while let head = try? file.read(WindowRecord.headLength, at: place),
            let length = WindowRecord.bodyLength(head[...])
        {
            let body = place + Int64(WindowRecord.headLength)
            if WindowRecord.isTitle(head), let bytes = try? file.read(length, at: body), bytes.count == length
            {
                var format: AudioFormat?
                if case .title(let mark)? = WindowRecord.event(head[0], bytes[...], format: &format) {
                    found.append(mark)
                }
            }
            place = body + Int64(length)
        }
        return found
    }
}

extension TitleMark {
    /// As a window gives it back: without the block, which may hold a picture.
    var inWindow: TitleMark {
        var mark = self
        mark.raw.block = []
        return mark
    }
}

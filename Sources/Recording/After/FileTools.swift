package import MediaHelper
internal import Platform

/// What the media helper does with whole files after a recording.
package protocol FileTools: Sendable {
    /// Copies the AAC of `source` into `target` as M4A and proves it. Blocks.
    func remux(
        from source: any DiskFile, to target: any DiskFile, chapters: [MediaChapter], tags: [MediaTag]
    ) throws -> RemuxResult
    /// Measures loudness after EBU R128. Blocks, for a second per several minutes of audio.
    func loudness(of file: any DiskFile) throws -> RecordedLoudness
}

extension DecodedSound: FileTools {
    package func remux(
        from source: any DiskFile, to target: any DiskFile, chapters: [MediaChapter], tags: [MediaTag]
    ) throws -> RemuxResult {
        guard let from = source.descriptorNumber, let to = target.descriptorNumber else {
            throw RecordingError.other("a file in memory cannot be handed to the helper")
        }
        return try worker.remux(from: from, to: to, chapters: chapters, tags: tags)
    }

    package func loudness(of file: any DiskFile) throws -> RecordedLoudness {
        guard let number = file.descriptorNumber else {
            throw RecordingError.other("a file in memory cannot be handed to the helper")
        }
        let found = try worker.loudness(file: number)
        return RecordedLoudness(integrated: found.integrated, range: found.range, truePeak: found.truePeak)
    }
}

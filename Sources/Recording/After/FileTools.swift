package import MediaHelper
internal import Platform

/// What the media helper does with whole files after a recording.
package protocol FileTools: Sendable {
    /// Copies the AAC of `source` into `target` as M4A and proves it. Blocks.
    func remux(
        from source: any DiskFile, to target: any DiskFile, chapters: [MediaChapter], tags: [MediaTag]
    ) throws -> RemuxResult
    /// Measures loudness after EBU R128, silences and waveform in one pass. Blocks, for a second per several minutes of
    /// audio.
    /// - Parameter isUnwanted: asked a few times a second; ends it by an error once it says so.
    func profile(of file: any DiskFile, isUnwanted: () -> Bool) throws -> SoundProfile
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

    package func profile(of file: any DiskFile, isUnwanted: () -> Bool) throws -> SoundProfile {
        guard let number = file.descriptorNumber else {
            throw RecordingError.other("a file in memory cannot be handed to the helper")
        }
        let found = try worker.analyse(
            file: number, [.loudness, .silence, .peaks], isUnwanted: isUnwanted)
        return SoundProfile(
            loudness: RecordedLoudness(
                integrated: found.loudness?.integrated, range: found.loudness?.range,
                truePeak: found.loudness?.truePeak),
            silences: (found.silences ?? []).map { RecordedSilence(start: $0.start, end: $0.end) },
            peaks: found.waveform?.peaks ?? [])
    }
}

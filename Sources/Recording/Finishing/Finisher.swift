internal import Platform
internal import StreamFormats

/// Gives a complete file what only its end could tell: length, seek table, tags, chapters.
struct Finisher {
    let facts: RecordingFacts
    /// For the tag of the file; nil keeps the one that it has.
    var picture: TagFields.Picture?

    /// Writes tag and Xing frame over the places kept for them; the audio does not move.
    func finish(_ file: any DiskFile, head: FileHead, part index: Int, ledger: FrameLedger)
        throws(SystemError)
    {
        if let xing = head.xing {
            let filled = xing.filled(
                frames: countedFrames(ledger, part: index), audioBytes: ledger.bytes, index: ledger.index)
            try file.write(filled, at: Int64(head.tagLength))
        }
        if let info = head.flacInfo { try fillFLAC(file, info: Int64(info), ledger) }
        guard head.tagLength > 0 else { return }
        var tag = facts.tagFields(part: index)
        tag.picture = picture
        // One that was known when the file was begun is in it; after a crash nobody else knows it.
        let held = picture == nil ? ID3.picture(in: try file.read(head.tagLength, at: 0)) : []
        try file.write(Self.fitting(tag, held, in: head.tagLength), at: 0)
    }

    private func fillFLAC(_ file: any DiskFile, info: Int64, _ ledger: FrameLedger) throws(SystemError) {
        let place = info + Int64(StreamInfo.countsOffset)
        guard let first = try file.read(1, at: place).first else { return }
        try file.write(StreamInfo.counts(samples: ledger.samples, keeping: first), at: place)
    }

    /// Players multiply the count with the samples of the first frame at its rate: after a change of rate the count is
    /// the one that gives the right length.
    private func countedFrames(_ ledger: FrameLedger, part index: Int) -> Int64 {
        guard let format = facts.format, format.codec == .mp3, format.sampleRate > 0 else {
            return ledger.frames
        }
        let samples = format.sampleRate >= 32_000 ? 1152.0 : 576.0
        return Int64((ledger.seconds * Double(format.sampleRate) / samples).rounded())
    }

    /// The tag, with its picture if there is room for that too, and as many chapters as there is room for. What is left
    /// out is in the sidecar, which has all.
    private static func fitting(_ tag: TagFields, _ held: [UInt8], in length: Int) -> [UInt8] {
        var tag = tag
        if let bytes = ID3.tag(tag, length: length, picture: held) { return bytes }
        tag.picture = nil
        while true {
            if let bytes = ID3.tag(tag, length: length) { return bytes }
            guard !tag.chapters.isEmpty else { return ID3.tag(TagFields(), length: length) ?? [] }
            tag.chapters.removeLast(max(1, tag.chapters.count / 8))
        }
    }
}

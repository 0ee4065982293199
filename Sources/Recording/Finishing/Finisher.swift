internal import Platform
internal import StreamFormats

/// Gives a complete file what only its end could tell: length, seek table, tags, chapters.
struct Finisher {
    let facts: RecordingFacts

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
        try file.write(fitting(facts.tagFields(part: index), in: head.tagLength), at: 0)
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

    /// The tag, with as many chapters as there is room for. What is left out is in the sidecar, which has all.
    private func fitting(_ tag: TagFields, in length: Int) -> [UInt8] {
        var tag = tag
        while true {
            if let bytes = ID3.tag(tag, length: length) { return bytes }
            guard !tag.chapters.isEmpty else { return ID3.tag(TagFields(), length: length) ?? [] }
            tag.chapters.removeLast(max(1, tag.chapters.count / 8))
        }
    }
}

internal import MediaHelper
internal import Platform
internal import StreamFormats

/// Turns finished ADTS into M4A: phones and podcast apps seek in that. The ADTS stays until the M4A is proved.
struct M4AFinish {
    /// A remux may differ by the priming of the encoder, no more.
    private static let tolerance = 0.1

    let disk: any Disk
    let tools: any FileTools
    /// With less free than this a disk counts as full.
    let floorBytes: Int64
    /// For the tags of the files.
    var picture: TagFields.Picture?

    /// True where there is something to do.
    static func concerns(_ facts: RecordingFacts) -> Bool {
        [.finished, .interrupted].contains(facts.state) && facts.parts.contains { $0.name.hasSuffix(".aac") }
    }

    /// Makes an M4A of every ADTS file of the recording. What fails stays as it is. Blocks.
    /// - Returns: names of the ADTS files that are not needed any more, for `remove`. Until what is known of the recording
    ///   names the new ones, they are what a crash would leave.
    func run(_ facts: inout RecordingFacts) -> [String] {
        var needless: [String] = []
        for index in facts.parts.indices where facts.parts[index].name.hasSuffix(".aac") {
            let name = facts.parts[index].name
            do {
                try replace(part: index, &facts)
                needless.append(name)
            } catch {
                Log.warning(
                    "recording", "the recording stays as ADTS: it could not be put into M4A",
                    ["recording": facts.id.text, "file": facts.parts[index].name, "error": "\(error)"])
            }
        }
        return needless
    }

    /// Deletes what `run` has made needless.
    func remove(_ names: [String], of facts: RecordingFacts) {
        guard !names.isEmpty, let folder = try? disk.folder(facts.folder, below: [], creating: false) else {
            return
        }
        for name in names { try? folder.remove(name) }
    }

    private func replace(part index: Int, _ facts: inout RecordingFacts) throws {
        let part = facts.parts[index]
        let folder = try disk.folder(facts.folder, below: [], creating: false)
        let source = try folder.open(part.name, forWriting: false)
        let stem = Sidecar.stem(of: part.name)
        let temporary = stem + ".m4a" + FileNaming.partSuffix
        try folder.checkRoom(for: source.facts().size, floor: floorBytes)
        let target = try folder.createDraft(temporary)
        do {
            let result = try tools.remux(
                from: source, to: target, chapters: chapters(facts, index), tags: tags(facts))
            guard result.packets == part.frames, abs(result.seconds - part.seconds) <= Self.tolerance else {
                throw RecordingError.other(
                    "it would hold \(result.packets) packets and \(result.seconds) s of \(part.frames) and \(part.seconds)"
                )
            }
            try addPicture(to: target, frames: part.frames)
            try target.synchronize()
            let name = try FileNaming.finish(temporary, as: stem + ".m4a", in: folder)
            facts.parts[index].name = name
            facts.parts[index].bytes = try target.facts().size
            facts.parts[index].fileHash = try FileHash.of(target)
            try folder.synchronize()
        } catch {
            try? folder.remove(temporary)
            throw error
        }
        CueSheet.renew(facts, part: index, in: folder)
    }

    /// The index stands at the end, so it may grow. Where the file then does not read as before, it gets the old one back.
    private func addPicture(to file: any DiskFile, frames: Int64) throws(SystemError) {
        guard let picture, let (old, place) = try M4ABlocks.indexBox(of: file), var index = MP4Moov(old),
            try file.facts().size == place + Int64(old.count),
            index.put(picture: picture.bytes, mediaType: picture.mediaType)
        else { return }
        try file.write(index.bytes, at: place)
        if try FileScan(file).ledger.frames == frames { return }
        try file.truncate(to: place)
        try file.write(old, at: place)
    }

    private func chapters(_ facts: RecordingFacts, _ index: Int) -> [MediaChapter] {
        facts.spans(part: index).map { MediaChapter(start: $0.start, title: $0.name(facts.stationName)) }
    }

    private func tags(_ facts: RecordingFacts) -> [MediaTag] {
        let names = ["TIT2": "title", "TPE1": "artist", "TALB": "album", "TCON": "genre", "TDRC": "date"]
        return facts.tagFields().fields.compactMap { field in
            names[field.name].map { MediaTag(name: $0, value: field.value) }
        }
    }
}

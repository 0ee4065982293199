internal import Platform

/// Makes room for the chapters of a very long recording: where a tag has outgrown the place that was kept for it, a file
/// with a larger one takes the old file's place. The audio is copied, not touched.
struct ChapterRoom {
    /// Room that is left for whoever edits the tag later.
    private static let slack = 8 << 10

    let disk: any Disk
    /// With less free than this a disk counts as full.
    let floorBytes: Int64

    /// True where a file of the recording holds fewer chapters than the recording has.
    func concerns(_ facts: RecordingFacts) -> Bool {
        facts.state == .finished && facts.parts.indices.contains { isShort(facts, part: $0) }
    }

    private func isShort(_ facts: RecordingFacts, part index: Int) -> Bool {
        let part = facts.parts[index]
        guard [".mp3", ".mp2", ".mp1"].contains(where: part.name.hasSuffix),
            let folder = try? disk.folder(facts.folder, below: [], creating: false),
            let file = try? folder.open(part.name, forWriting: false)
        else { return false }
        let kept = tagLength(of: file)
        return kept > 0 && ID3.length(facts.tagFields(part: index)) > kept
    }

    private func tagLength(of file: any DiskFile) -> Int {
        (try? file.read(ID3.headerLength, at: 0)).map(ID3.length(ofTagAt:)) ?? 0
    }

    /// Gives every such file its larger tag. What fails stays as it is: then the last chapters are in the sidecar alone.
    /// Blocks while the file is copied.
    func run(_ facts: inout RecordingFacts) {
        for index in facts.parts.indices where isShort(facts, part: index) {
            do throws(SystemError) { try grow(part: index, &facts) } catch {
                Log.warning(
                    "recording",
                    "the file holds only some of its chapters: there was no larger one to be had",
                    ["recording": facts.id.text, "file": facts.parts[index].name, "error": error.description])
            }
        }
    }

    private func grow(part index: Int, _ facts: inout RecordingFacts) throws(SystemError) {
        let name = facts.parts[index].name
        let folder = try disk.folder(facts.folder, below: [], creating: false)
        let source = try folder.open(name, forWriting: false)
        let kept = tagLength(of: source)
        let tag = facts.tagFields(part: index)
        let picture = ID3.picture(in: try source.read(kept, at: 0))
        let length = ID3.length(tag) + picture.count + Self.slack
        guard let bytes = ID3.tag(tag, length: length, picture: picture) else { return }
        let copy = FileCopy(folder: folder, name: name, floorBytes: floorBytes)
        try copy.replace(bytes: source.facts().size + Int64(length)) { target throws(SystemError) in
            try target.write(bytes, at: 0)
            try copy.copy(source, from: Int64(kept), to: target, at: Int64(length))
        }
        facts.move(part: index, by: Int64(length - kept))
    }
}

extension RecordingFacts {
    /// The audio of a file begins so many bytes later.
    fileprivate mutating func move(part index: Int, by bytes: Int64) {
        parts[index].audioOffset += bytes
        parts[index].bytes += bytes
        for number in titles.indices where titles[number].part == index { titles[number].byte += bytes }
    }
}

internal import Platform
internal import StreamFormats

/// Moves the chapters of finished files to where the facts say that they are by now: a recording has been cut anew. The
/// audio is not touched, nor is anything else that stands in the files.
struct ChapterMove {
    let disk: any Disk
    /// With less free than this a disk counts as full: an M4A is copied.
    let floorBytes: Int64

    /// Every file of the whole, and its cue sheet. What cannot be changed stays as it was. Blocks; M4A is copied.
    func run(_ facts: inout RecordingFacts) {
        for index in facts.parts.indices {
            do throws(SystemError) {
                let folder = try disk.folder(facts.folder, below: [], creating: false)
                try move(&facts, index, folder)
                CueSheet.renew(facts, part: index, in: folder)
            } catch {
                Log.warning(
                    "recording", "the chapters of a file are where they were",
                    [
                        "recording": facts.id.text, "file": facts.parts[index].name,
                        "error": error.description,
                    ])
            }
        }
    }

    private func move(
        _ facts: inout RecordingFacts, _ index: Int, _ folder: any DiskFolder
    ) throws(SystemError) {
        let name = facts.parts[index].name
        let chapters = facts.tagFields(part: index).chapters
        switch name.lastIndex(of: ".").map({ name[$0...] }) {
        case ".mp3", ".mp2", ".mp1": try moveID3(chapters, in: folder.open(name, forWriting: true))
        case ".ogg", ".opus": try moveOgg(chapters, facts, index, folder.open(name, forWriting: true))
        case ".m4a":
            guard try moveM4A(chapters, name, folder) else { return }
            let file = try folder.open(name, forWriting: false)
            facts.parts[index].bytes = try file.facts().size
            facts.parts[index].fileHash = try FileHash.of(file)
        // Neither FLAC nor ADTS has a place for chapters: they are in the cue sheet.
        default: break
        }
    }

    private func moveID3(_ chapters: [TagFields.Chapter], in file: any DiskFile) throws(SystemError) {
        let length = ID3.length(ofTagAt: try file.read(ID3.headerLength, at: 0))
        let tag = try file.read(length, at: 0)
        guard length > 0, let moved = ID3.replacing(chapters: chapters, in: tag) else {
            throw SystemError(code: DiskCode.tooLarge, while: "writing chapters into the tag")
        }
        try put(moved, in: file)
    }

    private func moveOgg(
        _ chapters: [TagFields.Chapter], _ facts: RecordingFacts, _ index: Int, _ file: any DiskFile
    ) throws(SystemError) {
        let head = try file.read(Int(clamping: min(facts.parts[index].audioOffset, 1 << 20)), at: 0)
        // A chain has no such comments: each link has its title.
        guard let format = facts.format, let pages = OggHeaderPages(head, format: format),
            pages.holds(namesBeginning: "CHAPTER"),
            let moved = pages.replacing(namesBeginning: "CHAPTER", with: OggChapters.comments(chapters))
        else { return }
        try put(moved, in: file)
    }

    private func put(_ bytes: [UInt8], in file: any DiskFile) throws(SystemError) {
        try file.write(bytes, at: 0)
        try file.synchronize()
    }

    /// A copy with another index takes the file's place: there is no moment at which neither is whole.
    /// - Returns: false where the file has no chapters.
    private func moveM4A(
        _ chapters: [TagFields.Chapter], _ name: String, _ folder: any DiskFolder
    ) throws(SystemError) -> Bool {
        let source = try folder.open(name, forWriting: false)
        guard let (bytes, place) = try M4ABlocks.indexBox(of: source), var index = MP4Moov(bytes) else {
            throw SystemError(code: DiskCode.invalid, while: "reading the index of \(name)")
        }
        guard index.move(chapters: chapters.map(\.start)) else {
            if chapters.isEmpty { return false }
            throw SystemError(code: DiskCode.invalid, while: "finding \(chapters.count) chapters in \(name)")
        }
        guard try source.facts().size == place + Int64(bytes.count) else {
            throw SystemError(code: DiskCode.invalid, while: "changing an index that is not at the end")
        }
        let copy = FileCopy(folder: folder, name: name, floorBytes: floorBytes)
        try copy.replace(bytes: place + Int64(index.bytes.count)) { target throws(SystemError) in
            try copy.copy(source, from: 0, to: target, at: 0, most: place)
            try target.write(index.bytes, at: place)
        }
        return true
    }
}

/// A file that a changed copy of itself takes the place of, whole or not at all.
struct FileCopy {
    private static let blockLength = 1 << 20

    let folder: any DiskFolder
    let name: String
    /// With less free than this a disk counts as full: others record to it.
    let floorBytes: Int64

    /// - Parameters:
    ///   - bytes: that the copy will have.
    ///   - fill: writes what the copy holds.
    /// - Throws: ENOSPC, before anything is written, where there is no room for both.
    func replace(
        bytes: Int64, _ fill: (any DiskFile) throws(SystemError) -> Void
    ) throws(SystemError) {
        try folder.checkRoom(for: bytes, floor: floorBytes)
        let temporary = name + SidecarFile.temporarySuffix
        let target = try folder.createDraft(temporary)
        do {
            try fill(target)
            try target.synchronize()
            try folder.rename(temporary, to: name, replacing: true)
            try folder.synchronize()
        } catch {
            try? folder.remove(temporary)
            throw error
        }
    }

    /// Copies what stands behind `start`, at most so many bytes.
    func copy(
        _ source: any DiskFile, from start: Int64, to target: any DiskFile, at place: Int64,
        most: Int64 = .max
    ) throws(SystemError) {
        var done: Int64 = 0
        while done < most {
            let block = try source.read(Int(min(Int64(Self.blockLength), most - done)), at: start + done)
            if block.isEmpty { return }
            try target.write(block, at: place + done)
            done += Int64(block.count)
        }
    }
}

internal import Platform

/// Gives complete files of a recording their tags and their names, for good.
struct FileCloser {
    /// Closes every file that `writer` has ended and brings the facts up to that.
    /// - Parameter picture: for their tags.
    static func close(
        _ writer: WholeWriter, _ facts: inout RecordingFacts, picture: TagFields.Picture? = nil
    ) {
        // The files of an earlier run are closed already.
        let earlier = facts.parts.count - writer.written.count
        for (index, file) in writer.written.enumerated() {
            close(file, part: earlier + index, &facts, picture)
        }
        writeCue(writer, facts)
    }

    private static func close(
        _ file: GrowingFile, part index: Int, _ facts: inout RecordingFacts, _ picture: TagFields.Picture?
    ) {
        let isSuspect = facts.parts[index].isSuspect
        // One that somebody has deleted is left to its fate.
        if isSuspect, (try? file.file.facts().links) == 0 { return }
        do throws(SystemError) {
            try file.trim()
            try Finisher(facts: facts, picture: picture).finish(
                file.file, head: file.form.head, part: index, ledger: file.ledger)
            let chapters = facts.tagFields(part: index).chapters
            if let headers = file.form.headers(with: chapters, picture: picture) {
                try file.file.write(headers, at: 0)
            }
            // Linux has forgotten what it could not write: a second try would say that all is well.
            if !isSuspect { try file.file.synchronize() }
            facts.parts[index].bytes = try file.file.facts().size
            facts.parts[index].name = try FileNaming.finish(file.name, as: file.finalName, in: file.folder)
            try file.folder.synchronize()
        } catch {
            // Of a suspect file it is known that something may be wrong.
            if !isSuspect { facts.reason = error.description }
            Log.error(
                "recording", "a file could not be finished",
                ["recording": facts.id.text, "file": file.name, "error": error.description])
        }
    }

    /// A cue sheet where the file itself holds no chapters, or where it lies in the library. Never over a stranger's.
    private static func writeCue(_ writer: WholeWriter, _ facts: RecordingFacts) {
        guard !facts.titles.isEmpty else { return }
        let earlier = facts.parts.count - writer.written.count
        for (index, file) in writer.written.enumerated() {
            guard !writer.isExact || file.form.head.tagLength == 0 else { continue }
            CueSheet.write(facts, part: earlier + index, in: file.folder)
        }
    }
}

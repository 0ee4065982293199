internal import JSONText
internal import Platform

/// Reads and writes sidecars: whole or not at all.
struct SidecarFile {
    let folder: any DiskFolder

    /// Ours, while it is being written; the rename then makes it the sidecar.
    static let temporarySuffix = ".new"

    /// Replaces the sidecar.
    /// - Parameter durably: survives a power cut when this returns; otherwise within seconds.
    func write(_ facts: RecordingFacts, named name: String, durably: Bool) throws(SystemError) {
        try write(text(facts), named: name, durably: durably)
    }

    /// Replaces the sidecar without waiting for the disk: it survives the death of the program, and not yet that of the
    /// machine.
    func writeAtOnce(_ facts: RecordingFacts, named name: String) throws(SystemError) {
        let temporary = name + Self.temporarySuffix
        try folder.create(temporary, replacing: true).write(text(facts), at: 0)
        try folder.rename(temporary, to: name, replacing: true)
    }

    private func text(_ facts: RecordingFacts) -> [UInt8] {
        Array((Sidecar.json(facts).text(pretty: true) + "\n").utf8)
    }

    /// Replaces a small file of any kind in one step.
    func write(_ bytes: [UInt8], named name: String, durably: Bool) throws(SystemError) {
        let temporary = name + Self.temporarySuffix
        let file = try folder.create(temporary, replacing: true)
        do {
            try file.write(bytes, at: 0)
            // Without this a crash soon after the rename could leave an empty file under the good name.
            try file.synchronize()
            try folder.rename(temporary, to: name, replacing: true)
            if durably { try folder.synchronize() }
        } catch {
            try? folder.remove(temporary)
            throw error
        }
    }

    /// Nil where there is none, or one that cannot be read.
    func read(named name: String) -> RecordingFacts? {
        guard let file = try? folder.open(name, forWriting: false),
            let bytes = try? file.contents(limit: Sidecar.sizeLimit),
            let json = try? JSONValue.parse(bytes, limit: Sidecar.sizeLimit)
        else { return nil }
        return Sidecar.facts(json, folder: folder.path)
    }
}

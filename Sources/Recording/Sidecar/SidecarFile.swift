internal import JSONText
internal import Platform

/// Reads and writes sidecars: whole or not at all.
struct SidecarFile {
    let folder: any DiskFolder

    /// Ours, while it is being written; the rename then makes it the sidecar.
    static let temporarySuffix = ".new"
    /// The same for the thread that does not wait for the disk: two threads that write one sidecar do not meet in one file.
    static let hastySuffix = ".now"

    /// Replaces the sidecar.
    /// - Parameters:
    ///   - durably: survives a power cut when this returns; otherwise within seconds.
    ///   - turn: where others write this sidecar meanwhile; what is older than theirs is thrown away.
    func write(
        _ facts: RecordingFacts, named name: String, durably: Bool, turn: SidecarTurn.Number = .only
    ) throws(SystemError) {
        try write(text(facts), named: name, durably: durably, turn: turn)
    }

    /// Replaces the sidecar without waiting for the disk: it survives the death of the program, and not yet that of the
    /// machine.
    func writeAtOnce(
        _ facts: RecordingFacts, named name: String, turn: SidecarTurn.Number = .only
    ) throws(SystemError) {
        let temporary = name + Self.hastySuffix
        do {
            try folder.create(temporary, replacing: true).write(text(facts), at: 0)
            try rename(temporary, to: name, turn)
        } catch {
            try? folder.remove(temporary)
            throw error
        }
    }

    private func rename(
        _ temporary: String, to name: String, _ turn: SidecarTurn.Number
    ) throws(SystemError) {
        let isNewest = try turn.take { () throws(SystemError) in
            try folder.rename(temporary, to: name, replacing: true)
        }
        if !isNewest { try folder.remove(temporary) }
    }

    private func text(_ facts: RecordingFacts) -> [UInt8] {
        Array((Sidecar.json(facts).text(pretty: true) + "\n").utf8)
    }

    /// Replaces a small file of any kind in one step.
    func write(
        _ bytes: [UInt8], named name: String, durably: Bool, turn: SidecarTurn.Number = .only
    ) throws(SystemError) {
        let temporary = name + Self.temporarySuffix
        let file = try folder.create(temporary, replacing: true)
        do {
            try file.write(bytes, at: 0)
            // Without this a crash soon after the rename could leave an empty file under the good name.
            try file.synchronize()
            try rename(temporary, to: name, turn)
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

internal import Platform

/// Files that are there only while something is made. Their maker holds a claim on them: whoever tidies up a folder after a
/// crash sees that it lives, for more than one program may record into a folder.
extension DiskFolder {
    /// Opens a file and claims it; nil where another has it.
    func claimed(_ name: String) throws(SystemError) -> (any DiskFile)? {
        // Some network disks let only those claim who may write; a person may have taken that right away.
        let file: any DiskFile
        if let writable = try? open(name, forWriting: true) {
            file = writable
        } else {
            file = try open(name, forWriting: false)
        }
        return file.claim() ? file : nil
    }

    /// Makes a file under a name that only passes, and claims it. What a killed maker left under that name goes.
    /// - Throws: EBUSY where another is making it.
    func createDraft(_ name: String) throws(SystemError) -> any DiskFile {
        if contains(name) {
            guard let left = try claimed(name) else { throw isBusy(name) }
            // Held until it is gone: else another may have put its own draft there meanwhile.
            defer { withExtendedLifetime(left) {} }
            try remove(name)
        }
        let file = try create(name, replacing: false)
        // Between the two steps it looks like one that was left.
        guard file.claim(), try file.facts().links > 0 else { throw isBusy(name) }
        return file
    }

    /// Takes a draft away that nobody is making any more.
    /// - Returns: false where it stays.
    func removeLeft(_ name: String) -> Bool {
        guard let file = try? claimed(name) else { return false }
        return withExtendedLifetime(file) { (try? remove(name)) != nil }
    }

    /// For what will take so many bytes while others record to this disk.
    /// - Parameter floor: with less free than this the disk counts as full.
    /// - Throws: ENOSPC where there is no room.
    func checkRoom(for bytes: Int64, floor: Int64) throws(SystemError) {
        guard try freeBytes() - floor > bytes else {
            throw SystemError(code: DiskCode.noSpace, while: "making a file of \(bytes) bytes in \(path)")
        }
    }

    private func isBusy(_ name: String) -> SystemError {
        SystemError(code: DiskCode.busy, while: "making \(path)/\(name), which another program is making")
    }
}

internal import Platform

/// The tracks of a recording under other names, so that new ones can have theirs.
///
/// Each is claimed until it is back or gone: to whoever tidies up after a crash they look like what a killed program left.
/// That takes a descriptor for every track, for as long as it is cut.
struct TracksAside {
    /// At the end of such a name.
    static let suffix = ".previous"
    /// A track that has just been finished is still claimed while it is made safe: so often is looked, at such pauses.
    private static let looks = 50
    private static let pauseSeconds = 0.1

    private struct Held {
        let folder: any DiskFolder
        let name: String
        let file: any DiskFile
    }

    /// By which the tracks are found meanwhile.
    private(set) var facts: RecordingFacts
    private let disk: any Disk
    private var held: [Held] = []

    init(_ facts: RecordingFacts, disk: any Disk) {
        self.facts = facts
        self.disk = disk
    }

    /// Gives all of them their other names. What has been done by the time of an error `putBack` takes back.
    /// - Throws: EBUSY where another program works with one of them.
    mutating func take() throws(SystemError) {
        for index in facts.tracks.indices {
            guard let name = facts.tracks[index].name, let root = facts.trackFolder else { continue }
            let folder = try disk.folder(root, below: facts.tracks[index].folders, creating: false)
            facts.tracks[index].name = try take(name, in: folder) ? name + Self.suffix : nil
        }
    }

    /// - Returns: false where there is no such track any more.
    private mutating func take(_ name: String, in folder: any DiskFolder) throws(SystemError) -> Bool {
        let aside = name + Self.suffix
        // Left by a program that was killed while it cut: the file under the true name is a piece of a new one.
        let isLeft = folder.contains(aside)
        guard isLeft || folder.contains(name) else { return false }
        guard let file = try claimed(isLeft ? aside : name, in: folder) else {
            throw SystemError(
                code: DiskCode.busy, while: "using \(folder.path)/\(name), which another program works with")
        }
        if isLeft { try folder.rename(aside, to: name, replacing: true) }
        try folder.rename(name, to: aside, replacing: false)
        held.append(Held(folder: folder, name: name, file: file))
        return true
    }

    private func claimed(_ name: String, in folder: any DiskFolder) throws(SystemError) -> (any DiskFile)? {
        let pause = Semaphore()
        for _ in 1..<Self.looks {
            if let file = try folder.claimed(name) { return file }
            _ = pause.wait(seconds: Self.pauseSeconds)
        }
        return try folder.claimed(name)
    }

    /// Gives them their names back.
    func putBack() {
        for one in held { try? one.folder.rename(one.name + Self.suffix, to: one.name, replacing: false) }
    }

    /// Deletes them: the new ones have taken their place.
    func remove() {
        for one in held { try? one.folder.remove(one.name + Self.suffix) }
    }
}

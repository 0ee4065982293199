package import Platform

/// Where recordings are kept. The real one is `RealDisk`; tests put one in its place that fails when told to.
package protocol Disk: Sendable {
    /// Opens a folder. Below `root` no symbolic link is followed; `root` itself is a person's choice and may hold some.
    /// - Parameters:
    ///   - root: must exist: a volume that is not mounted is never made up on the disk beneath it.
    ///   - below: names of folders in it, one component each.
    ///   - creating: makes those of `below` that are missing.
    func folder(_ root: String, below: [String], creating: Bool) throws(SystemError) -> any DiskFolder
}

/// An open folder; its files are reached by name and never by path, so nobody can move them away under us.
package protocol DiskFolder: AnyObject, Sendable {
    /// Shown in messages and in the library.
    var path: String { get }
    /// Tells volumes apart; recordings on one volume share its threads.
    var device: UInt64 { get }
    /// Bytes that we may still write here.
    func freeBytes() throws(SystemError) -> Int64
    /// Makes a file and opens it for reading and writing.
    /// - Throws: EEXIST if there is one, unless `replacing`.
    func create(_ name: String, replacing: Bool) throws(SystemError) -> any DiskFile
    /// Opens a regular file that is there; a link or a device is refused.
    func open(_ name: String, forWriting: Bool) throws(SystemError) -> any DiskFile
    func contains(_ name: String) -> Bool
    /// - Throws: EEXIST if `name` is taken, unless `replacing`.
    func rename(_ old: String, to name: String, replacing: Bool) throws(SystemError)
    /// The same into another folder of the same disk.
    func move(_ old: String, to name: String, in target: any DiskFolder, replacing: Bool) throws(SystemError)
    func remove(_ name: String) throws(SystemError)
    /// Removes a folder in it.
    /// - Throws: where something is in it.
    func removeFolder(_ name: String) throws(SystemError)
    /// What is in it, in no order, without `.` and `..`.
    func entries() throws(SystemError) -> [FolderEntry]
    /// Makes names that were created, renamed or removed survive a power cut.
    func synchronize() throws(SystemError)
}

/// An open file of ours.
package protocol DiskFile: AnyObject, Sendable {
    /// Writes at the end of what was appended before.
    /// - Returns: how many bytes went in; may be less than all.
    func append(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int
    /// Writes all of `bytes` at a place.
    func write(_ bytes: [UInt8], at offset: Int64) throws(SystemError)
    /// Reads at most `count` bytes; fewer only at the end of the file.
    func read(_ count: Int, at offset: Int64) throws(SystemError) -> [UInt8]
    /// Cuts the file, or lets it grow; `append` goes on at the new end.
    func truncate(to size: Int64) throws(SystemError)
    /// Makes what was written survive a power cut (fdatasync). After a failure the file is suspect and must not be
    /// synchronised again: Linux forgets the error and the pages.
    func synchronize() throws(SystemError)
    /// Lets what `synchronize` is about to wait for begin its way. Promises nothing, so it tells of no error.
    func beginSynchronizing()
    func facts() throws(SystemError) -> FileFacts
    /// Takes the file for this process until it is closed or the process ends, however it ends.
    /// - Returns: false where another has it: it is being recorded.
    func claim() -> Bool
    /// For handing it to the media helper; nil where it is no file of the kernel's.
    var descriptorNumber: Int32? { get }
}

/// What the file system says of a file.
package struct FileFacts: Sendable, Hashable {
    package var size: Int64
    /// Names that lead to it; 0 when somebody has deleted it.
    package var links: Int
    package var modified: WallTime

    package init(size: Int64, links: Int, modified: WallTime) {
        self.size = size
        self.links = links
        self.modified = modified
    }
}

/// A name in a folder.
package struct FolderEntry: Sendable, Hashable {
    package enum Kind: Sendable, Hashable { case file, folder, other }
    package var name: String
    package var kind: Kind

    package init(name: String, kind: Kind) {
        self.name = name
        self.kind = kind
    }
}

/// What a recording must do about an error of the disk.
enum DiskTrouble: Sendable, Hashable {
    /// There will be room again: wait, and go on in the same file.
    case full
    /// This file cannot be trusted or grown: go on in a new one.
    case broken
}

extension DiskFile {
    package func beginSynchronizing() {}

    /// All the bytes of the file, for small files.
    /// - Throws: EFBIG if there are more than `limit`.
    func contents(limit: Int) throws(SystemError) -> [UInt8] {
        let size = try facts().size
        guard size <= limit else {
            throw SystemError(code: DiskCode.tooLarge, while: "reading a file of \(size) bytes")
        }
        return try read(Int(size), at: 0)
    }
}

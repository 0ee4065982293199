internal import CLinux
internal import Glibc
package import Platform

/// The machine's file systems.
package struct RealDisk: Disk {
    package init() {}

    package func folder(
        _ root: String, below: [String], creating: Bool
    ) throws(SystemError) -> any DiskFolder {
        var folder = try RealFolder(opening: root)
        for name in below { folder = try folder.subfolder(name, creating: creating) }
        return folder
    }
}

/// A folder held open by descriptor.
final class RealFolder: DiskFolder {
    let path: String
    let device: UInt64
    private let descriptor: FileDescriptor

    private static let folderMode: mode_t = 0o755
    private static let fileMode: mode_t = 0o644

    convenience init(opening root: String) throws(SystemError) {
        let number = openat(AT_FDCWD, root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw SystemError(while: "opening the folder \(root)") }
        try self.init(owning: number, path: root)
    }

    private init(owning number: Int32, path: String) throws(SystemError) {
        descriptor = FileDescriptor(owning: number)
        self.path = path
        var facts = stat()
        guard fstat(number, &facts) == 0 else { throw SystemError(while: "looking at \(path)") }
        device = UInt64(facts.st_dev)
    }

    /// The folder `name` in this one; never through a link.
    func subfolder(_ name: String, creating: Bool) throws(SystemError) -> RealFolder {
        let inner = path + "/" + name
        try Self.check(name, in: path)
        if creating, mkdirat(descriptor.number, name, Self.folderMode) != 0, errno != EEXIST {
            throw SystemError(while: "making the folder \(inner)")
        }
        let number = openat(descriptor.number, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else { throw SystemError(while: "opening the folder \(inner)") }
        return try RealFolder(owning: number, path: inner)
    }

    /// A name is one component; what is more would lead somewhere else.
    private static func check(_ name: String, in path: String) throws(SystemError) {
        let isOneComponent =
            !name.isEmpty && name != "." && name != ".."
            && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
        guard isOneComponent else {
            throw SystemError(code: EINVAL, while: "using a path as a name in \(path)")
        }
    }

    func freeBytes() throws(SystemError) -> Int64 {
        var facts = statvfs()
        guard fstatvfs(descriptor.number, &facts) == 0 else {
            throw SystemError(while: "asking for room in \(path)")
        }
        return Int64(
            clamping: UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(facts.f_frsize))
                .partialValue)
    }

    func create(_ name: String, replacing: Bool) throws(SystemError) -> any DiskFile {
        try Self.check(name, in: path)
        let creation = replacing ? O_TRUNC : O_EXCL
        let number = openat(
            descriptor.number, name, O_RDWR | O_CREAT | creation | O_NOFOLLOW | O_CLOEXEC, Self.fileMode)
        guard number >= 0 else { throw SystemError(while: "creating \(path)/\(name)") }
        return try RealFile(owning: number, path: path + "/" + name)
    }

    func open(_ name: String, forWriting: Bool) throws(SystemError) -> any DiskFile {
        try Self.check(name, in: path)
        let access = forWriting ? O_RDWR : O_RDONLY
        let number = openat(descriptor.number, name, access | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { throw SystemError(while: "opening \(path)/\(name)") }
        return try RealFile(owning: number, path: path + "/" + name)
    }

    func contains(_ name: String) -> Bool {
        var facts = stat()
        return fstatat(descriptor.number, name, &facts, AT_SYMLINK_NOFOLLOW) == 0
    }

    func rename(_ old: String, to name: String, replacing: Bool) throws(SystemError) {
        try move(old, to: name, in: self, replacing: replacing)
    }

    func move(
        _ old: String, to name: String, in target: any DiskFolder, replacing: Bool
    ) throws(SystemError) {
        try Self.check(name, in: target.path)
        guard let target = target as? RealFolder else {
            throw SystemError(code: EXDEV, while: "moving \(path)/\(old) to \(target.path)")
        }
        let (from, to) = (descriptor.number, target.descriptor.number)
        let code = replacing ? renameat(from, old, to, name) : aircheck_rename_new(from, old, to, name)
        guard code == 0 else { throw SystemError(while: "renaming \(path)/\(old) to \(target.path)/\(name)") }
    }

    func remove(_ name: String) throws(SystemError) {
        try Self.check(name, in: path)
        guard unlinkat(descriptor.number, name, 0) == 0 else {
            throw SystemError(while: "deleting \(path)/\(name)")
        }
    }

    func removeFolder(_ name: String) throws(SystemError) {
        try Self.check(name, in: path)
        guard unlinkat(descriptor.number, name, AT_REMOVEDIR) == 0 else {
            throw SystemError(while: "removing the folder \(path)/\(name)")
        }
    }

    func entries() throws(SystemError) -> [FolderEntry] {
        // A descriptor of its own: reading moves the offset that `descriptor` would share.
        let number = openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0, let stream = fdopendir(number) else { throw SystemError(while: "listing \(path)") }
        defer { closedir(stream) }
        var found: [FolderEntry] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name != ".", name != ".." else { continue }
            found.append(FolderEntry(name: name, kind: kind(of: entry.pointee.d_type) ?? kind(of: name)))
        }
        return found
    }

    /// What the folder itself says; nil where the file system does not tell.
    private func kind(of type: UInt8) -> FolderEntry.Kind? {
        switch Int(type) {
        case Int(DT_REG): .file
        case Int(DT_DIR): .folder
        case Int(DT_UNKNOWN): nil
        default: .other
        }
    }

    private func kind(of name: String) -> FolderEntry.Kind {
        var facts = stat()
        guard fstatat(descriptor.number, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 else { return .other }
        return switch facts.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .folder
        default: .other
        }
    }

    func synchronize() throws(SystemError) {
        guard fsync(descriptor.number) == 0 else { throw SystemError(while: "synchronising \(path)") }
    }
}

/// A regular file held open by descriptor.
final class RealFile: DiskFile {
    private let descriptor: FileDescriptor
    private let path: String
    /// Where `append` goes on.
    private let end = Lock<Int64>(0)

    init(owning number: Int32, path: String) throws(SystemError) {
        descriptor = FileDescriptor(owning: number)
        self.path = path
        var facts = stat()
        guard fstat(number, &facts) == 0 else { throw SystemError(while: "looking at \(path)") }
        guard facts.st_mode & S_IFMT == S_IFREG else {
            throw SystemError(code: EINVAL, while: "using \(path), which is not a file")
        }
        end.withLock { $0 = Int64(facts.st_size) }
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
        let place = end.withLock { $0 }
        let count = pwrite(descriptor.number, bytes.baseAddress, bytes.count, Int(place))
        if count < 0 {
            if errno == EINTR { return 0 }
            throw SystemError(while: "writing \(path)")
        }
        end.withLock { $0 = place + Int64(count) }
        return count
    }

    func write(_ bytes: [UInt8], at offset: Int64) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(
                    descriptor.number, $0.baseAddress?.advanced(by: done), bytes.count - done,
                    Int(offset) + done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemError(while: "writing \(path)") }
            done += count
        }
        end.withLock { $0 = max($0, offset + Int64(done)) }
    }

    func read(_ count: Int, at offset: Int64) throws(SystemError) -> [UInt8] {
        var failure: SystemError?
        let found = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let got = pread(
                    descriptor.number, buffer.baseAddress?.advanced(by: filled), count - filled,
                    Int(offset) + filled)
                if got < 0, errno == EINTR { continue }
                if got < 0 { failure = SystemError(while: "reading \(path)") }
                if got <= 0 { return }
                filled += got
            }
        }
        if let failure { throw failure }
        return found
    }

    func truncate(to size: Int64) throws(SystemError) {
        guard ftruncate(descriptor.number, Int(size)) == 0 else {
            throw SystemError(while: "cutting \(path)")
        }
        end.withLock { $0 = size }
    }

    func synchronize() throws(SystemError) {
        guard fdatasync(descriptor.number) == 0 else { throw SystemError(while: "synchronising \(path)") }
    }

    func beginSynchronizing() { _ = aircheck_begin_writeback(descriptor.number) }

    func claim() -> Bool { flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK }

    var descriptorNumber: Int32? { descriptor.number }

    func facts() throws(SystemError) -> FileFacts {
        var facts = stat()
        guard fstat(descriptor.number, &facts) == 0 else { throw SystemError(while: "looking at \(path)") }
        let modified = Int64(facts.st_mtim.tv_sec) * 1_000_000_000 + Int64(facts.st_mtim.tv_nsec)
        return FileFacts(
            size: Int64(facts.st_size), links: Int(facts.st_nlink), modified: WallTime(nanoseconds: modified))
    }
}

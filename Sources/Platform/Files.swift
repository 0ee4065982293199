internal import CLinux
internal import Glibc

/// Small files and folders, read whole; for start-up and reload, never on a reactor loop.
package enum Files {
    /// What tells one state of a file from the next.
    package struct Stamp: Sendable, Hashable {
        package var size: Int64
        /// Time of the last change, nanoseconds since 1970.
        package var modified: Int64
        package var inode: UInt64
    }

    /// The bytes of a file.
    /// - Parameter limit: bytes that are read at most; a longer file gives EFBIG.
    package static func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw SystemError(while: "opening \(path)") }
        let file = FileDescriptor(owning: number)
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(file.number, &block, block.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw SystemError(while: "reading \(path)") }
            if count == 0 { return bytes }
            guard bytes.count + count <= limit else {
                throw SystemError(code: EFBIG, while: "reading \(path)")
            }
            bytes += block[..<count]
        }
    }

    /// The names in a folder, sorted; empty where there is no such folder.
    package static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = Glibc.readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// The state of a file, or nil where there is none.
    package static func stamp(_ path: String) -> Stamp? {
        var status = stat()
        guard fstatat(AT_FDCWD, path, &status, 0) == 0 else { return nil }
        let modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
        return Stamp(size: Int64(status.st_size), modified: modified, inode: UInt64(status.st_ino))
    }

    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return fstatat(AT_FDCWD, path, &status, 0) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Makes a folder and those above it; no error where it is there. A file in its place is one.
    /// - Parameter mode: of those that are made.
    package static func makeFolder(_ path: String, mode: UInt32 = 0o755) throws(SystemError) {
        if path.isEmpty || isFolder(path) { return }
        if let slash = path.lastIndex(of: "/"), slash > path.startIndex {
            try makeFolder(String(path[..<slash]), mode: mode)
        }
        guard mkdir(path, mode) != 0 else { return }
        let reason = SystemError(while: "making \(path)")
        // Another may have made it meanwhile.
        guard reason.code == EEXIST, isFolder(path) else { throw reason }
    }

    /// Puts `bytes` at `path` so that whoever looks sees the old file or the whole new one, also after a power cut.
    package static func replace(_ path: String, with bytes: [UInt8], mode: UInt32 = 0o644) throws(SystemError)
    {
        let draft = path + ".new"
        let number = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard number >= 0 else { throw SystemError(while: "making \(draft)") }
        let file = FileDescriptor(owning: number)
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(file.number, $0.baseAddress.map { $0 + written }, bytes.count - written)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw SystemError(while: "writing \(draft)") }
            written += count
        }
        guard fsync(file.number) == 0 else { throw SystemError(while: "writing \(draft)") }
        guard rename(draft, path) == 0 else { throw SystemError(while: "renaming \(draft)") }
        try syncFolder(of: path)
    }

    /// Makes the folder's entry for `path` last through a power cut.
    package static func syncFolder(of path: String) throws(SystemError) {
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let number = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw SystemError(while: "opening \(folder)") }
        let descriptor = FileDescriptor(owning: number)
        guard fsync(descriptor.number) == 0 else { throw SystemError(while: "writing \(folder)") }
    }
}

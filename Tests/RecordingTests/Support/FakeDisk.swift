import Glibc
import Platform

@testable import Recording

/// A disk in memory that fails when it is told to, and can lose what was never synchronised.
final class FakeDisk: Disk {
    enum Operation: Sendable, Hashable {
        case create, append, write, truncate, synchronize, rename, read, remove
    }

    struct Content: Sendable {
        var bytes: [UInt8] = []
        var links = 1
    }

    struct State: Sendable {
        /// Files by path.
        var files: [String: Int] = [:]
        var contents: [Content] = []
        var folders: Set<String> = []
        /// Bytes that may still be written.
        var room = Int.max
        /// Whether removing a file gives its room back.
        var givesBack = true
        /// A folder that somebody removes once, when a file is about to be made in it.
        var vanishing: String?
        /// At most so many bytes go in at once.
        var largestWrite = Int.max
        var done: [Operation: Int] = [:]
        /// Asked before each operation, with how many of its kind came before: the errno it fails with, or nil.
        var fault: @Sendable (Operation, Int) -> Int32? = { _, _ in nil }
        /// Runs before an operation, told the same, for what another thread does meanwhile.
        var pause: @Sendable (Operation, Int) -> Void = { _, _ in }
    }

    let state: Lock<State>

    init(folders: Set<String> = ["/r"]) { state = Lock(State(folders: folders)) }

    func folder(_ root: String, below: [String], creating: Bool) throws(SystemError) -> any DiskFolder {
        let path = ([root] + below).joined(separator: "/")
        try state.withLock { state throws(SystemError) in
            guard state.folders.contains(root) else {
                throw SystemError(code: ENOENT, while: "opening \(root)")
            }
            var inner = root
            for name in below {
                inner += "/" + name
                if creating { state.folders.insert(inner) }
                guard state.folders.contains(inner) else {
                    throw SystemError(code: ENOENT, while: "opening \(inner)")
                }
            }
        }
        return FakeFolder(disk: self, path: path)
    }

    /// Notes an operation; fails it where the script says so.
    func perform<Result>(
        _ operation: Operation, _ body: (inout State) throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        let (pause, number) = state.withLock { ($0.pause, $0.done[operation, default: 0]) }
        pause(operation, number)
        return try state.withLock { state throws(SystemError) in
            let before = state.done[operation, default: 0]
            state.done[operation] = before + 1
            if let code = state.fault(operation, before) {
                throw SystemError(code: code, while: "\(operation)")
            }
            return try body(&state)
        }
    }

    // MARK: For tests

    func bytes(_ path: String) -> [UInt8]? {
        state.withLock { state in state.files[path].map { state.contents[$0].bytes } }
    }

    var paths: [String] { state.withLock { $0.files.keys.sorted() } }

    func put(_ bytes: [UInt8], at path: String) {
        state.withLock { state in
            state.files[path] = state.contents.count
            state.contents.append(Content(bytes: bytes))
        }
    }

    func setFault(_ fault: @escaping @Sendable (Operation, Int) -> Int32?) {
        state.withLock { $0.fault = fault }
    }
    var vanishing: String? {
        get { state.withLock { $0.vanishing } }
        set { state.withLock { $0.vanishing = newValue } }
    }
    func setRoom(_ room: Int, givesBack: Bool = true) {
        state.withLock { ($0.room, $0.givesBack) = (room, givesBack) }
    }
    func unlink(_ path: String) {
        state.withLock { state in
            guard let index = state.files.removeValue(forKey: path) else { return }
            state.contents[index].links = 0
        }
    }
}

final class FakeFolder: DiskFolder {
    private let disk: FakeDisk
    let path: String
    let device: UInt64 = 1

    init(disk: FakeDisk, path: String) {
        self.disk = disk
        self.path = path
    }

    func freeBytes() throws(SystemError) -> Int64 { Int64(disk.state.withLock { $0.room }) }

    func create(_ name: String, replacing: Bool) throws(SystemError) -> any DiskFile {
        let (parent, path) = (path, path + "/" + name)
        let index = try disk.perform(.create) { state throws(SystemError) -> Int in
            if state.vanishing == parent {
                (state.vanishing, _) = (nil, state.folders.remove(parent))
            }
            guard state.folders.contains(parent) else {
                throw SystemError(code: ENOENT, while: "creating \(path)")
            }
            if state.files[path] != nil, !replacing {
                throw SystemError(code: EEXIST, while: "creating \(path)")
            }
            state.files[path] = state.contents.count
            state.contents.append(FakeDisk.Content())
            return state.contents.count - 1
        }
        return FakeFile(disk: disk, index: index)
    }

    func open(_ name: String, forWriting: Bool) throws(SystemError) -> any DiskFile {
        let path = path + "/" + name
        guard let index = disk.state.withLock({ $0.files[path] }) else {
            throw SystemError(code: ENOENT, while: "opening \(path)")
        }
        return FakeFile(disk: disk, index: index)
    }

    func contains(_ name: String) -> Bool { disk.state.withLock { $0.files[path + "/" + name] != nil } }

    func rename(_ old: String, to name: String, replacing: Bool) throws(SystemError) {
        try move(old, to: name, in: self, replacing: replacing)
    }

    func move(
        _ old: String, to name: String, in target: any DiskFolder, replacing: Bool
    ) throws(SystemError) {
        let (from, to) = (path + "/" + old, target.path + "/" + name)
        try disk.perform(.rename) { state throws(SystemError) in
            if state.files[to] != nil, !replacing { throw SystemError(code: EEXIST, while: "renaming") }
            guard let index = state.files.removeValue(forKey: from) else {
                throw SystemError(code: ENOENT, while: "renaming")
            }
            state.files[to] = index
        }
    }

    func remove(_ name: String) throws(SystemError) {
        let path = path + "/" + name
        try disk.perform(.remove) { state throws(SystemError) in
            guard let index = state.files.removeValue(forKey: path) else {
                throw SystemError(code: ENOENT, while: "removing \(path)")
            }
            if state.givesBack {
                state.room += min(state.contents[index].bytes.count, .max - state.room)
            }
        }
    }

    func removeFolder(_ name: String) throws(SystemError) {
        let path = path + "/" + name
        guard try entries(of: path).isEmpty else {
            throw SystemError(code: ENOTEMPTY, while: "removing \(path)")
        }
        guard disk.state.withLock({ $0.folders.remove(path) }) != nil else {
            throw SystemError(code: ENOENT, while: "removing \(path)")
        }
    }

    func entries() throws(SystemError) -> [FolderEntry] { try entries(of: path) }

    private func entries(of path: String) throws(SystemError) -> [FolderEntry] {
        let prefix = path + "/"
        return disk.state.withLock { state in
            let files = state.files.keys.filter {
                $0.hasPrefix(prefix) && !$0.dropFirst(prefix.count).contains("/")
            }
            let folders = state.folders.filter {
                $0.hasPrefix(prefix) && !$0.dropFirst(prefix.count).contains("/")
            }
            return files.map { FolderEntry(name: String($0.dropFirst(prefix.count)), kind: .file) }
                + folders.map { FolderEntry(name: String($0.dropFirst(prefix.count)), kind: .folder) }
        }
    }

    func synchronize() throws(SystemError) {}
}

final class FakeFile: DiskFile {
    private let disk: FakeDisk
    private let index: Int

    init(disk: FakeDisk, index: Int) {
        self.disk = disk
        self.index = index
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
        try disk.perform(.append) { state throws(SystemError) in
            let count = min(bytes.count, state.room, state.largestWrite)
            guard count > 0 || bytes.isEmpty else { throw SystemError(code: ENOSPC, while: "appending") }
            state.contents[index].bytes += bytes.prefix(count)
            state.room -= count
            return count
        }
    }

    func write(_ bytes: [UInt8], at offset: Int64) throws(SystemError) {
        try disk.perform(.write) { state throws(SystemError) in
            let end = Int(offset) + bytes.count
            let growth = max(0, end - state.contents[index].bytes.count)
            guard growth <= state.room else { throw SystemError(code: ENOSPC, while: "writing") }
            state.room -= growth
            state.contents[index].bytes += [UInt8](repeating: 0, count: growth)
            state.contents[index].bytes.replaceSubrange(Int(offset)..<end, with: bytes)
        }
    }

    func read(_ count: Int, at offset: Int64) throws(SystemError) -> [UInt8] {
        try disk.perform(.read) { state throws(SystemError) in
            Array(state.contents[index].bytes.dropFirst(Int(offset)).prefix(count))
        }
    }

    func truncate(to size: Int64) throws(SystemError) {
        try disk.perform(.truncate) { state throws(SystemError) in
            let bytes = state.contents[index].bytes
            state.room += min(max(0, bytes.count - Int(size)), .max - state.room)
            state.contents[index].bytes = Array(bytes.prefix(Int(size)))
        }
    }

    func synchronize() throws(SystemError) {
        try disk.perform(.synchronize) { _ throws(SystemError) in }
    }

    func claim() -> Bool { true }

    var descriptorNumber: Int32? { nil }

    func facts() throws(SystemError) -> FileFacts {
        disk.state.withLock { state in
            FileFacts(
                size: Int64(state.contents[index].bytes.count), links: state.contents[index].links,
                modified: WallTime(nanoseconds: 0))
        }
    }
}

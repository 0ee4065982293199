internal import CLinux
internal import Glibc
internal import Platform

/// Keeps a second aircheck out of a data directory for as long as this one lives.
///
/// The kernel lets go of it when the process ends, however it ends.
final class DirectoryLock: Sendable {
    private let file: FileDescriptor

    private init(_ file: consuming FileDescriptor) { self.file = file }

    // A child that is being started may still hold a copy of the descriptor: closing ours would not let go.
    deinit { flock(file.number, LOCK_UN) }

    /// Takes `<path>.lock`, or says who has it.
    static func taken(beside path: String) throws(StoreError) -> DirectoryLock {
        let name = path + ".lock"
        let number = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard number >= 0 else {
            throw StoreError(.disk, path: path, detail: SystemError(while: "opening \(name)").description)
        }
        let file = FileDescriptor(owning: number)
        guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else {
            throw StoreError(.inUse(processID: owner(of: file)), path: path, detail: "")
        }
        note(getpid(), in: file)
        return DirectoryLock(file)
    }

    private static func owner(of file: borrowing FileDescriptor) -> Int32? {
        var digits = [UInt8](repeating: 0, count: 16)
        let count = pread(file.number, &digits, digits.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: digits[..<count].prefix { (0x30...0x39).contains($0) }, as: UTF8.self))
    }

    /// For people and for the message above; the lock itself is the kernel's.
    private static func note(_ process: Int32, in file: borrowing FileDescriptor) {
        let text = Array("\(process)\n".utf8)
        _ = ftruncate(file.number, 0)
        _ = pwrite(file.number, text, text.count, 0)
    }
}

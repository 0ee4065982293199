internal import CLinux
internal import Glibc

/// The running executable.
package enum Program {
    /// Its path, with links followed; nil where /proc is not there.
    package static var path: String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &buffer, buffer.count)
        guard length > 0 else { return nil }
        return String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Cores that this process may use.
    package static var cores: Int { Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// What the machine is called; nil where it has no name.
    package static var hostName: String? {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

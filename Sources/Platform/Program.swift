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

    /// Where another version may lie by now: `path` as it was at the start, without the kernel's remark that the file has
    /// gone.
    package static var installedPath: String? {
        path.map { $0.hasSuffix(" (deleted)") ? String($0.dropLast(" (deleted)".count)) : $0 }
    }

    /// The words it was started with, the program's name first.
    package static var arguments: [String] { CommandLine.arguments }

    /// Runs another program in this process: the number stays, every thread ends, open descriptors stay open as far as
    /// they say so. Returns only when that fails.
    package static func replace(
        with program: String, arguments: [String], environment: [String: String]
    ) -> SystemError {
        let words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        let variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
        execve(program, words, variables)
        let error = SystemError(while: "running \(program)")
        for text in words + variables { free(text) }
        return error
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

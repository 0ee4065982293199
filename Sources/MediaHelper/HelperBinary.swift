internal import CLinux
internal import Glibc
internal import Platform

/// Where the second executable is.
package enum HelperBinary {
    package static let name = "aircheck-media"
    /// Names its path where it is nowhere below.
    package static let variable = "AIRCHECK_MEDIA"
    private static let libexec = [
        "/usr/libexec/aircheck", "/usr/local/libexec/aircheck", "/usr/lib/aircheck",
    ]

    private static let chosen = Lock<String?>(nil)

    /// From now on it is this one (`paths.media_helper`) and no other; an empty path takes that back. Any thread.
    package static func choose(_ path: String) { chosen.withLock { $0 = path.isEmpty ? nil : path } }

    /// The first that can be run of: `AIRCHECK_MEDIA`, the chosen one; where neither is named, beside the running executable, the libexec folders.
    package static func find() throws(MediaError) -> String {
        let searched = candidates
        for path in searched where access(path, X_OK) == 0 { return path }
        throw .missing(searched: searched)
    }

    private static var candidates: [String] {
        var paths: [String] = []
        if let named = getenv(variable) { paths.append(String(cString: named)) }
        if let chosen = chosen.withLock({ $0 }) { return paths + [chosen] }
        if let folder = ownFolder {
            paths.append("\(folder)/\(name)")
            paths.append("\(folder)/../libexec/aircheck/\(name)")
        }
        return paths + libexec.map { "\($0)/\(name)" }
    }

    /// The folder of the running executable, without a slash at its end.
    private static var ownFolder: String? {
        let limit = Int(PATH_MAX)
        let path = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            buffer.withMemoryRebound(to: CChar.self) { text in
                guard let base = text.baseAddress else { return }
                count = max(readlink("/proc/self/exe", base, limit), 0)
            }
        }
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return String(decoding: path[..<slash], as: UTF8.self)
    }
}

internal import Glibc

/// The process's environment. Read on the main thread at start-up, before anything could change it.
package enum Environment {
    /// The value of a variable; nil where it is missing or empty.
    package static func value(_ name: String) -> String? {
        guard let text = getenv(name) else { return nil }
        let value = String(cString: text)
        return value.isEmpty ? nil : value
    }

    /// All variables.
    package static var all: [String: String] {
        var found: [String: String] = [:]
        var entry = aircheckEnvironment()
        while let text = entry?.pointee {
            let parts = String(cString: text).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { found[String(parts[0])] = String(parts[1]) }
            entry = entry?.advanced(by: 1)
        }
        return found
    }

    private static func aircheckEnvironment() -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
        environ
    }
}

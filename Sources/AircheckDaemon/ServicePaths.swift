internal import CLinux
internal import Glibc

/// Where the service keeps its things, by the XDG base directory rules (specifications.freedesktop.org/basedir-spec).
package enum ServicePaths {
    /// SQLite and the recordings: `$XDG_DATA_HOME/aircheck`.
    package static var data: String { base("XDG_DATA_HOME", home: ".local/share") + "/aircheck" }

    /// Settings and stations of this user: `$XDG_CONFIG_HOME/aircheck`.
    package static var configuration: String { base("XDG_CONFIG_HOME", home: ".config") + "/aircheck" }

    /// Where the control socket of a service of this user is made.
    package static var controlSocket: String { runtimeFolder + "/control.sock" }

    /// Sockets that a command tries, in this order: this user's service, then the machine's.
    package static var controlSocketCandidates: [String] {
        let own = controlSocket
        let system = "/run/aircheck/control.sock"
        return own == system ? [own] : [own, system]
    }

    /// `$XDG_RUNTIME_DIR/aircheck`; where there is none, a folder of the user's own under the temporary folder.
    private static var runtimeFolder: String {
        if let folder = variable("XDG_RUNTIME_DIR") { return folder + "/aircheck" }
        return getuid() == 0 ? "/run/aircheck" : "/tmp/aircheck-\(getuid())"
    }

    private static func base(_ name: String, home folder: String) -> String {
        if let value = variable(name), value.hasPrefix("/") { return value }
        return home + "/" + folder
    }

    private static var home: String {
        if let home = variable("HOME"), home.hasPrefix("/") { return home }
        guard let entry = getpwuid(getuid()), let folder = entry.pointee.pw_dir else { return "/" }
        return String(cString: folder)
    }

    private static func variable(_ name: String) -> String? {
        guard let text = getenv(name) else { return nil }
        let value = String(cString: text)
        return value.isEmpty ? nil : value
    }
}

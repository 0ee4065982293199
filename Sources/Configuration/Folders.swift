internal import CLinux
internal import Glibc
internal import Platform

/// Where things are kept on this machine: what the settings say, else what systemd gave, else the XDG rules.
///
/// Nothing is created here.
package struct Folders: Sendable {
    private let environment: [String: String]
    private let paths: Settings.Paths
    private let socket: String

    package init(_ settings: Settings = Settings(), environment: [String: String]) {
        self.environment = environment
        paths = settings.paths
        socket = settings.server.socket
    }

    /// The user's home, from `HOME` or the password file.
    package var home: String {
        if let home = environment["HOME"], home.hasPrefix("/") { return home }
        guard let entry = getpwuid(getuid()), let folder = entry.pointee.pw_dir else { return "/" }
        return String(cString: folder)
    }

    /// The database and its backups: `paths.data`, `$STATE_DIRECTORY`, `$XDG_DATA_HOME/aircheck`.
    package var data: String {
        chosen(paths.data) ?? systemd("STATE_DIRECTORY") ?? base("XDG_DATA_HOME", ".local/share")
            + "/aircheck"
    }

    /// What can be fetched again: `paths.cache`, `$CACHE_DIRECTORY`, `$XDG_CACHE_HOME/aircheck`.
    package var cache: String {
        chosen(paths.cache) ?? systemd("CACHE_DIRECTORY") ?? base("XDG_CACHE_HOME", ".cache") + "/aircheck"
    }

    /// `paths.recordings`; under systemd a folder in the state folder; else `aircheck` in the Music folder.
    package var recordings: String {
        chosen(paths.recordings) ?? systemd("STATE_DIRECTORY").map { $0 + "/recordings" } ?? music
            + "/aircheck"
    }

    /// `server.socket`, or `control.sock` in the runtime folder.
    package var controlSocket: String { chosen(socket) ?? runtime + "/control.sock" }

    /// Sockets that a command tries: the one that the settings name and no other, else this user's service, then the machine's.
    package var controlSocketCandidates: [String] {
        if let named = chosen(socket) { return [named] }
        let system = "/run/aircheck/control.sock"
        return controlSocket == system ? [system] : [controlSocket, system]
    }

    /// `$RUNTIME_DIRECTORY`, `$XDG_RUNTIME_DIR/aircheck`, `/run/aircheck` for root, else a folder of this user's alone.
    package var runtime: String {
        if let given = systemd("RUNTIME_DIRECTORY") { return given }
        if let folder = absolute("XDG_RUNTIME_DIR") { return folder + "/aircheck" }
        return getuid() == 0 ? "/run/aircheck" : "/tmp/aircheck-\(getuid())"
    }

    /// Folders that may hold `aircheck.toml`, the user's before the machine's.
    package var configurationFolders: [String] {
        [base("XDG_CONFIG_HOME", ".config") + "/aircheck", "/etc/aircheck"]
    }

    /// Folders of station files in the order they are read; of two stations with one id the later wins.
    ///
    /// What ships with aircheck (`../share/aircheck/stations` beside the program, `/usr/share/aircheck/stations`), the
    /// machine's (`/etc/aircheck/stations`), the user's (`$XDG_CONFIG_HOME/aircheck/stations`), `paths.stations`.
    /// - Parameter program: path of the running executable.
    package func stationFolders(program: String?) -> [String] {
        var folders: [String] = []
        if let program, let slash = program.lastIndex(of: "/") {
            folders.append(Self.tidy(program[..<slash] + "/../share/aircheck/stations"))
        }
        folders.append("/usr/share/aircheck/stations")
        folders += configurationFolders.reversed().map { $0 + "/stations" }
        folders += paths.stations.map(expanded)
        var seen: Set<String> = []
        return folders.filter { seen.insert($0).inserted }
    }

    /// Folders that may hold the page's files, best first: `paths.web` alone where it is set, else
    /// `../share/aircheck/web` beside the program, `/usr/share/aircheck/web`, and the source folder of a build.
    /// - Parameter program: path of the running executable.
    package func webFolders(program: String?) -> [String] {
        if let chosen = chosen(paths.web) { return [chosen] }
        var folders = ["/usr/share/aircheck/web"]
        if let program, let slash = program.lastIndex(of: "/") {
            let place = program[..<slash]
            folders.insert(Self.tidy(place + "/../share/aircheck/web"), at: 0)
            // .build/debug/aircheck and .build/PLATFORM/debug/aircheck
            folders += ["/../../web", "/../../../web"].map { Self.tidy(place + $0) }
        }
        return folders
    }

    // MARK: The rules

    /// The Music folder of `user-dirs.dirs`, else `~/Music`.
    private var music: String {
        let list = base("XDG_CONFIG_HOME", ".config") + "/user-dirs.dirs"
        let text = (try? Files.read(list, limit: 64 << 10)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        for line in text.split(separator: "\n") where line.hasPrefix("XDG_MUSIC_DIR=\"") {
            let value = line.dropFirst("XDG_MUSIC_DIR=\"".count).prefix { $0 != "\"" }
            if value.hasPrefix("$HOME/") { return home + value.dropFirst("$HOME".count) }
            if value.hasPrefix("/") { return String(value) }
        }
        return home + "/Music"
    }

    private func chosen(_ path: String) -> String? { path.isEmpty ? nil : expanded(path) }

    private func expanded(_ path: String) -> String {
        path.hasPrefix("~/") ? home + path.dropFirst() : path
    }

    /// systemd gives a list with colons; ours is the first.
    private func systemd(_ name: String) -> String? {
        absolute(name).map { String($0.prefix { $0 != ":" }) }
    }

    private func absolute(_ name: String) -> String? {
        guard let value = environment[name], value.hasPrefix("/") else { return nil }
        return value
    }

    /// The XDG rules: a variable that is not an absolute path counts as unset.
    private func base(_ name: String, _ fallback: String) -> String {
        absolute(name) ?? home + "/" + fallback
    }

    /// Takes `..` out of a path by its text.
    private static func tidy(_ path: some StringProtocol) -> String {
        var parts: [Substring] = []
        for part in String(path).split(separator: "/") {
            if part == ".." { _ = parts.popLast() } else if part != "." { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }
}

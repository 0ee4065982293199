internal import Platform
package import TOMLText

/// Where a setting's value came from; later ones win.
package enum SettingOrigin: Sendable, Hashable, CustomStringConvertible {
    case builtIn
    case file(String, line: Int)
    case environment(String)
    case flag

    package var description: String {
        switch self {
        case .builtIn: "default"
        case .file(let path, let line): "\(path):\(line)"
        case .environment(let name): name
        case .flag: "command line"
        }
    }
}

/// A configuration that was read without a complaint.
package struct LoadedSettings: Sendable {
    package var settings: Settings
    /// The files that were read, in order.
    package var files: [String]
    /// By setting name; what is missing is built in.
    package var origins: [String: SettingOrigin]

    package func origin(of setting: Setting) -> SettingOrigin { origins[setting.name] ?? .builtIn }

    /// Names of settings that differ from `other` and take a restart.
    package func needingRestart(since other: Settings) -> [String] {
        SettingTable.settings.filter { !$0.reloads && $0.show(settings) != $0.show(other) }.map(\.name)
    }
}

/// Everything that is wrong, at once. A service that gets this must not start.
package struct ConfigurationError: Error, Sendable, CustomStringConvertible {
    package var problems: [TOMLError]

    package var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// Reads the settings: built-in values, then files, then `AIRCHECK_SECTION_KEY`, then flags.
package struct ConfigurationLoader: Sendable {
    /// The environment, injected.
    package var environment: [String: String]
    /// A file is at most this long.
    private static let limit = 1 << 20

    package init(environment: [String: String]) { self.environment = environment }

    /// The files that are read when none is named: the first of `AIRCHECK_CONFIG`,
    /// `$XDG_CONFIG_HOME/aircheck/aircheck.toml` and `/etc/aircheck/aircheck.toml` that exists, then the `*.toml` of the
    /// folder `aircheck.d` beside it, in the order of their names. None at all is fine.
    package func files(named given: String? = nil) -> [String] {
        guard let main = given ?? found() else { return [] }
        let folder = String(main.lastIndex(of: "/").map { main[...$0] } ?? "") + "aircheck.d"
        let more = Files.names(in: folder).filter { $0.hasSuffix(".toml") && !$0.hasPrefix(".") }
        return [main] + more.map { folder + "/" + $0 }
    }

    private func found() -> String? {
        if let given = environment["AIRCHECK_CONFIG"], !given.isEmpty { return given }
        return Folders(environment: environment).configurationFolders.map { $0 + "/aircheck.toml" }
            .first(where: Files.exists)
    }

    /// Reads everything, and reports every problem it finds.
    /// - Parameters:
    ///   - file: a file named by the caller; it must be there.
    ///   - flags: `server.port` and its value as typed.
    package func load(
        file: String? = nil, flags: [(name: String, value: String)] = []
    ) throws(ConfigurationError) -> LoadedSettings {
        var reading = Reading()
        for path in files(named: file) { reading.take(file: path, limit: Self.limit) }
        for setting in SettingTable.settings {
            if let text = environment[setting.environmentName] {
                reading.take(setting, typed: text, origin: .environment(setting.environmentName))
            }
        }
        for flag in flags { reading.take(flag: flag.name, flag.value) }
        guard reading.problems.isEmpty else { throw ConfigurationError(problems: reading.problems) }
        return reading.loaded
    }
}

/// What has been read so far, and what was wrong with it.
private struct Reading {
    var loaded = LoadedSettings(settings: Settings(), files: [], origins: [:])
    var problems: [TOMLError] = []

    mutating func take(file path: String, limit: Int) {
        do {
            let document = try TOMLValue.parse(try Files.read(path, limit: limit), file: path)
            loaded.files.append(path)
            for section in document.entries ?? [] { take(section, of: path) }
        } catch let error as TOMLError {
            problems.append(error)
        } catch {
            problems.append(TOMLError(file: path, message: "cannot be read: \(error)"))
        }
    }

    private mutating func take(_ section: TOMLEntry, of path: String) {
        guard SettingTable.sections.contains(where: { $0.name == section.key }) else {
            let hint = Spelling.hint(for: section.key, among: SettingTable.sections.map(\.name)) { "[\($0)]" }
            add("there is no section [\(section.key)]\(hint)", path, section)
            return
        }
        guard let entries = section.value.entries else {
            add(
                "this is \(section.value.kind); write [\(section.key)] on a line and the settings below it",
                path, section)
            return
        }
        for entry in entries { take(entry, in: section.key, of: path) }
    }

    private mutating func take(_ entry: TOMLEntry, in section: String, of path: String) {
        let name = "\(section).\(entry.key)"
        guard let setting = SettingTable.settings.first(where: { $0.name == name }) else {
            problems.append(
                TOMLError(
                    file: path, position: entry.position, key: name, message: unknown(entry.key, in: section))
            )
            return
        }
        do throws(SettingRefusal) {
            try setting.read(entry.value, &loaded.settings)
            loaded.origins[name] = .file(path, line: entry.position.line)
        } catch {
            problems.append(
                TOMLError(file: path, position: entry.value.position, key: name, message: error.message))
        }
    }

    /// A key that stands in another section, or nearly the right one, is named.
    private func unknown(_ key: String, in section: String) -> String {
        if let other = SettingTable.settings.first(where: { $0.key == key }) {
            return "there is no such setting in [\(section)]; it belongs in [\(other.section)]"
        }
        let keys = SettingTable.settings(of: section).map(\.key)
        return "there is no such setting" + Spelling.hint(for: key, among: keys) { $0 }
    }

    mutating func take(flag name: String, _ text: String) {
        guard let setting = SettingTable.settings.first(where: { $0.name == name }) else {
            let hint = Spelling.hint(for: name, among: SettingTable.settings.map(\.name)) { $0 }
            problems.append(
                TOMLError(file: "command line", key: name, message: "there is no such setting\(hint)"))
            return
        }
        take(setting, typed: text, origin: .flag)
    }

    /// A value typed without TOML's quotes: `2472`, `30s`, `a,b`.
    mutating func take(_ setting: Setting, typed text: String, origin: SettingOrigin) {
        var refusal: SettingRefusal?
        for value in TypedValue.readings(of: text) {
            do throws(SettingRefusal) {
                try setting.read(value, &loaded.settings)
                loaded.origins[setting.name] = origin
                return
            } catch {
                refusal = refusal ?? error
            }
        }
        problems.append(
            TOMLError(
                file: origin.description, key: setting.name, message: refusal?.message ?? "there is no value")
        )
    }

    private mutating func add(_ message: String, _ path: String, _ entry: TOMLEntry) {
        problems.append(TOMLError(file: path, position: entry.position, message: message))
    }
}

/// What a text from the environment or the command line can mean, likeliest first.
private enum TypedValue {
    static func readings(of text: String) -> [TOMLValue] {
        let place = TOMLPosition(line: 1, column: 1)
        var readings: [TOMLValue] = []
        switch text {
        case "true", "yes", "on": readings.append(TOMLValue(.boolean(true), at: place))
        case "false", "no", "off": readings.append(TOMLValue(.boolean(false), at: place))
        default:
            if let whole = Int64(text), text.first?.isNumber == true {
                readings.append(TOMLValue(.integer(whole), at: place))
            }
        }
        readings.append(TOMLValue(.string(text), at: place))
        let items = text.split(separator: ",").map { TOMLValue(.string(String($0)), at: place) }
        readings.append(TOMLValue(.array(items), at: place))
        return readings
    }
}

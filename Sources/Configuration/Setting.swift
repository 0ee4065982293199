internal import TOMLText

/// One setting: where it stands in the file, what it is for, how it is read and written.
package struct Setting: Sendable {
    package let section: String
    package let key: String
    /// What it does, for people; one or two sentences.
    package let documentation: String
    /// `duration from 0s to 1h`.
    package let kind: String
    /// True where a running service takes a new value on reload; else it is read at start-up.
    package let reloads: Bool
    let read: @Sendable (TOMLValue, inout Settings) throws(SettingRefusal) -> Void
    /// The value in a configuration, as TOML.
    package let show: @Sendable (Settings) -> String

    init<Value>(
        _ section: String, _ key: String, _ path: any WritableKeyPath<Settings, Value> & Sendable,
        _ kind: SettingKind<Value>, reloads: Bool = false, _ documentation: String
    ) {
        self.section = section
        self.key = key
        self.documentation = documentation
        self.kind = kind.name
        self.reloads = reloads
        read = { value, configuration throws(SettingRefusal) in
            configuration[keyPath: path] = try kind.read(value)
        }
        show = { kind.show($0[keyPath: path]) }
    }

    /// `server.port`, as messages and flags write it.
    package var name: String { "\(section).\(key)" }

    /// `AIRCHECK_SERVER_PORT`.
    package var environmentName: String { "AIRCHECK_\(section)_\(key)".uppercased() }

    /// The default, as TOML.
    package var defaultText: String { show(Settings()) }
}

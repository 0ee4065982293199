package import Configuration
package import Recording

extension Recorder.Settings {
    /// A station's connection hands over what has come four times a second.
    private static let linger = 0.3

    /// What every recorder takes from the settings: how often it writes, and how it ends.
    package init(_ configuration: Configuration.Settings) {
        self.init()
        tickSeconds = configuration.recording.write.inSeconds
        syncSeconds = configuration.recording.sync.inSeconds
        lingerSeconds = Self.linger
    }
}

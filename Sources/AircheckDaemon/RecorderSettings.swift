package import Configuration
package import Recording

extension Recorder.Settings {
    /// What every recorder takes from the settings: how often it writes.
    package init(_ configuration: Configuration.Settings) {
        self.init()
        tickSeconds = configuration.recording.write.inSeconds
        syncSeconds = configuration.recording.sync.inSeconds
    }
}

import Foundation

/// A PulseAudio of the test's own with a null sink: what is played there can be listened to through its monitor.
package final class PulseServer: @unchecked Sendable {
    // Sendable because `program` is only replaced by `restart`, which one test calls from one thread.
    package static let sink = "test"

    /// For PULSE_SERVER.
    package let address: String
    private let folder: TemporaryFolder
    private let environment: [String: String]
    private var program: RunningProgram

    package init(in folder: TemporaryFolder) throws {
        self.folder = folder
        let runtime = try folder.folder("pulse", permissions: 0o700)
        address = "unix:\(runtime)/native"
        environment = ["HOME": runtime, "XDG_RUNTIME_DIR": runtime, "XDG_CONFIG_HOME": runtime]
        program = try Self.start(folder, runtime, environment)
    }

    /// Ends the server and starts another on the same socket: the device went away and came back.
    package func restart(afterSeconds pause: Double) throws {
        program.stop()
        Thread.sleep(forTimeInterval: pause)
        program = try Self.start(folder, folder.path("pulse"), environment)
    }

    /// Records what the sink plays: 44.1 kHz, 16 bit, stereo, little endian.
    package func listen(to file: String) throws -> RunningProgram {
        let recorder = try RunningProgram(
            "parec",
            [
                "-s", address, "-d", "\(Self.sink).monitor", "--format=s16le", "--rate=44100", "--channels=2",
                "--latency-msec=20", "--raw",
            ], in: folder, name: file, environment: environment)
        return recorder
    }

    private static func start(
        _ folder: TemporaryFolder, _ runtime: String, _ environment: [String: String]
    ) throws -> RunningProgram {
        try? FileManager.default.removeItem(atPath: runtime + "/native")
        let program = try RunningProgram(
            "pulseaudio",
            [
                "-n", "--daemonize=no", "--exit-idle-time=-1", "-L",
                "module-native-protocol-unix socket=\(runtime)/native auth-anonymous=1", "-L",
                "module-null-sink sink_name=\(sink) rate=44100",
            ], in: folder, environment: environment)
        guard eventually(within: 15, { FileManager.default.fileExists(atPath: runtime + "/native") }) else {
            throw StartFailure("pulseaudio did not start: \(program.errors)")
        }
        return program
    }
}

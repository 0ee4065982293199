import Foundation
import TestPrograms
import Testing

/// A session bus of a test's own, and playerctl on it, as a desktop's media keys would speak to the service.
struct DesktopBus {
    static var isInstalled: Bool { ["playerctl", "dbus-daemon"].allSatisfy(RunningProgram.isInstalled) }

    /// What the service and its remote controls must have in their environment.
    let environment: [String: String]
    private let folder: TemporaryFolder
    private let bus: RunningProgram

    init(in folder: TemporaryFolder) throws {
        let address = "unix:path=\(folder.path("bus"))"
        self.folder = folder
        environment = ["DBUS_SESSION_BUS_ADDRESS": address]
        bus = try RunningProgram(
            "dbus-daemon", ["--session", "--nofork", "--address=\(address)"], in: folder)
        #expect(eventually(within: 10) { FileManager.default.fileExists(atPath: folder.path("bus")) })
    }

    /// What playerctl prints, or how it failed.
    func playerctl(_ words: String...) throws -> String {
        let answer = try RunningProgram.run(
            "playerctl", ["-p", "aircheck"] + words, in: folder, environment: environment, within: 20)
        return answer.exitCode == 0 ? answer.output : "exit \(answer.exitCode ?? -1): \(answer.errors)"
    }

    func stop() { bus.stop() }
}

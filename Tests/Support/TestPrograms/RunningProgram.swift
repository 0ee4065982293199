import Foundation

/// A real program that a test has started, with its output in a file. It is ended when the test lets go of it.
package final class RunningProgram: @unchecked Sendable {
    // Sendable because Foundation's Process is only asked for its pid and state, and told to end, after it was started.
    private let process = Process()
    /// What it wrote on standard output and error, together or apart.
    package let outputPath: String
    package let errorPath: String

    /// Starts `program` (found in PATH, or an absolute path).
    /// - Parameters:
    ///   - asNobody: run as the user nobody; Icecast and VLC refuse root.
    ///   - input: kept open and empty when nil.
    package init(
        _ program: String, _ arguments: [String], in folder: TemporaryFolder, name: String? = nil,
        environment: [String: String] = [:], asNobody: Bool = false
    ) throws {
        let label = name ?? (program as NSString).lastPathComponent
        outputPath = folder.path(label + ".out")
        errorPath = folder.path(label + ".err")
        for path in [outputPath, errorPath] {
            _ = FileManager.default.createFile(atPath: path, contents: nil)
        }
        // Threads of a test block signals, and children inherit that: env takes it back. setpriv ends the program when
        // the test process dies, however it dies.
        let words =
            ["--default-signal", "setpriv", "--pdeathsig=TERM"]
            + (asNobody ? ["--reuid=nobody", "--regid=nogroup", "--clear-groups"] : [])
            + [program] + arguments
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle(forWritingAtPath: outputPath)
        process.standardError = FileHandle(forWritingAtPath: errorPath)
        try process.run()
    }

    deinit { stop() }

    package var pid: Int32 { process.processIdentifier }
    package var isRunning: Bool { process.isRunning }
    package var output: String { (try? String(contentsOfFile: outputPath, encoding: .utf8)) ?? "" }
    package var errors: String { (try? String(contentsOfFile: errorPath, encoding: .utf8)) ?? "" }

    /// Asks the program to end (SIGTERM) and waits; kills it after `patience` seconds.
    @discardableResult
    package func stop(signal: Int32 = SIGTERM, patience: Double = 10) -> Int32 {
        guard process.isRunning else { return process.terminationStatus }
        kill(pid, signal)
        if !wait(patience) {
            kill(pid, SIGKILL)
            process.waitUntilExit()
        }
        return process.terminationStatus
    }

    /// Waits until the program has ended by itself; false when it has not in time.
    @discardableResult
    package func wait(_ seconds: Double) -> Bool { eventually(within: seconds) { !process.isRunning } }

    /// The exit code, once it has ended.
    package var exitCode: Int32? { process.isRunning ? nil : process.terminationStatus }

    /// Runs a program to its end.
    package static func run(
        _ program: String, _ arguments: [String], in folder: TemporaryFolder,
        environment: [String: String] = [:],
        asNobody: Bool = false, within seconds: Double = 60
    ) throws -> (exitCode: Int32?, output: String, errors: String) {
        let name = (program as NSString).lastPathComponent + "-" + UUID().uuidString.prefix(8)
        let program = try RunningProgram(
            program, arguments, in: folder, name: name, environment: environment, asNobody: asNobody)
        program.wait(seconds)
        return (program.exitCode, program.output, program.errors)
    }

    /// Whether the machine has a program: the condition of a test that needs it.
    package static func isInstalled(_ program: String) -> Bool {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
    }
}

/// Looks again and again until something holds; false when it does not in time. Blocks.
@discardableResult
package func eventually(within seconds: Double, every pause: Double = 0.02, _ holds: () -> Bool) -> Bool {
    let deadline = Date(timeIntervalSinceNow: seconds)
    while !holds() {
        if Date() > deadline { return false }
        Thread.sleep(forTimeInterval: pause)
    }
    return true
}

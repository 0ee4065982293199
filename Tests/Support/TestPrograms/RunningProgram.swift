import Foundation
import Platform

/// A real program that a test has started, with its output in a file. It is ended when the test lets go of it.
///
/// Not through Foundation's Process: that learns of an end by a descriptor that the child inherits, and waits, on the
/// one thread it has for all children, for a program that closes what it inherited, as PulseAudio does.
package final class RunningProgram: @unchecked Sendable {
    // Sendable because `status` is only touched with `lock` held, and everything else never changes.
    package let pid: Int32
    private let lock = NSLock()
    private var status: Int32?
    /// What it wrote on standard output and error, together or apart.
    package let outputPath: String
    package let errorPath: String

    /// Starts `program` (found in PATH, or an absolute path).
    /// - Parameters:
    ///   - asNobody: run as the user nobody; Icecast and VLC refuse root.
    package init(
        _ program: String, _ arguments: [String], in folder: TemporaryFolder, name: String? = nil,
        environment: [String: String] = [:], asNobody: Bool = false
    ) throws {
        let label = name ?? (program as NSString).lastPathComponent
        outputPath = folder.path(label + ".out")
        errorPath = folder.path(label + ".err")
        // setpriv also ends the program when the test process dies, however it dies.
        let words =
            ["/usr/bin/setpriv", "--pdeathsig=TERM"]
            + (asNobody ? ["--reuid=nobody", "--regid=nogroup", "--clear-groups"] : []) + [program]
            + arguments
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { "\($0)=\($1)" }
        pid = try Self.spawn(words, variables, outputPath, errorPath)
    }

    private static func spawn(
        _ words: [String], _ variables: [String], _ output: String, _ errors: String
    ) throws -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        let environment: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var pid: pid_t = 0
        // Threads of a test block signals, and children would inherit that.
        let code = ChildAttributes.lend(ownGroup: false) {
            posix_spawn(&pid, words[0], &actions, $0, arguments, environment)
        }
        guard code == 0 else { throw StartFailure("\(words[0]): \(String(cString: strerror(code)))") }
        return pid
    }

    deinit { stop() }

    package var isRunning: Bool { reap() == nil }
    package var output: String { (try? String(contentsOfFile: outputPath, encoding: .utf8)) ?? "" }
    package var errors: String { (try? String(contentsOfFile: errorPath, encoding: .utf8)) ?? "" }

    /// How it ended, if it has: what it returned, or 128 and the signal.
    private func reap() -> Int32? {
        lock.withLock {
            var raw: Int32 = 0
            if status == nil, waitpid(pid, &raw, WNOHANG) == pid {
                status = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : 128 + (raw & 0x7F)
            }
            return status
        }
    }

    /// Asks the program to end (SIGTERM) and waits; kills it after `patience` seconds. Returns its exit code.
    @discardableResult
    package func stop(signal: Int32 = SIGTERM, patience: Double = 10) -> Int32 {
        if let status = reap() { return status }
        kill(pid, signal)
        if !wait(patience) {
            kill(pid, SIGKILL)
            wait(patience)
        }
        return reap() ?? -1
    }

    /// Waits until the program has ended by itself; false when it has not in time.
    @discardableResult
    package func wait(_ seconds: Double) -> Bool { eventually(within: seconds) { !isRunning } }

    /// The exit code, once it has ended.
    package var exitCode: Int32? { reap() }

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

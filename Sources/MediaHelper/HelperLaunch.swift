internal import CLinux
internal import Glibc
internal import Platform

/// How a helper is started: what it may see and what it is handed.
package struct HelperLaunch: Sendable {
    package enum Mode: String, Sendable {
        case play, work
        /// Says what sinks the sound server has, and leaves.
        case sinks
    }

    package var binary: String
    package var mode: Mode
    /// Descriptors that it gets, in this order, as numbers 4, 5, …; they stay the caller's.
    package var descriptors: [Int32]
    /// Whether its last words may go to our standard error; a terminal player says no.
    package var showsErrors: Bool

    package init(binary: String, mode: Mode, descriptors: [Int32] = [], showsErrors: Bool = true) {
        self.binary = binary
        self.mode = mode
        self.descriptors = descriptors
        self.showsErrors = showsErrors
    }

    /// The number under which the helper finds its socket; handed descriptors follow.
    package static let socketNumber: Int32 = 3

    /// Variables that the helper may see: how to reach the sound server, and the machine's own. No secrets.
    private static let visible = [
        "PULSE_SERVER", "PULSE_SINK", "PULSE_COOKIE", "PULSE_RUNTIME_PATH", "PULSE_STATE_PATH",
        "PULSE_CLIENTCONFIG",
        "PIPEWIRE_RUNTIME_DIR", "PIPEWIRE_REMOTE", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "HOME", "PATH", "TZ",
        "LANG",
        "LC_ALL", "LD_LIBRARY_PATH", "SWIFT_BACKTRACE", "ASAN_OPTIONS", "TSAN_OPTIONS",
    ]

    /// Starts it. The thread that calls must outlive a player: the kernel ends the helper with the thread.
    package func start() throws(MediaError) -> ChildProcess {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0
        else {
            throw .cannotStart(SystemError(while: "making its socket").description)
        }
        let ours = FileDescriptor(owning: ends[0])
        let theirs = FileDescriptor(owning: ends[1])
        let pid = try spawn([theirs.number] + descriptors)
        _ = fcntl(ours.number, F_SETFL, O_NONBLOCK)
        return ChildProcess(pid: pid, socket: ours)
    }

    private func spawn(_ handed: [Int32]) throws(MediaError) -> pid_t {
        // Copies far above the numbers they will get, so that no dup2 overwrites one that is still to be copied.
        let copies = handed.map { fcntl($0, F_DUPFD_CLOEXEC, 64) }
        defer { for copy in copies where copy >= 0 { close(copy) } }
        guard !copies.contains(where: { $0 < 0 }) else {
            throw .cannotStart("a descriptor to hand over is not open")
        }

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        if !showsErrors { posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) }
        for (index, copy) in copies.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, copy, Self.socketNumber + Int32(index))
        }
        return try run(&actions, handed: handed.count)
    }

    private func run(_ actions: inout posix_spawn_file_actions_t, handed: Int) throws(MediaError) -> pid_t {
        var pid: pid_t = 0
        let arguments = [binary, mode.rawValue, "--descriptors", String(handed)]
        let code = withCStrings(arguments) { argv in
            withCStrings(Self.environment) { envp in
                ChildAttributes.lend(ownGroup: true) { posix_spawn(&pid, binary, &actions, $0, argv, envp) }
            }
        }
        guard code == 0 else { throw .cannotStart(SystemError(code: code, while: binary).description) }
        return pid
    }

    private static var environment: [String] {
        visible.compactMap { name in getenv(name).map { "\(name)=\(String(cString: $0))" } }
    }
}

/// Lends a null-terminated array of C strings.
private func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    let copies: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return copies.withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { preconditionFailure("the array holds at least its nil") }
        return body(base)
    }
}

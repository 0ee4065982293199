internal import CLinux
internal import Glibc
internal import Platform

/// A program that the owner wants run when something has happened. Never through a shell: a title is a value in its
/// environment and on its standard input, and never a word of a command.
package struct Hook: Sendable, Hashable {
    /// The program, by its path or found in PATH, and its arguments as they are.
    package var command: [String]
    /// After so long it is ended.
    package var timeoutSeconds: Double

    package init(command: [String], timeoutSeconds: Double = 600) {
        self.command = command
        self.timeoutSeconds = timeoutSeconds
    }

    private static let inherited: [String] = ["PATH", "HOME", "LANG", "TZ"]

    /// What a hook finds in its environment, beside PATH and HOME. `docs/recordings.md` lists it.
    /// - Parameter track: the one that the event is about.
    package static func environment(
        _ event: String, _ facts: RecordingFacts, track: RecordedTrack? = nil
    ) -> [(name: String, value: String)] {
        let text = track?.text ?? facts.titles.last?.text
        let file = track.map { facts.path(of: $0) } ?? facts.path ?? ""
        return [
            ("AIRCHECK_EVENT", event), ("AIRCHECK_ID", facts.id.text),
            ("AIRCHECK_STATE", facts.state.rawValue),
            ("AIRCHECK_STATION", facts.stationID), ("AIRCHECK_STATION_NAME", facts.stationName),
            ("AIRCHECK_SHOW", facts.show ?? ""), ("AIRCHECK_FILE", file),
            ("AIRCHECK_SECONDS", "\(track.map { $0.end - $0.start } ?? facts.audioSeconds)"),
            ("AIRCHECK_BYTES", "\(facts.bytes)"), ("AIRCHECK_ARTIST", text?.artist ?? ""),
            ("AIRCHECK_TITLE", text.map { $0.title ?? $0.text } ?? ""),
            ("AIRCHECK_STARTED", WallStamp.text(facts.started)),
            ("AIRCHECK_ENDED", WallStamp.text(facts.ended)),
        ]
    }

    /// Runs the program with the sidecar's JSON on its standard input and waits for its end. Blocks.
    /// - Parameters:
    ///   - track: the one that the event is about.
    ///   - waits: asked again and again; once it says no the program is left to itself.
    /// - Returns: its exit code; nil where it could not be started, was ended, or was left.
    @discardableResult
    package func run(
        _ event: String, _ facts: RecordingFacts, track: RecordedTrack? = nil, waits: () -> Bool = { true }
    ) -> Int32? {
        guard let program = command.first else { return nil }
        let input = aircheck_memfd("hook")
        guard input >= 0 else { return nil }
        let stdin = FileDescriptor(owning: input)
        let text = Array(Sidecar.json(facts).text().utf8)
        text.withUnsafeBytes { _ = pwrite(stdin.number, $0.baseAddress, $0.count, 0) }
        guard let child = spawn(program, Self.environment(event, facts, track: track), stdin: stdin.number)
        else {
            Log.warning("recording", "a hook could not be started", ["program": program])
            return nil
        }
        return wait(for: child, program, waits)
    }

    private func spawn(_ program: String, _ own: [(name: String, value: String)], stdin: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, stdin, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        var environment = Self.inherited.compactMap { name in
            getenv(name).map { "\(name)=\(String(cString: $0))" }
        }
        environment += own.map { "\($0.name)=\($0.value)" }
        let words = Self.strings(command)
        let values = Self.strings(environment)
        defer { for text in words + values { free(text) } }
        return spawn(program, &actions, words, values)
    }

    private func spawn(
        _ program: String, _ actions: inout posix_spawn_file_actions_t,
        _ words: [UnsafeMutablePointer<CChar>?],
        _ values: [UnsafeMutablePointer<CChar>?]
    ) -> pid_t? {
        var child = pid_t()
        // Its children end with it.
        let code = ChildAttributes.lend(ownGroup: true) {
            posix_spawnp(&child, program, &actions, $0, words, values)
        }
        return code == 0 ? child : nil
    }

    /// Copies for C, ended by a null pointer. A zero byte would end a text early, so none is let in.
    private static func strings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup(String($0.unicodeScalars.filter { $0.value != 0 }.map(Character.init))) } + [nil]
    }

    private func wait(for child: pid_t, _ program: String, _ waits: () -> Bool) -> Int32? {
        var status: Int32 = 0
        let end = SystemTime().now.advanced(bySeconds: timeoutSeconds)
        while waitpid(child, &status, WNOHANG) == 0 {
            guard waits() else { return nil }
            if SystemTime().now > end {
                Log.warning("recording", "a hook took too long and was ended", ["program": program])
                kill(-child, SIGKILL)
                waitpid(child, &status, 0)
                return nil
            }
            Pause.seconds(0.02)
        }
        let hasExited = status & 0x7F == 0
        return hasExited ? status >> 8 & 0xFF : nil
    }
}

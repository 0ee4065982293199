import Foundation
import Glibc
import Platform
import TestPrograms
import Testing

@testable import Recording

@Suite("Hooks and signals", .serialized)
struct HookSignalTests {
    private func facts() throws -> RecordingFacts {
        let rig = try RecordingRig()
        rig.run(ticks: 2)
        rig.end()
        return rig.facts
    }

    /// Runs `body` with the signals of a service: those that it waits for are blocked, SIGPIPE is ignored.
    private func asService<Result>(_ body: () throws -> Result) rethrows -> Result {
        var (waited, before) = (sigset_t(), sigset_t())
        sigemptyset(&waited)
        for signal in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&waited, signal) }
        pthread_sigmask(SIG_BLOCK, &waited, &before)
        let pipe = signal(SIGPIPE, SIG_IGN)
        defer {
            pthread_sigmask(SIG_SETMASK, &before, nil)
            signal(SIGPIPE, pipe)
        }
        return try body()
    }

    @Test(
        "a hook hears the signals that the service waits for by itself",
        arguments: ["TERM", "INT", "HUP", "PIPE"])
    func signals(name: String) throws {
        let facts = try facts()
        let hook = Hook(command: ["sh", "-c", "sh -c 'kill -\(name) $$; exit 3'; test $? -gt 128"])
        #expect(asService { hook.run("finished", facts) } == 0)
    }

    @Test("a hook begins with no signal blocked")
    func mask() throws {
        // Without a shell between: some shells unblock what they inherit.
        let hook = Hook(command: ["grep", "-q", "^SigBlk:[[:space:]]*0*$", "/proc/self/status"])
        let facts = try facts()
        #expect(asService { hook.run("finished", facts) } == 0)
    }

    @Test("one that takes too long ends with all that it has begun")
    func group() throws {
        let folder = try TemporaryFolder("hook")
        let script = "sleep 60 & echo $! > \(folder.path("pid")); wait"
        let hook = Hook(command: ["sh", "-c", script], timeoutSeconds: 3)
        #expect(hook.run("finished", try facts()) == nil)
        let text = try String(contentsOfFile: folder.path("pid"), encoding: .utf8)
        let child = try #require(pid_t(text.filter(\.isNumber)))
        #expect(eventually(within: 5) { !isRunning(child) })
        if isRunning(child) { kill(child, SIGKILL) }
    }

    private func isRunning(_ process: pid_t) -> Bool {
        guard let facts = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else {
            return false
        }
        return !facts.contains(") Z ")
    }
}

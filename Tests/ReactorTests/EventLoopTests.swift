import CLinux
import Glibc
import Platform
@testable import Reactor
import TestClients
import Testing

/// What several threads report, waited for with a deadline.
final class Reports<Report: Sendable>: Sendable {
    private let all = Lock<[Report]>([])

    func add(_ report: Report) { all.withLock { $0.append(report) } }

    var values: [Report] { all.withLock { $0 } }

    /// Waits until there are so many, at most five seconds.
    func wait(for count: Int) async -> [Report] {
        for _ in 0..<5000 where values.count < count { try? await Task.sleep(for: .milliseconds(1)) }
        return values
    }
}

@Suite("Event loop")
struct EventLoopTests {
    @Test("runs jobs on its own thread, in the order they were submitted")
    func jobs() async throws {
        let loop = try EventLoop(name: "test")
        defer { loop.stop() }
        let reports = Reports<(Int, Bool)>()
        for number in 0..<1000 { loop.submit { reports.add((number, loop.isCurrent)) } }
        let all = await reports.wait(for: 1000)
        #expect(all.map(\.0) == Array(0..<1000) && all.allSatisfy(\.1))
        #expect(!loop.isCurrent)
    }

    @Test("loses no job of several threads that submit at once")
    func manyThreads() async throws {
        let loop = try EventLoop(name: "test")
        defer { loop.stop() }
        let reports = Reports<Int>()
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask { for job in 0..<500 { loop.submit { reports.add(task * 500 + job) } } }
            }
        }
        #expect(Set(await reports.wait(for: 4000)).count == 4000)
    }

    @Test("runs a job submitted by a job, without the bell")
    func nestedJobs() async throws {
        let loop = try EventLoop(name: "test")
        defer { loop.stop() }
        let reports = Reports<Int>()
        loop.submit {
            loop.submit {
                loop.submit { reports.add(3) }; reports.add(2)
            }; reports.add(1)
        }
        #expect(await reports.wait(for: 3) == [1, 2, 3])
    }

    @Test(
        "fires timers in the order of their deadlines, repeats those that repeat, and never those cancelled")
    func timers() async throws {
        let loop = try EventLoop(name: "test")
        defer { loop.stop() }
        let reports = Reports<String>()
        let repeating = Lock<LoopTimer?>(nil)
        // In one job: the loop fires none before it knows of all.
        loop.submit {
            loop.after(0.06) { reports.add("late") }
            loop.after(0.02) { reports.add("soon") }
            loop.after(0.03) { reports.add("never") }.cancel()
            let ticks = loop.every(0.025) { reports.add("tick") }
            repeating.withLock { $0 = ticks }
        }
        let all = await reports.wait(for: 5)
        repeating.withLock { $0 }?.cancel()
        #expect(all.filter { $0 != "tick" } == ["soon", "late"] && all.filter { $0 == "tick" }.count >= 3)
    }

    @Test("a timer is never early")
    func punctuality() async throws {
        let loop = try EventLoop(name: "test")
        defer { loop.stop() }
        let clock = SystemTime()
        let reports = Reports<Double>()
        for seconds in [0, 0.0005, 0.0101, 0.02] {
            let start = clock.now
            loop.after(seconds) { reports.add(clock.now.seconds(since: start) - seconds) }
        }
        #expect(await reports.wait(for: 4).allSatisfy { $0 >= 0 })
    }

    @Test("stops from any thread after the jobs before, and lets later ones go")
    func stopping() throws {
        let loop = try EventLoop(name: "test")
        let reports = Reports<Int>()
        loop.submit { reports.add(1) }
        loop.stop()
        loop.submit { reports.add(2) }
        loop.stop()
        #expect(reports.values == [1])
        let other = try EventLoop(name: "test")
        other.submit { other.stop() }
        other.stop()
    }

    @Test("a group gives its loops in turn")
    func group() throws {
        let group = try LoopGroup(count: 3, name: "test")
        defer { group.stop() }
        let first = (0..<6).map { _ in group.next().name }
        #expect(first == ["test-0", "test-1", "test-2", "test-0", "test-1", "test-2"])
    }
}

/// Watches pipes and does as it is told.
private final class PipeWatcher: EventHandler, @unchecked Sendable {
    // Sendable because it is touched on the loop's thread only.
    let action: (PipeWatcher, IOEvents, UInt64) -> Void
    var tokens: [WatchToken] = []

    init(_ action: @escaping (PipeWatcher, IOEvents, UInt64) -> Void) { self.action = action }

    func ready(_ events: IOEvents, tag: UInt64) { action(self, events, tag) }
}

@Suite("Watching")
struct WatchingTests {
    private func makePipe() -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        #expect(aircheck_pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    @Test("tells one handler about many descriptors by their tags")
    func tags() async throws {
        let loop = try EventLoop(name: "test")
        let pipes = (0..<100).map { _ in makePipe() }
        defer { for pipe in pipes { close(pipe.read); close(pipe.write) } }
        defer { loop.stop() }
        let reports = Reports<UInt64>()
        let watcher = PipeWatcher { watcher, _, tag in
            reports.add(tag)
            loop.unwatch(watcher.tokens[Int(tag)])
        }
        loop.submit {
            for (index, pipe) in pipes.enumerated() {
                if let token = try? loop.watch(
                    pipe.read, for: .readable, handler: watcher, tag: UInt64(index))
                {
                    watcher.tokens.append(token)
                }
            }
            for pipe in pipes { write(pipe.write, "x", 1) }
        }
        #expect(Set(await reports.wait(for: 100)) == Set(0..<100))
    }

    @Test("an event in the same batch as its unwatch is not told, even when the slot is used again")
    func staleEvents() async throws {
        let loop = try EventLoop(name: "test")
        let (first, second) = (makePipe(), makePipe())
        let reports = Reports<UInt64>()
        let watcher = PipeWatcher { watcher, _, tag in
            reports.add(tag)
            // Whoever is told first removes both; the other's event is in the same batch and must not arrive.
            for token in watcher.tokens { loop.unwatch(token) }
            watcher.tokens = []
            _ = try? loop.watch(first.write, for: .readable, handler: watcher, tag: 99)
        }
        loop.submit {
            write(first.write, "x", 1)
            write(second.write, "x", 1)
            for (tag, pipe) in [(UInt64(1), first), (2, second)] {
                if let token = try? loop.watch(pipe.read, for: .readable, handler: watcher, tag: tag) {
                    watcher.tokens.append(token)
                }
            }
        }
        _ = await reports.wait(for: 1)
        let done = Reports<Int>()
        loop.submit { done.add(loop.watchCount) }
        #expect(await done.wait(for: 1) == [1])
        loop.stop()
        #expect(reports.values.count == 1)
        for end in [first.read, first.write, second.read, second.write] { close(end) }
    }

    @Test("a descriptor that cannot be watched is refused and leaves nothing behind")
    func unwatchable() async throws {
        let loop = try EventLoop(name: "test")
        defer { loop.stop() }
        let file = open("/etc/hostname", O_RDONLY)
        defer { close(file) }
        let reports = Reports<Int>()
        loop.submit {
            let watcher = PipeWatcher { _, _, _ in }
            if (try? loop.watch(file, for: .readable, handler: watcher)) == nil {
                reports.add(loop.watchCount)
            }
        }
        #expect(await reports.wait(for: 1) == [0])
    }
}

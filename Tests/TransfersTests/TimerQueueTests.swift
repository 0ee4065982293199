import Platform
import Testing

@testable import Transfers

@Suite("Timers")
struct TimerQueueTests {
    private func at(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds * 1e9)) }

    @Test("jobs come in the order of their time, then of being asked for, and cancelled ones never")
    func order() {
        var queue = TimerQueue()
        var ran: [String] = []
        _ = queue.add(at: at(3)) { ran.append("c") }
        _ = queue.add(at: at(1)) { ran.append("a") }
        let cancelled = queue.add(at: at(2)) { ran.append("never") }
        _ = queue.add(at: at(1)) { ran.append("b") }
        queue.cancel(cancelled)
        queue.cancel(cancelled)
        #expect(queue.nextDue == at(1))
        while let job = queue.popDue(by: at(2)) { job() }
        #expect(ran == ["a", "b"])
        #expect(queue.nextDue == at(3))
        while let job = queue.popDue(by: at(9)) { job() }
        #expect(ran == ["a", "b", "c"])
        #expect(queue.nextDue == nil)
    }
}

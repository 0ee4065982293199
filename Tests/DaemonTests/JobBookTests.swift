import ControlAPI
import Foundation
import JSONText
import Platform
import TestPrograms
import Testing

@testable import AircheckDaemon

@Suite("Jobs", .serialized)
struct JobBookTests {
    @Test("one may wait for a job; whoever comes second hears at once how it stands")
    func waiters() throws {
        let book = JobBook(events: EventHub())
        let (go, waited) = (Semaphore(), Lock<JobBook.Job?>(nil))
        let job = try book.start("verify", recording: nil) { _ in
            go.wait()
            return "fine"
        }
        let first = WorkerThread(name: "first") {
            // The place may be taken for a moment, below.
            var seen = book.wait(for: job.id, seconds: 30)
            while seen?.isOver == false {
                Thread.sleep(forTimeInterval: 0.02)
                seen = book.wait(for: job.id, seconds: 30)
            }
            waited.withLock { $0 = seen }
        }
        // Until the first one waits: then a second is not kept.
        var second: JobBook.Job?
        let isAnswered = eventually(within: 10) {
            let start = SystemTime().now
            second = book.wait(for: job.id, seconds: 0.3)
            return SystemTime().now.seconds(since: start) < 0.2 && second?.state == .running
        }
        #expect(isAnswered, "\(String(describing: second))")
        #expect(waited.withLock { $0 } == nil, "the first one waits")
        go.signal()
        first.join()
        #expect(waited.withLock { $0 }?.state == .done && waited.withLock { $0 }?.result == "fine")
        #expect(book.wait(for: job.id, seconds: 30)?.state == .done, "the place is free again")
        book.stop()
    }

    @Test("nobody waits longer than was asked for, and for a job that nobody knows not at all")
    func patience() throws {
        let book = JobBook(events: EventHub())
        let go = Semaphore()
        let job = try book.start("verify", recording: nil) { _ in
            go.wait()
            return .null
        }
        let start = SystemTime().now
        #expect(book.wait(for: job.id, seconds: 0.3)?.isOver == false)
        #expect(book.wait(for: "nobody", seconds: 30) == nil)
        #expect(SystemTime().now.seconds(since: start) < 5)
        go.signal()
        book.stop()
    }
}

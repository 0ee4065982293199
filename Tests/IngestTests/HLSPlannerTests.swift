import Platform
@testable import StreamFormats
import Testing

@testable import Ingest

private func at(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds * 1e9)) }

/// A list of five-second segments `prefixN.ts`.
private func list(
    _ range: ClosedRange<Int>, prefix: String = "http://h/s", query: String = "", ended: Bool = false
)
    -> HLSMedia
{
    var media = HLSMedia()
    media.targetDuration = .seconds(5)
    media.sequence = range.lowerBound
    media.isEnded = ended
    media.segments = range.map { number in
        HLSMedia.Segment(
            url: "\(prefix)\(number).ts\(query)", sequence: number, duration: .seconds(5),
            isDiscontinuity: false,
            discontinuitySequence: 0, isGap: false)
    }
    return media
}

private func drain(_ planner: inout HLSPlanner) -> (fetched: [Int], missed: Double) {
    var found: (fetched: [Int], missed: Double) = ([], 0)
    while let item = planner.next() {
        switch item {
        case .fetch(let segment): found.fetched.append(segment.sequence)
        case .missed(let seconds): found.missed += seconds
        }
    }
    return found
}

@Suite("HLS planner")
struct HLSPlannerTests {
    @Test("a live list is joined three target durations before its end, a finished one at its beginning")
    func start() {
        var live = HLSPlanner()
        live.take(list(1...10), now: at(0))
        #expect(drain(&live).fetched == [8, 9, 10])
        #expect(!live.isEnded)
        var finished = HLSPlanner()
        finished.take(list(1...10, ended: true), now: at(0))
        #expect(drain(&finished).fetched == Array(1...10))
        #expect(finished.isEnded)
        var short = HLSPlanner()
        short.take(list(1...2), now: at(0))
        #expect(drain(&short).fetched == [1, 2])
    }

    @Test("new segments are fetched once, and the next look comes sooner when there was none")
    func goingOn() {
        var planner = HLSPlanner()
        planner.take(list(1...3), now: at(0))
        _ = drain(&planner)
        #expect(planner.reloadDelay == 5)
        planner.take(list(1...3, query: "?token=2"), now: at(5))
        #expect(drain(&planner).fetched.isEmpty)
        #expect(planner.reloadDelay == 2.5)
        planner.take(list(3...5), now: at(8))
        #expect(drain(&planner).fetched == [4, 5])
    }

    @Test("a window that has moved past us goes on with what is there, and what is missing is counted")
    func slidWindow() {
        var planner = HLSPlanner()
        planner.take(list(298...300), now: at(0))
        _ = drain(&planner)
        planner.take(list(318...323), now: at(90))
        let (fetched, missed) = drain(&planner)
        #expect(fetched == Array(318...323))
        #expect(missed == 85)
    }

    @Test("a jump of the numbers alone costs no more than the time that has gone by")
    func jumpOfNumbers() {
        var planner = HLSPlanner()
        planner.take(list(1...3), now: at(0))
        _ = drain(&planner)
        planner.take(list(1_700_000_000...1_700_000_002), now: at(5))
        let (fetched, missed) = drain(&planner)
        #expect(fetched.count == 3)
        #expect(missed == 5)
    }

    @Test("a list from a cache that lags is waited for")
    func staleCache() {
        var planner = HLSPlanner()
        planner.take(list(1...9), now: at(0))
        _ = drain(&planner)
        for time in [3.0, 6, 9] {
            planner.take(list(1...6), now: at(time))
            #expect(drain(&planner).fetched.isEmpty)
        }
        planner.take(list(5...10), now: at(12))
        #expect(drain(&planner).fetched == [10])
    }

    @Test("a server that counts anew is followed when it has said so twice")
    func restart() {
        var planner = HLSPlanner()
        planner.take(list(300...309), now: at(0))
        _ = drain(&planner)
        planner.take(list(0...2), now: at(5))
        #expect(drain(&planner).fetched.isEmpty)
        planner.take(list(0...3), now: at(8))
        #expect(drain(&planner).fetched == [1, 2, 3])
    }

    @Test("the same numbers with other addresses are another stream")
    func restartInPlace() {
        var planner = HLSPlanner()
        planner.take(list(1...5), now: at(0))
        _ = drain(&planner)
        planner.take(list(2...6, prefix: "http://h/new"), now: at(5))
        #expect(drain(&planner).fetched == [4, 5, 6])
    }

    @Test("a restart with the same names is followed after three target durations")
    func restartWithSameNames() {
        var planner = HLSPlanner()
        planner.take(list(0...9), now: at(0))
        _ = drain(&planner)
        planner.take(list(0...2), now: at(5))
        planner.take(list(0...3), now: at(10))
        #expect(drain(&planner).fetched.isEmpty)
        planner.take(list(0...5), now: at(21))
        #expect(drain(&planner).fetched == [3, 4, 5])
    }

    @Test("a list that does not grow is a stall after three target durations; an end is none")
    func stall() {
        var planner = HLSPlanner()
        planner.take(list(1...3), now: at(0))
        _ = drain(&planner)
        planner.take(list(1...3), now: at(14))
        #expect(!planner.isStalled(at: at(14.9)))
        #expect(planner.isStalled(at: at(15)))
        planner.take(list(1...3, ended: true), now: at(15))
        #expect(!planner.isStalled(at: at(99)))
    }

    @Test("a segment that the server marks as missing is not asked for")
    func gapTag() {
        var media = list(1...3)
        media.segments[1].isGap = true
        var planner = HLSPlanner()
        planner.take(media, now: at(0))
        let (fetched, missed) = drain(&planner)
        #expect(fetched == [1, 3])
        #expect(missed == 5)
    }
}

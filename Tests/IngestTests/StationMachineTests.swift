import Feed
import Platform
import Testing
import Transfers

@testable import Ingest

/// A machine with hands: a clock that is moved, and no chance.
private struct Desk {
    var machine: StationMachine
    var time = 0.0
    /// Connections that were opened, in order.
    var opened: [(id: Int, url: String)] = []
    var closed: [Int] = []

    init(_ urls: [String] = ["http://a.example/"]) {
        let roots = urls.compactMap { try? URLText($0) }.map { Candidate($0, addresses: .publicOnly) }
        machine = StationMachine(roots: roots, chance: { 0.5 })
    }

    var now: MonotonicTime { MonotonicTime(nanoseconds: Int64((time * 1e9).rounded())) }
    var state: FeedStatus.State { machine.state(at: now) }
    var lastID: Int { opened.last?.id ?? 0 }

    private mutating func note(_ actions: [StationMachine.Action]) {
        for action in actions {
            switch action {
            case .open(let id, let candidate): opened.append((id, candidate.url.text))
            case .close(let id), .giveUp(let id): closed.append(id)
            }
        }
    }

    mutating func want() { note(machine.want(at: now)) }
    mutating func unwant() { note(machine.unwant()) }
    mutating func hurry() { note(machine.hurry(at: now)) }
    mutating func resume() { note(machine.resume(at: now)) }
    mutating func audio(_ id: Int, seconds: Double = 0.25) {
        note(machine.audio(id, seconds: seconds, at: now))
    }
    mutating func fail(_ id: Int, _ kind: Fault.Kind = .network, _ cause: Gap.Cause = .refused) {
        note(machine.ended(id, Fault(kind, cause, "fault"), at: now))
    }

    mutating func connect(_ id: Int) {
        guard let candidate = machine.trial?.candidate else { return }
        machine.connected(id, finally: candidate, at: now)
    }

    mutating func list(_ id: Int, _ urls: [String]) {
        note(
            machine.opened(
                id, entries: urls.compactMap { try? URLText($0) }, addresses: .publicOnly, redirects: 0,
                at: now))
    }

    /// Moves time on, ticking whenever the machine asks for it.
    mutating func pass(_ seconds: Double) {
        let end = time + seconds
        while let due = machine.deadline, Double(due.nanoseconds) / 1e9 <= end {
            time = max(time, Double(due.nanoseconds) / 1e9)
            note(machine.tick(at: now))
        }
        time = end
        note(machine.tick(at: now))
    }

    /// Audio for so many seconds, four times a second.
    mutating func play(_ id: Int, _ seconds: Double) {
        for _ in 0..<Int(seconds * 4) {
            time += 0.25
            audio(id)
        }
    }

    /// Opens, connects and plays.
    static func playing(_ urls: [String] = ["http://a.example/"]) -> Desk {
        var desk = Desk(urls)
        desk.want()
        desk.connect(1)
        desk.play(1, 10)
        return desk
    }
}

@Suite("Station machine")
struct StationMachineTests {
    @Test("a station is connected when wanted, and left when not")
    func wanting() {
        var desk = Desk()
        #expect(desk.state == .idle)
        desk.want()
        #expect(desk.opened.map(\.url) == ["http://a.example/"])
        #expect(desk.state == .connecting)
        desk.connect(1)
        desk.play(1, 1)
        #expect(desk.state == .live)
        desk.unwant()
        #expect(desk.closed == [1])
        #expect(desk.state == .idle)
        #expect(desk.machine.deadline == nil)
    }

    @Test("tries come now, after 0.5, 1 and 2 s, then at most every 30 s, and never end")
    func backOff() {
        var desk = Desk()
        desk.want()
        var times: [Double] = []
        for _ in 0..<12 {
            times.append(desk.time)
            desk.fail(desk.lastID)
            #expect(desk.state == .waiting)
            let before = desk.opened.count
            while desk.opened.count == before { desk.pass(0.25) }
        }
        let waits = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(waits.prefix(5) == [0.5, 1, 2, 4, 8])
        #expect(waits.suffix(3) == [30, 30, 30])
    }

    @Test("the longest wait is a setting, for longer and for shorter")
    func longestWait() {
        for longest in [3.0, 600] {
            var backOff = BackOff(longest: longest)
            let waits = (0..<20).map { _ in
                backOff.wait(after: .network, sinceAudio: .infinity, chance: 0.5) ?? 0
            }
            #expect(waits.max() == longest)
        }
    }

    @Test("soon after audio no wait is longer than the eager one")
    func eager() {
        var desk = Desk.playing()
        desk.fail(1, .network, .closed)
        let lost = desk.time
        #expect(desk.opened.count == 2)
        var longest = 0.0
        var last = desk.time
        while desk.time - lost < 55 {
            desk.fail(desk.lastID)
            let before = desk.opened.count
            while desk.opened.count == before { desk.pass(0.1) }
            longest = max(longest, desk.time - last)
            last = desk.time
        }
        #expect(longest < 1.8)
    }

    @Test("only real audio sets the waits back")
    func flapping() {
        var desk = Desk.playing()
        desk.fail(1)
        var waits: [Double] = []
        for _ in 0..<5 {
            let id = desk.lastID
            desk.connect(id)
            desk.audio(id, seconds: 1)
            desk.fail(id, .network, .closed)
            desk.fail(desk.lastID)
            let before = (desk.opened.count, desk.time)
            while desk.opened.count == before.0 { desk.pass(0.1) }
            waits.append(desk.time - before.1)
        }
        #expect(waits.last ?? 0 > waits.first ?? 0)
        desk.connect(desk.lastID)
        desk.play(desk.lastID, 6)
        desk.fail(desk.lastID)
        desk.fail(desk.lastID)
        let (count, time) = (desk.opened.count, desk.time)
        while desk.opened.count == count { desk.pass(0.1) }
        #expect(desk.time - time < 0.65)
    }

    @Test(
        "a refusal for good is not asked about every second",
        arguments: [(Fault.Kind.wrong, 16.0), (.missing, 0.4)])
    func paces(kind: Fault.Kind, least: Double) {
        var desk = Desk()
        desk.want()
        desk.fail(1, kind)
        desk.pass(least)
        #expect(desk.opened.count == 1)
        for _ in 0..<14 {
            desk.pass(400)
            desk.fail(desk.lastID, kind)
        }
        let (count, time) = (desk.opened.count, desk.time)
        while desk.opened.count == count { desk.pass(1) }
        #expect(desk.time - time >= 299)
    }

    @Test("Retry-After is followed, within bounds")
    func retryAfter() {
        var desk = Desk()
        desk.want()
        desk.fail(1, .busy(retryAfter: 30))
        desk.pass(29)
        #expect(desk.opened.count == 1)
        desk.pass(2)
        #expect(desk.opened.count == 2)
    }

    @Test("after five silent seconds a second connection is tried while the first is still read")
    func stall() {
        var desk = Desk.playing()
        desk.pass(4.9)
        #expect(desk.opened.count == 1)
        desk.pass(0.2)
        #expect(desk.opened.count == 2)
        #expect(desk.closed.isEmpty)
        #expect(desk.state == .stalled)
        #expect(desk.machine.breakCause == .stalled)
        desk.connect(2)
        desk.audio(2)
        #expect(desk.closed == [1])
        #expect(desk.state == .live)
    }

    @Test("the first connection wins when it speaks again for a moment; one last word is not enough")
    func recovery() {
        var desk = Desk.playing()
        desk.pass(5.1)
        desk.audio(1)
        #expect(desk.closed.isEmpty)
        desk.play(1, 1.25)
        #expect(desk.closed == [2])
        #expect(desk.machine.breakCause == nil)
        #expect(desk.state == .live)
    }

    @Test("while the second is refused, the first is kept for a minute and the tries go on")
    func refusedSecond() {
        var desk = Desk.playing()
        desk.pass(5.1)
        while desk.time < 60 {
            if desk.machine.trial != nil { desk.fail(desk.lastID, .busy(retryAfter: nil)) }
            desk.pass(0.5)
        }
        #expect(desk.opened.count > 4)
        #expect(!desk.closed.contains(1))
        desk.pass(15)
        #expect(desk.closed.contains(1))
    }

    @Test("a server that throws out the first connection for the second is not asked for two again")
    func expulsion() {
        var desk = Desk.playing()
        desk.pass(5.1)
        desk.connect(2)
        desk.time += 0.5
        desk.fail(1, .network, .reset)
        #expect(!desk.machine.allowsSecond)
        #expect(desk.opened.count == 2)
        desk.play(2, 10)
        desk.pass(9.9)
        #expect(desk.opened.count == 2)
        desk.pass(0.2)
        #expect(desk.closed.contains(2))
        #expect(desk.opened.count == 3)
    }

    @Test(
        "every address is tried in turn, a dead one only once, and the one that worked comes first next time")
    func fallbacks() {
        var desk = Desk(["http://a.example/", "http://b.example/", "http://a.example/", "http://c.example/"])
        desk.want()
        desk.fail(1)
        desk.fail(2)
        #expect(desk.opened.map(\.url) == ["http://a.example/", "http://b.example/", "http://c.example/"])
        desk.connect(3)
        desk.play(3, 10)
        desk.fail(3, .network, .closed)
        #expect(desk.opened.last?.url == "http://c.example/")
        desk.fail(4)
        #expect(desk.opened.last?.url == "http://a.example/")
    }

    @Test("connections that are dropped after the same time again and again are named, until one lasts")
    func rhythm() {
        var desk = Desk()
        desk.want()
        for drop in 1...4 {
            #expect(desk.machine.notice == nil, "after \(drop - 1) drops")
            desk.play(desk.lastID, 30)
            desk.fail(desk.lastID, .network, .closed)
        }
        #expect(desk.machine.notice?.hasPrefix("dropped after 30 s each time") == true)
        desk.play(desk.lastID, 90)
        #expect(desk.machine.notice == nil)
        for seconds in [20.0, 33, 20, 50] {
            desk.play(desk.lastID, seconds)
            desk.fail(desk.lastID, .network, .reset)
        }
        #expect(desk.machine.notice == nil)
    }

    @Test("on a fallback the better addresses are tried again later, and taken when they have audio")
    func better() {
        var desk = Desk(["http://a.example/", "http://b.example/"])
        desk.want()
        desk.fail(1)
        desk.connect(2)
        desk.play(2, 601)
        desk.pass(0.1)
        #expect(desk.opened.last?.url == "http://a.example/")
        #expect(desk.closed.isEmpty)
        desk.fail(3)
        #expect(desk.state == .live)
        desk.play(2, 601)
        desk.pass(0.1)
        #expect(desk.opened.count == 4)
        desk.connect(4)
        desk.audio(4)
        #expect(desk.closed == [2])
        desk.play(4, 700)
        desk.pass(0.1)
        #expect(desk.opened.count == 4)
    }

    @Test("entries of a list come before the other addresses; a list that names itself ends")
    func lists() {
        var desk = Desk(["http://a.example/l.m3u", "http://z.example/"])
        desk.want()
        desk.list(1, ["http://b.example/", "http://c.example/"])
        #expect(desk.closed == [1])
        #expect(desk.opened.last?.url == "http://b.example/")
        desk.fail(2)
        #expect(desk.opened.last?.url == "http://c.example/")
        desk.list(3, ["http://a.example/l.m3u", "http://c.example/"])
        #expect(
            desk.machine.faults.last?.fault.text
                == "a list that names itself: http://a.example/l.m3u → http://c.example/")
        #expect(desk.opened.last?.url == "http://z.example/")
    }

    @Test("lists inside lists are opened five deep and no deeper")
    func depth() {
        var desk = Desk(["http://h/0"])
        desk.want()
        for number in 1...6 { desk.list(desk.lastID, ["http://h/\(number)"]) }
        #expect(desk.opened.map(\.url) == (0...5).map { "http://h/\($0)" })
    }

    @Test("a connection that brings no audio is given up in time, and says why")
    func noAudio() {
        var desk = Desk(["http://a.example/", "http://b.example/"])
        desk.want()
        desk.connect(1)
        desk.pass(15)
        #expect(desk.closed == [1])
        #expect(desk.machine.faults.first?.fault.text == "connected, no audio")
        #expect(desk.opened.last?.url == "http://b.example/")
    }

    @Test("after sleep what waits is tried at once, and what is connected gets a rival")
    func resume() {
        var desk = Desk.playing()
        desk.time += 600
        desk.resume()
        #expect(desk.opened.count == 2)
        #expect(desk.machine.breakCause == .suspended)
        var waiting = Desk()
        waiting.want()
        for _ in 0..<8 {
            waiting.fail(waiting.lastID)
            waiting.pass(40)
        }
        waiting.fail(waiting.lastID)
        let count = waiting.opened.count
        waiting.resume()
        #expect(waiting.opened.count == count + 1)
    }

    @Test("a station that waits is tried when somebody wants to hear it, and a crowd makes one try")
    func hurry() {
        var desk = Desk()
        desk.want()
        for _ in 0..<10 {
            desk.fail(desk.lastID, .missing)
            desk.pass(400)
        }
        desk.fail(desk.lastID, .missing)
        let count = desk.opened.count
        desk.pass(5)
        desk.hurry()
        #expect(desk.opened.count == count + 1)
        // What is being tried is not tried twice, and what has just failed a moment later, once.
        desk.hurry()
        desk.fail(desk.lastID, .missing)
        for _ in 0..<20 { desk.hurry() }
        #expect(desk.opened.count == count + 1)
        #expect(desk.state == .waiting)
        // Each one that failed doubles the pause: whoever asks may be a program that asks for ever.
        desk.pass(3)
        #expect(desk.opened.count == count + 1)
        desk.pass(3)
        #expect(desk.opened.count == count + 2)
        desk.audio(desk.lastID)
        desk.pass(4)
        desk.hurry()
        #expect(desk.opened.count == count + 2)
    }

    @Test("a server that said when to come back, a file that has ended and an unread station are left alone")
    func noHurry() {
        var busy = Desk()
        busy.want()
        busy.fail(1, .busy(retryAfter: 60))
        busy.pass(10)
        busy.hurry()
        #expect(busy.opened.count == 1)
        // Also where another address of it failed otherwise.
        var two = Desk(["http://a.example/", "http://b.example/"])
        two.want()
        for _ in 0..<10 {
            two.fail(two.lastID, .network)
            two.fail(two.lastID, .busy(retryAfter: 60))
            let before = two.opened.count
            while two.opened.count == before { two.pass(0.1) }
        }
        two.fail(two.lastID, .network)
        two.fail(two.lastID, .busy(retryAfter: 60))
        let tries = two.opened.count
        two.pass(10)
        two.hurry()
        two.pass(1)
        #expect(two.opened.count == tries)
        var ended = Desk.playing()
        ended.fail(1, .finished, .closed)
        ended.pass(10)
        ended.hurry()
        var unread = Desk()
        unread.hurry()
        #expect(ended.opened.count == 1 && unread.opened.isEmpty)
    }

    @Test("a file ends, and is not asked for again; a station without an address fails")
    func ends() {
        var desk = Desk.playing()
        desk.fail(1, .finished, .closed)
        #expect(desk.state == .failed)
        desk.pass(1000)
        #expect(desk.opened.count == 1)
        var empty = Desk([])
        empty.want()
        #expect(empty.state == .failed)
        #expect(empty.machine.reason == "the station has no address")
    }

    @Test("a live stream whose rival on a better address is being tried goes on by all means when it breaks")
    func breakDuringBetter() {
        var desk = Desk(["http://a.example/", "http://b.example/"])
        desk.want()
        desk.fail(1)
        desk.connect(2)
        desk.play(2, 601)
        desk.pass(0.1)
        desk.fail(2, .network, .reset)
        #expect(desk.closed == [3])
        #expect(desk.opened.last?.url == "http://b.example/")
        #expect(desk.state == .connecting)
    }
}

@Suite("Starting many")
struct StartGateTests {
    @Test("a thousand stations start in a row, not in a heap")
    func stampede() {
        var gate = StartGate()
        let now = MonotonicTime(nanoseconds: 0)
        let delays = (0..<1000).map { _ in gate.delay(at: now, chance: 0.5) }
        #expect(delays.filter { $0 == 0 }.count <= 26)
        #expect(delays == delays.sorted())
        #expect(abs((delays.last ?? 0) - 19.5) < 0.5)
        let later = gate.delay(at: now.advanced(bySeconds: 60), chance: 0.5)
        #expect(later == 0)
    }

    @Test("a tick that comes far too late means sleep; a little late does not")
    func sleep() {
        var watch = SuspendWatch()
        var now = MonotonicTime(nanoseconds: 0)
        let first = watch.tick(at: now)
        #expect(!first)
        for (step, expected) in [(2.0, false), (6, false), (12, true), (2, false)] {
            now = now.advanced(bySeconds: step)
            let slept = watch.tick(at: now)
            #expect(slept == expected)
        }
    }
}

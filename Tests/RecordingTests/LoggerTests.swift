import Feed
import Foundation
import Platform
import StreamFormats
import TestPrograms
import TestStations
import Testing

@testable import Recording

@Suite("Round times of day")
struct SlotClockTests {
    /// 2026-10-25, the day on which clocks in Berlin go from 3:00 back to 2:00, at 01:00 UTC.
    private static let back = 1_792_890_000
    /// 2026-03-29, from 2:00 on to 3:00, at 01:00 UTC.
    private static let forth = 1_774_746_000

    private static func berlin(_ wall: WallTime) -> Int {
        let seconds = Int(wall.secondsSince1970)
        return seconds >= forth && seconds < back ? 7200 : 3600
    }

    @Test(
        "the next one is round by the clocks of its own moment",
        arguments: [
            // An hour's: also while the clocks change.
            (3600, forth - 1800, forth), (3600, forth, forth + 3600), (3600, back - 1800, back),
            (3600, back, back + 3600),
            // A day's: the short day has 23 hours, the long one 25.
            (86_400, forth - 7200, forth + 21 * 3600), (86_400, back - 3 * 3600, back + 22 * 3600),
            (86_400, back - 10 * 3600, back - 3 * 3600),
            (300, forth + 1, forth + 300), (300, forth + 299, forth + 300), (300, forth + 300, forth + 600),
        ])
    func boundaries(seconds: Int, after: Int, expected: Int) {
        let clock = SlotClock(seconds: seconds, offset: Self.berlin)
        let found = clock.boundary(after: WallTime(secondsSince1970: Double(after)))
        #expect(found == WallTime(secondsSince1970: Double(expected)))
    }

    @Test("a length that does not divide a day is refused", arguments: [0, 1, 7, 3601, 90_000, -60])
    func lengths(seconds: Int) {
        #expect(throws: RecordingError.self) { try LogRequest(slotSeconds: seconds) }
    }

    @Test(
        "it cuts at the first frame that begins at or after the round time, and aims anew after a step of the clock"
    )
    func cuts() {
        var clock = SlotClock(seconds: 10) { _ in 0 }
        let source = NumberedFrames(.mp3)
        func piece(endingAt wall: Double, frames: Int = 40) -> AudioPiece {
            AudioPiece(
                run: RecordingRig.run(0..<frames, source), format: RecordingRig.format(source),
                wall: WallTime(secondsSince1970: wall), feedStart: StreamPosition())
        }
        #expect(clock.cut(piece(endingAt: 1002)) == nil)
        #expect(clock.end == WallTime(secondsSince1970: 1010))
        let length = source.secondsPerUnit
        // Ends 10 frames and a half after the round time: 11 frames begin later than that or lie across it.
        #expect(clock.cut(piece(endingAt: 1010 + 10.5 * length)) == 30)
        #expect(clock.cut(piece(endingAt: 1010 + 10 * length + 0.001)) == 31 - 1)
        #expect(clock.cut(piece(endingAt: 1200)) == 0)
        // Put back by an hour: it does not wait an hour for its round time.
        // A next file that cannot be begun: this one aims at the round time after.
        clock.goOn()
        #expect(clock.end == WallTime(secondsSince1970: 1020))
        var other = SlotClock(seconds: 10) { _ in 0 }
        _ = other.cut(piece(endingAt: 5002))
        #expect(other.cut(piece(endingAt: 1402)) == nil)
        #expect(other.end == WallTime(secondsSince1970: 1410))
    }
}

/// A logger with threads of its own over a clock and a disk of ours.
private final class LoggerRig: @unchecked Sendable {
    // Sendable because only one test moves it; the recorder's threads meet it in locks.
    let source: NumberedFrames
    let time = ManualTime(wall: WallTime(secondsSince1970: 1_700_000_002.5))
    let disk = FakeDisk()
    let feed: Feed
    let recorder: Recorder
    let finished = Lock<[RecordingFacts]>([])
    let deleted = Lock<[Deletion]>([])
    let failed = Lock<[RecordingFacts]>([])
    private var sent = 0

    init(_ kind: NumberedFrames.Kind = .mp3, newFloor: Int64 = 0) {
        source = NumberedFrames(kind)
        feed = Feed(station: Station(id: "demo", name: "Demo FM", urls: []), time: time)
        feed.publish(format: RecordingRig.format(source))
        var settings = Recorder.Settings()
        settings.tickSeconds = 0.002
        settings.syncSeconds = 0.02
        settings.retrySeconds = 0.1
        settings.tagBytes = 4096
        settings.newFloorBytes = newFloor
        let (finished, deleted, failed) = (finished, deleted, failed)
        recorder = Recorder(settings: settings, disk: disk, time: time) { event in
            switch event {
            case .finished(let facts): finished.withLock { $0.append(facts) }
            case .deleted(let deletion): deleted.withLock { $0.append(deletion) }
            case .failed(let facts): failed.withLock { $0.append(facts) }
            default: break
            }
        }
    }

    func start(_ log: LogRequest, change: (inout RecordingRequest) -> Void = { _ in }) throws -> RecordingID {
        var request = RecordingRequest(
            target: .library(folder: "/r", template: try NameTemplate("{start:%s}")))
        request.log = log
        change(&request)
        return try recorder.start(request, feed: feed)
    }

    /// Time passes in steps of `step` frames. The recorder has a turn after each.
    func play(seconds: Double, step: Int = 10) {
        let end = sent + Int(seconds / source.secondsPerUnit)
        while sent < end {
            let count = min(step, end - sent)
            time.advance(bySeconds: Double(count) * source.secondsPerUnit)
            feed.publish(frames: RecordingRig.run(sent..<sent + count, source))
            sent += count
            usleep(1500)
        }
        usleep(60_000)
    }

    func title(_ text: String) {
        feed.publish(
            title: RawTitle(source: .icy, text: Array(text.utf8)),
            reading: TitleText(text: text, kind: .track))
    }

    var files: [RecordingFacts] { finished.withLock { $0 }.sorted { $0.started < $1.started } }

    func audio(_ files: [RecordingFacts]) -> [UInt8] { files.flatMap { disk.audio($0) } }

    var sentFrames: Int { sent }
}

@Suite("The logger", .serialized)
struct LoggerTests {
    @Test(
        "its files begin at round times and join without a lost frame",
        arguments: [(NumberedFrames.Kind.mp3, 1), (.mp3, 38), (.adts, 10), (.mp3At48k, 80)])
    func joins(kind: NumberedFrames.Kind, step: Int) throws {
        let rig = LoggerRig(kind)
        rig.title("A - One")
        let id = try rig.start(try LogRequest(slotSeconds: 5))
        rig.play(seconds: 13, step: step)
        rig.title("A - Two")
        rig.play(seconds: 13, step: step)
        try rig.recorder.stopAndWait(id)
        let files = rig.files
        #expect(files.count == 6)
        let verdict = Judge.verdict(on: rig.audio(files), of: rig.source)
        #expect(verdict.isPerfect, "\(verdict)")
        #expect(verdict.numbers == Array(0..<rig.sentFrames))
        // The first is named after its start, the others after their round times; none is longer than a slot.
        #expect(
            files.map { $0.fileName?.split(separator: ".").first.map(String.init) ?? "" }.dropFirst()
                == ["1700000005", "1700000010", "1700000015", "1700000020", "1700000025"])
        for file in files { #expect(file.seconds <= 5 + rig.source.secondsPerUnit) }
        for file in files.dropFirst().dropLast() {
            #expect(abs(file.seconds - 5) <= rig.source.secondsPerUnit)
        }
        #expect(
            files.map { $0.titles.first?.text.text }
                == ["One", "One", "One", "One", "Two", "Two"].map { "A - \($0)" })
        #expect(files[3].titles.map(\.text.text) == ["A - One", "A - Two"])
        #expect(
            files.allSatisfy {
                $0.titles.first?.seconds == 0 && $0.slot == LoggerSlot(seconds: 5, series: id)
            })
        #expect(files.allSatisfy { $0.gaps.isEmpty && $0.state == .finished })
        #expect(rig.recorder.running.isEmpty)
        rig.recorder.shutDown()
    }

    @Test("a disk that is full across a round time costs nothing")
    func fullAcross() throws {
        let rig = LoggerRig()
        let id = try rig.start(try LogRequest(slotSeconds: 15))
        rig.play(seconds: 9)
        rig.disk.setRoom(100)
        rig.play(seconds: 50)
        rig.disk.setRoom(.max)
        rig.play(seconds: 2)
        try rig.recorder.stopAndWait(id)
        let verdict = Judge.verdict(on: rig.audio(rig.files), of: rig.source)
        #expect(verdict.isPerfect, "\(verdict)")
        #expect(verdict.numbers == Array(0..<rig.sentFrames))
        #expect(rig.files.count == 5)
        rig.recorder.shutDown()
    }

    @Test("a station that is silent at the round time does not keep the last file open")
    func silence() throws {
        let rig = LoggerRig()
        let id = try rig.start(try LogRequest(slotSeconds: 5))
        rig.play(seconds: 2)
        for _ in 0..<26 {
            rig.time.advance(bySeconds: 1)
            usleep(5000)
        }
        #expect(eventually(within: 10) { rig.files.count == 1 })
        rig.play(seconds: 2)
        try rig.recorder.stopAndWait(id)
        #expect(rig.files.count == 2)
        #expect(Judge.verdict(on: rig.audio(rig.files), of: rig.source).numbers == Array(0..<rig.sentFrames))
        rig.recorder.shutDown()
    }

    @Test("ended in a silence behind a round time it has recorded what it has, and nothing has failed")
    func endedInSilence() throws {
        let rig = LoggerRig()
        let id = try rig.start(try LogRequest(slotSeconds: 5))
        rig.play(seconds: 2)
        for _ in 0..<26 {
            rig.time.advance(bySeconds: 1)
            usleep(5000)
        }
        #expect(eventually(within: 10) { rig.files.count == 1 && rig.recorder.current(id) != nil })
        try rig.recorder.stopAndWait(id)
        #expect(rig.files.count == 1 && rig.recorder.running.isEmpty)
        #expect(rig.failed.withLock { $0 }.isEmpty)
        #expect(rig.disk.paths.allSatisfy { !$0.hasSuffix(".part") })
        rig.recorder.shutDown()
    }

    @Test("it ends by its limit, however many files that makes")
    func limit() throws {
        let rig = LoggerRig()
        let id = try rig.start(try LogRequest(slotSeconds: 5)) { $0.limit = .seconds(12) }
        rig.play(seconds: 16)
        rig.recorder.wait(for: id)
        let seconds = rig.files.reduce(0) { $0 + $1.seconds }
        // Sixteen are played, and it is the recorder's thread that has to see that twelve are over.
        #expect((11.5..<15.5).contains(seconds), "\(seconds)")
        rig.recorder.shutDown()
    }

    @Test("stopped at a round time it ends with its last frame, and begins no other file", arguments: 0..<4)
    func stoppedAtRound(round: Int) throws {
        let rig = LoggerRig()
        let id = try rig.start(try LogRequest(slotSeconds: 5))
        rig.play(seconds: 12)
        // 22:13:35 is half a second away: the frames across it and the wish to stop come together.
        let stopped = Lock(false)
        let stopper = WorkerThread(name: "stopper") {
            usleep(UInt32(round) * 2000)
            try? rig.recorder.stop(id)
            stopped.withLock { $0 = true }
        }
        rig.play(seconds: 1, step: 2 + round)
        stopper.join()
        rig.recorder.wait(for: id)
        #expect(stopped.withLock { $0 } && rig.recorder.running.isEmpty)
        let verdict = Judge.verdict(on: rig.audio(rig.files), of: rig.source)
        #expect(verdict.isPerfect && verdict.first == 0 && verdict.lost == 0, "\(verdict)")
        #expect(rig.files.allSatisfy { $0.state == .finished && $0.frames > 0 })
        rig.play(seconds: 6)
        #expect((3...4).contains(rig.files.count) && rig.recorder.running.isEmpty)
        rig.recorder.shutDown()
    }

    @Test("a logger needs a folder, and makes no tracks")
    func refusals() throws {
        let rig = LoggerRig()
        let log = try LogRequest(slotSeconds: 5)
        #expect(throws: RecordingError.self) {
            try rig.start(log) { $0.target = .whole(path: "/r/a.mp3") }
        }
        #expect(throws: RecordingError.self) {
            try rig.start(log) { $0.tracks = TrackRequest(folder: "/r") }
        }
        rig.recorder.shutDown()
    }
}

@Suite("Retention", .serialized)
struct RetentionTests {
    private static let hour = 3600.0
    private static let now = WallTime(secondsSince1970: 1_700_000_000)

    /// Ten files of an hour and a hundred bytes each; the last ended just now.
    private static let ten = (0..<10).map { index in
        RetentionRules.Held(
            id: RecordingID("\(index)"), started: now.advanced(bySeconds: Double(index - 10) * hour),
            ended: now.advanced(bySeconds: Double(index - 9) * hour), bytes: 100)
    }

    @Test(
        "each rule takes the oldest, and no more than it must",
        arguments: [
            (RetentionRules(), 0, nil), (RetentionRules(ageSeconds: 4.5 * hour), 5, RetentionRules.Rule.age),
            (RetentionRules(count: 11), 0, nil), (RetentionRules(count: 4), 7, .count),
            (RetentionRules(bytes: 1050), 0, nil), (RetentionRules(bytes: 1049), 1, .bytes),
            (RetentionRules(bytes: 0), 10, .bytes),
            (RetentionRules(freeBytes: 500), 0, nil), (RetentionRules(freeBytes: 501), 1, .free),
            (RetentionRules(freeBytes: 900), 4, .free),
            (RetentionRules(ageSeconds: 8.5 * hour, count: 9), 2, .age),
        ])
    func rules(rules: RetentionRules, victims: Int, last: RetentionRules.Rule?) {
        let moment = RetentionRules.Moment(wall: Self.now, runningBytes: 50, freeBytes: 500)
        let found = rules.victims(of: Self.ten, at: moment)
        #expect(found.map(\.file) == Array(Self.ten.prefix(victims)))
        if let last { #expect(found.contains { $0.rule == last }) }
    }

    @Test(
        "too many files: the oldest go while the log goes on, each is told of, and what is marked keep stays")
    func keeps() throws {
        let rig = LoggerRig()
        rig.disk.put([1, 2, 3], at: "/r/a stranger's.mp3")
        let id = try rig.start(try LogRequest(slotSeconds: 5, retention: RetentionRules(count: 3)))
        rig.play(seconds: 8)
        #expect(eventually(within: 5) { rig.files.count == 2 })
        let first = try #require(rig.files.first)
        #expect(rig.recorder.protect(first, true).keep)
        rig.play(seconds: 30)
        #expect(eventually(within: 10) { rig.deleted.withLock { $0.count } >= 4 })
        try rig.recorder.stopAndWait(id)
        let left = LibraryWalk(disk: rig.disk).sidecars(in: "/r")
        #expect(left.contains { $0.id == first.id })
        let others = left.filter { $0.id != first.id }
        #expect((2...4).contains(others.count), "\(others.count)")
        let deleted = rig.deleted.withLock { $0 }
        #expect(Set(deleted.map(\.recording) + left.map(\.id)) == Set(rig.files.map(\.id)))
        #expect(deleted.allSatisfy { $0.rule == .count && $0.bytes > 0 && $0.path.hasPrefix("/r/") })
        for deletion in deleted { #expect(!rig.disk.paths.contains(deletion.path)) }
        #expect(rig.disk.paths.contains("/r/a stranger's.mp3"))
        // What is left is the end of the log, whole.
        let rest = rig.audio(others.sorted { $0.started < $1.started })
        let verdict = Judge.verdict(on: rest, of: rig.source)
        #expect(verdict.isPerfect)
        #expect(verdict.last == rig.sentFrames - 1)
        rig.recorder.shutDown()
    }

    @Test("what is too old goes, and the folder of its minute with its last file")
    func age() throws {
        let rig = LoggerRig()
        let log = try LogRequest(slotSeconds: 5, retention: RetentionRules(ageSeconds: 12))
        let template = try NameTemplate("{start:%H%M}/{start:%s}")
        let id = try rig.start(log) { $0.target = .library(folder: "/r", template: template) }
        // It begins 37.5 s before the end of a minute: a minute and a half later nothing of that one is left.
        let minutes = [0, 60].map {
            "/r/" + LocalTime.text(rig.time.wall.advanced(bySeconds: $0), pattern: "%H%M")
        }
        rig.play(seconds: 90)
        #expect(eventually(within: 10) { rig.deleted.withLock { $0.count } >= 12 })
        try rig.recorder.stopAndWait(id)
        let end = rig.time.wall
        let left = LibraryWalk(disk: rig.disk).sidecars(in: "/r")
        #expect(left.allSatisfy { $0.ended > end.advanced(bySeconds: -22) } && (2...5).contains(left.count))
        #expect(rig.deleted.withLock { $0 }.allSatisfy { $0.rule == .age })
        let folders = rig.disk.state.withLock { $0.folders }
        #expect(!folders.contains(minutes[0]) && folders.contains(minutes[1]) && folders.contains("/r"))
        rig.recorder.shutDown()
    }

    @Test(
        "on a disk with less room than is asked for, a logger that may make room begins",
        arguments: [RetentionRules(freeBytes: 300_000), RetentionRules(count: 2)])
    func beginsOnFullDisk(rules: RetentionRules) throws {
        let rig = LoggerRig(newFloor: 200_000)
        let first = try rig.start(try LogRequest(slotSeconds: 5))
        rig.play(seconds: 40)
        try rig.recorder.stopAndWait(first)
        rig.disk.setRoom(100_000)
        let failure = #expect(throws: RecordingError.self) { try rig.start(try LogRequest(slotSeconds: 5)) }
        #expect(failure?.description.contains("free_for_new") == true)
        let from = rig.sentFrames
        let id = try rig.start(try LogRequest(slotSeconds: 5, retention: rules))
        #expect(rig.deleted.withLock { $0.count } >= 3)
        rig.play(seconds: 4)
        try rig.recorder.stopAndWait(id)
        let made = try #require(rig.files.last)
        #expect(made.gaps.isEmpty)
        #expect(Judge.verdict(on: rig.audio([made]), of: rig.source).numbers.last == rig.sentFrames - 1)
        #expect(rig.sentFrames > from)
        rig.recorder.shutDown()
    }

    @Test("what a logger keeps free may be less than other recordings ask for: it begins there all the same")
    func ownRoom() throws {
        let rig = LoggerRig(newFloor: 200_000)
        let first = try rig.start(try LogRequest(slotSeconds: 5))
        rig.play(seconds: 40)
        try rig.recorder.stopAndWait(first)
        rig.disk.setRoom(100_000)
        let id = try rig.start(try LogRequest(slotSeconds: 5, retention: RetentionRules(freeBytes: 120_000)))
        // The oldest file makes that room, and no more goes than is needed.
        #expect(rig.deleted.withLock { $0.count } == 1)
        rig.play(seconds: 4)
        try rig.recorder.stopAndWait(id)
        #expect(rig.files.last?.gaps.isEmpty == true)
        rig.recorder.shutDown()
    }

    @Test("a file system that gives room back late does not cost more files than are needed")
    func lateRoom() throws {
        let rig = LoggerRig()
        rig.disk.setRoom(900_000, givesBack: false)
        let id = try rig.start(try LogRequest(slotSeconds: 5, retention: RetentionRules(freeBytes: 300_000)))
        rig.play(seconds: 40)
        try rig.recorder.stopAndWait(id)
        // 40 s are 640 kB: one or two files of 80 kB have to go, not all.
        #expect((1...2).contains(rig.deleted.withLock { $0.count }), "\(rig.deleted.withLock { $0.count })")
        rig.recorder.shutDown()
    }

    @Test("a disk that fills up makes room for the log by its oldest files, and no frame is lost")
    func roll() throws {
        let rig = LoggerRig()
        rig.disk.setRoom(900_000)
        let id = try rig.start(try LogRequest(slotSeconds: 5, retention: RetentionRules(freeBytes: 300_000)))
        rig.play(seconds: 90)
        try rig.recorder.stopAndWait(id)
        let deleted = rig.deleted.withLock { $0 }
        #expect(deleted.count >= 8)
        #expect(deleted.allSatisfy { $0.rule == .free })
        #expect(rig.files.allSatisfy { $0.gaps.isEmpty })
        let left = LibraryWalk(disk: rig.disk).sidecars(in: "/r").sorted { $0.started < $1.started }
        let verdict = Judge.verdict(on: rig.audio(left), of: rig.source)
        #expect(verdict.isPerfect, "\(verdict)")
        #expect(verdict.last == rig.sentFrames - 1)
        rig.recorder.shutDown()
    }
}

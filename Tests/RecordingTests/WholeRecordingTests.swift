import Feed
import Glibc
import JSONText
import Platform
import StreamFormats
import TestStations
import Testing

@testable import Recording

@Suite("Whole recordings")
struct WholeRecordingTests {
    @Test(
        "every frame from the first to the moment of stopping is in the file, once",
        arguments: [
            NumberedFrames.Kind.mp3, .mp3At48k, .adts,
        ])
    func allFrames(kind: NumberedFrames.Kind) throws {
        let rig = try RecordingRig(kind)
        rig.run(ticks: 20)
        rig.play(frames: 7)
        rig.end()
        #expect(rig.verdict.isPerfect)
        #expect(rig.verdict.numbers == Array(0..<207))
        #expect(rig.facts.state == .finished)
        #expect(rig.facts.frames == 207)
        #expect(abs(rig.facts.seconds - 207 * rig.source.secondsPerUnit) < 1e-6)
        #expect(rig.disk.paths == ["/r/a.json", "/r/a.mp3"])
    }

    @Test("nothing is made before the first audio comes")
    func noJunk() throws {
        let rig = try RecordingRig(change: { $0.giveUpSeconds = 5 })
        #expect(rig.session.tick() == .running)
        #expect(rig.disk.paths.isEmpty)
        rig.time.advance(bySeconds: 6)
        #expect(rig.session.tick() == .ended)
        _ = rig.session.finish(journal: NoJournal())
        #expect(rig.facts.state == .failed)
        #expect(rig.disk.paths.isEmpty)
    }

    @Test(
        "any number of seconds to give up after is a number", arguments: [-1e19, 0, .infinity, .nan, 1e300])
    func anyPatience(seconds: Double) throws {
        let rig = try RecordingRig(change: { $0.giveUpSeconds = seconds })
        rig.time.advance(bySeconds: 6)
        #expect(rig.session.tick() == (seconds <= 6 ? .ended : .running))
    }

    @Test("a file that is there is refused, and replaced only when told to")
    func existing() throws {
        let disk = FakeDisk()
        disk.put([1, 2, 3], at: "/r/a.mp3")
        #expect(throws: RecordingError.self) { try RecordingRig(disk: disk) }
        let rig = try RecordingRig(disk: disk, change: { $0.overwrite = true })
        rig.run(ticks: 2)
        rig.end()
        #expect(rig.verdict.isPerfect)
    }

    @Test("in the library it is NAME.EXT.part until it is finished, and never takes a name that is there")
    func library() throws {
        let disk = FakeDisk()
        disk.put([1], at: "/r/Demo FM.mp3")
        let rig = try RecordingRig(
            target: .library(folder: "/r", template: NameTemplate("{station}")), disk: disk)
        rig.run(ticks: 2)
        #expect(disk.paths.contains("/r/Demo FM (2).mp3.part"))
        rig.end()
        #expect(disk.paths == ["/r/Demo FM (2).json", "/r/Demo FM (2).mp3", "/r/Demo FM.mp3"])
        #expect(disk.bytes("/r/Demo FM.mp3") == [1])
        #expect(rig.facts.fileName == "Demo FM (2).mp3")
    }

    @Test("a recording that begins in the past begins with the very frame that was asked for")
    func fromPosition() throws {
        let place = StreamPosition(bytes: 417 * 33, nanoseconds: 33 * 1152 * 1_000_000_000 / 44100)
        let rig = try RecordingRig(change: { $0.start = .position(place) }, warmUp: 100)
        rig.run(ticks: 1)
        rig.end()
        #expect(rig.verdict.isPerfect)
        #expect(rig.verdict.first == 33)
    }

    @Test("a limit counts from the first audio and not from the start")
    func limit() throws {
        let rig = try RecordingRig(change: { $0.limit = .seconds(5) })
        rig.time.advance(bySeconds: 30)
        #expect(rig.session.tick() == .running)
        #expect(rig.run(ticks: 100) == .ended)
        _ = rig.session.finish(journal: NoJournal())
        #expect(rig.verdict.isPerfect)
        #expect(abs(rig.facts.seconds - 5) < 0.6)
    }

    @Test("what had come when it was ended is in it, though nobody had read that yet")
    func catchesUp() throws {
        let rig = try RecordingRig()
        rig.run(ticks: 4)
        rig.leave(frames: 13)
        rig.end()
        #expect(rig.verdict.frames == rig.nextFrame)
        #expect(rig.verdict.isPerfect, "\(rig.verdict)")
    }

    @Test("titles are in the sidecar with the second and the byte at which they begin")
    func titles() throws {
        let rig = try RecordingRig()
        rig.title("Night Drive - Alpha")
        rig.run(ticks: 4)
        rig.title("it's a test'; not the end")
        rig.run(ticks: 4)
        rig.end()
        #expect(rig.facts.titles.map(\.text.text) == ["Night Drive - Alpha", "it's a test'; not the end"])
        let audio = rig.facts.parts[0].audioOffset
        #expect(rig.facts.titles.map(\.byte) == [audio, audio + 40 * 417])
        #expect(abs(rig.facts.titles[1].seconds - 40 * rig.source.secondsPerUnit) < 1e-6)
        let json = try JSONValue.parse(rig.disk.bytes("/r/a.json") ?? [], limit: 1 << 20)
        let read = Sidecar.facts(json, folder: "/r")
        #expect(read?.titles.map(\.text) == rig.facts.titles.map(\.text))
        #expect(read?.state == .finished)
        #expect(read?.parts.map(\.hash) == rig.facts.parts.map(\.hash))
        #expect(read?.parts.map(\.frames) == [80])
    }

    @Test("gaps of the stream are in the ledger")
    func gaps() throws {
        let rig = try RecordingRig()
        rig.run(ticks: 2)
        rig.feed.publish(gap: .stalled, from: rig.time.wall, to: rig.time.wall, lostSeconds: 3.5)
        rig.run(ticks: 2)
        rig.end()
        #expect(rig.facts.gaps.map(\.cause) == [.stalled])
        #expect(rig.facts.lostSeconds == 3.5)
    }

    @Test("another codec goes to another file, and all of it is kept")
    func codecChange() throws {
        let rig = try RecordingRig()
        rig.run(ticks: 2)
        let adts = NumberedFrames(.adts)
        rig.feed.publish(format: RecordingRig.format(adts))
        rig.feed.publish(frames: RecordingRig.run(0..<50, adts))
        rig.end()
        #expect(rig.facts.parts.map(\.name) == ["a.mp3", "a (part 2).mp3"])
        let second = rig.disk.bytes("/r/a (part 2).mp3") ?? []
        #expect(Judge.verdict(on: second, of: adts).numbers == Array(0..<50))
    }
}

@Suite("Disk faults")
struct DiskFaultTests {
    @Test("whichever write fails for want of room, no frame is lost and none comes twice", arguments: 0..<14)
    func fullAtEveryWrite(failing: Int) throws {
        let disk = FakeDisk()
        disk.setFault { operation, number in operation == .append && number == failing ? ENOSPC : nil }
        let rig = try RecordingRig(disk: disk)
        rig.run(ticks: 20)
        rig.end()
        #expect(rig.verdict.isPerfect)
        #expect(rig.verdict.numbers == Array(0..<200))
        #expect(rig.facts.parts.count == 1)
    }

    @Test("whichever operation fails for good, a new file takes over and no frame is lost", arguments: 0..<14)
    func errorAtEveryWrite(failing: Int) throws {
        let disk = FakeDisk()
        disk.setFault { operation, number in operation == .append && number == failing ? EIO : nil }
        let rig = try RecordingRig(disk: disk)
        rig.run(ticks: 20)
        rig.end()
        #expect(rig.verdict.isPerfect)
        #expect(rig.verdict.numbers == Array(0..<200))
        #expect(rig.facts.parts.first?.isSuspect == true)
    }

    @Test("a disk that takes a few bytes at a time takes all of them", arguments: [1, 100, 417, 4000])
    func shortWrites(largest: Int) throws {
        let disk = FakeDisk()
        disk.state.withLock { $0.largestWrite = largest }
        let rig = try RecordingRig(disk: disk)
        rig.run(ticks: 3)
        rig.end()
        #expect(rig.verdict.isPerfect)
        #expect(rig.verdict.frames == 30)
    }

    @Test("a disk that is full for fifty seconds costs nothing")
    func fullForAWhile() throws {
        let rig = try RecordingRig()
        rig.run(ticks: 10)
        rig.disk.setRoom(1000)
        rig.run(ticks: 190)
        rig.disk.setRoom(.max)
        rig.run(ticks: 8)
        #expect(rig.session.shared.withLock { $0.status.waitsFor } == nil)
        rig.end()
        #expect(rig.verdict.isPerfect)
        #expect(rig.verdict.frames == 2080)
        #expect(rig.facts.gaps.isEmpty)
    }

    @Test("a disk that is full for longer costs what was beyond the minute, and says so")
    func fullForLong() throws {
        let rig = try RecordingRig()
        rig.run(ticks: 10)
        rig.disk.setRoom(1000)
        rig.run(ticks: 400)
        rig.disk.setRoom(.max)
        rig.run(ticks: 8)
        rig.end()
        #expect(rig.verdict.strayBytes == 0)
        #expect(rig.verdict.doubled == 0)
        let lost = rig.facts.lostSeconds
        #expect(abs(Double(rig.verdict.lost) * rig.source.secondsPerUnit - lost) < 0.01)
        #expect((43...47).contains(lost))
        #expect(rig.facts.gaps.allSatisfy { $0.cause == .diskFull })
        #expect(rig.facts.gaps.count == 1)
    }

    @Test("with less room than new recordings ask for none begins, and one that runs goes on")
    func roomForNew() throws {
        var settings = Recorder.Settings()
        settings.newFloorBytes = 1 << 20
        let disk = FakeDisk()
        let rig = try RecordingRig(disk: disk, settings: settings)
        disk.setRoom(1 << 19)
        rig.run(ticks: 4)
        rig.end()
        #expect(rig.verdict.frames == 40)
        let failure = #expect(throws: RecordingError.self) {
            try RecordingRig(target: .whole(path: "/r/b.mp3"), disk: disk, settings: settings)
        }
        #expect(failure?.description.contains("free_for_new") == true)
    }

    @Test("a file that was deleted while it was written is made again")
    func deleted() throws {
        let rig = try RecordingRig()
        rig.run(ticks: 4)
        rig.disk.unlink("/r/a.mp3")
        rig.run(ticks: 40)
        rig.end()
        #expect(rig.disk.paths.contains { $0 != "/r/a.json" && $0.hasSuffix(".mp3") })
        #expect(rig.facts.parts.count == 2)
        #expect(rig.facts.parts[1].frames > 150)
    }

    @Test("a synchronisation that fails makes the file suspect, and is never tried on it again")
    func syncFails() throws {
        let disk = FakeDisk()
        disk.setFault { operation, number in operation == .synchronize && number == 0 ? EIO : nil }
        let rig = try RecordingRig(disk: disk)
        rig.run(ticks: 4)
        rig.session.keep(journal: NoJournal())
        rig.run(ticks: 4)
        rig.end()
        #expect(rig.facts.parts.map(\.isSuspect) == [true, false])
        #expect(rig.verdict.isPerfect)
        #expect(rig.verdict.frames == 80)
    }
}

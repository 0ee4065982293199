import Feed
import Foundation
import Glibc
import Platform
import Store
import StreamFormats
import TestPrograms
import TestStations
import Testing

@testable import Recording

/// A station of numbered frames that is moved on by hand, its window on a disk in memory, and a recorder with threads.
private final class Past {
    let source = NumberedFrames(.mp3)
    let time: ManualTime
    let disk: FakeDisk
    let feed: Feed
    let window: WindowStore
    private(set) var nextFrame = 0

    init(
        disk: FakeDisk = FakeDisk(folders: ["/w", "/r"]), memorySeconds: Double = 20,
        time: ManualTime = ManualTime()
    ) {
        self.disk = disk
        self.time = time
        feed = Feed(
            station: Station(id: "demo", name: "Demo FM", urls: []), limits: .init(seconds: memorySeconds),
            time: time)
        feed.publish(format: RecordingRig.format(source))
        var settings = WindowStore.Settings()
        settings.floorBytes = 0
        settings.seconds = 60
        settings.segmentSeconds = 10
        settings.tidySeconds = 0
        window = WindowStore(folder: "/w", settings: settings, disk: disk, time: time)
    }

    /// Plays seconds of frames, with a tick of the window for each.
    func play(seconds: Int) {
        for _ in 0..<seconds * 4 {
            time.advance(bySeconds: 10 * source.secondsPerUnit)
            feed.publish(frames: RecordingRig.run(nextFrame..<nextFrame + 10, source))
            nextFrame += 10
            if nextFrame % 40 == 0 { window.tick() }
        }
        window.tick()
    }

    func title(_ text: String) {
        feed.publish(
            title: RawTitle(source: .icy, text: Array(text.utf8)),
            reading: TitleText(text: text, title: text, kind: .track))
    }

    func audio(_ path: String) -> [UInt8] {
        let bytes = disk.bytes(path) ?? []
        let tag = ID3.length(ofTagAt: bytes)
        let xing = XingFrame(at: Array(bytes.dropFirst(tag).prefix(2000)))?.bytes.count ?? 0
        return Array(bytes.dropFirst(tag + xing))
    }
}

@Suite("The past that is held")
struct WindowTests {
    @Test("the window on the disk gives back every frame and title from a moment on")
    func roundTrip() throws {
        let past = Past()
        past.window.follow(past.feed, armedSeconds: 600)
        past.title("One")
        past.play(seconds: 30)
        past.title("Two")
        let moment = past.time.wall
        past.play(seconds: 50)
        let window = try #require(
            past.window.open(station: "demo", from: .wall(moment.advanced(bySeconds: -5))))
        let (numbers, titles) = read(window, past.source)
        #expect(numbers == Array(numbers[0]..<past.nextFrame))
        #expect(abs(Double(numbers[0]) * past.source.secondsPerUnit - 26) < 1)
        #expect(titles == ["One", "Two"])
        let again = try #require(
            past.window.open(station: "demo", from: .position(StreamPosition(nanoseconds: 60_000_000_000))))
        let (later, _) = read(again, past.source)
        #expect(abs(Double(later[0]) * past.source.secondsPerUnit - 60) < 0.3)
    }

    private func read(_ window: WindowReader, _ source: NumberedFrames) -> ([Int], [String]) {
        var bytes: [UInt8] = []
        var titles: [String] = []
        while true {
            let events = window.read()
            if events.isEmpty { break }
            for event in events {
                if case .audio(let chunk) = event { bytes += chunk.bytes }
                if case .title(let mark) = event, titles.last != mark.text.text {
                    titles.append(mark.text.text)
                }
            }
        }
        return (Judge.verdict(on: bytes, of: source).numbers, titles)
    }

    @Test("only so much is kept, and of a station that nobody hears nothing")
    func limits() {
        let past = Past()
        past.window.follow(past.feed, armedSeconds: nil)
        past.play(seconds: 10)
        #expect(past.disk.paths.isEmpty)
        let reader = past.feed.open(name: "listener")
        past.play(seconds: 120)
        let files = past.disk.paths.count
        #expect((6...9).contains(files))
        reader.close()
        past.play(seconds: 10)
        #expect(past.feed.readerCount == 0)
    }

    @Test(
        "what is held outlives a restart; the time in which nothing ran is a gap, and titles are found without the audio"
    )
    func restart() throws {
        let past = Past()
        past.window.follow(past.feed, armedSeconds: 600)
        past.title("One")
        past.play(seconds: 30)
        let begin = past.time.wall.advanced(bySeconds: -20)
        past.time.advance(bySeconds: 40)
        // Another run: its feed counts from nothing, and its window lies in the same folder.
        let next = Past(disk: past.disk, time: past.time)
        next.window.follow(next.feed, armedSeconds: 600)
        next.title("Two")
        next.play(seconds: 20)
        let window = try #require(next.window.open(station: "demo", from: .wall(begin)))
        let source = PastReader(window: window, feed: next.feed, name: "test")
        next.play(seconds: 1)
        var (seconds, gaps, titles): (Double, [Gap], [String]) = (0, [], [])
        while true {
            let events = source.read().events
            if events.isEmpty { break }
            for event in events {
                switch event {
                case .audio(let chunk):
                    seconds += Double(chunk.end.nanoseconds - chunk.start.nanoseconds) / 1e9
                case .gap(let gap): gaps.append(gap)
                case .title(let mark): titles.append(mark.text.text)
                case .format, .retitled: break
                }
            }
        }
        source.close()
        #expect(abs(seconds - 41.8) < 1.5, "\(seconds)")
        #expect(gaps.count == 1 && abs((gaps.first?.lostSeconds ?? 0) - 40) < 1, "\(gaps)")
        #expect(titles.first == "One" && titles.last == "Two")
        #expect(next.window.titles(of: "demo").map(\.text.text) == ["One", "Two"])
        #expect(next.window.titles(of: "demo", since: next.time.wall).map(\.text.text) == ["Two"])
    }

    /// The titles that are held, and how many reads it took to say them.
    private func asked(_ past: Past) -> (titles: [String], reads: Int) {
        func count() -> Int { past.disk.state.withLock { $0.done[.read, default: 0] } }
        let before = count()
        let titles = past.window.titles(of: "demo").map(\.text.text)
        return (titles, count() - before)
    }

    @Test(
        "whoever asks for titles reads no file, of an earlier run neither once the window has looked at them")
    func titlesInMemory() throws {
        let past = Past()
        past.window.follow(past.feed, armedSeconds: 3600)
        for number in 0..<6 {
            past.title("Song \(number)")
            past.play(seconds: 15)
        }
        let titles = (0..<6).map { "Song \($0)" }
        #expect(asked(past) == (titles, 0))
        #expect(past.window.titles(of: "demo").allSatisfy { $0.raw.block.isEmpty })
        let next = Past(disk: past.disk, time: past.time)
        next.window.follow(next.feed, armedSeconds: 3600)
        next.window.tick()
        #expect(asked(next) == (titles, 0))
        // Asked before the window has looked, it reads once.
        let early = Past(disk: past.disk, time: past.time)
        let first = asked(early)
        #expect(first.titles == titles && first.reads > 0)
        #expect(asked(early) == (titles, 0))
    }

    @Test("an armed station is kept connected, and for as long as it says")
    func armed() {
        let past = Past()
        past.window.follow(past.feed, armedSeconds: 3600)
        past.play(seconds: 120)
        #expect(past.feed.readerCount == 1)
        #expect(past.disk.paths.count >= 11)
    }
}

@Suite("Keeping what has been on the air")
struct KeepTests {
    private func recorder(_ past: Past, _ done: Lock<[RecordingFacts]>) -> Recorder {
        var settings = Recorder.Settings()
        settings.tickSeconds = 0.01
        return Recorder(
            settings: settings, disk: past.disk,
            sound: ScriptedSound(songs: [0, 40, 80], silences: [39.2...40, 79.2...80]),
            time: past.time
        ) { event in
            if case .finished(let facts) = event { done.withLock { $0.append(facts) } }
        }
    }

    @Test(
        "the last minute comes from memory or from the disk, to the frame that was on",
        arguments: [false, true])
    func last(fromDisk: Bool) throws {
        let past = Past(memorySeconds: fromDisk ? 5 : 300)
        past.window.follow(past.feed, armedSeconds: 3600)
        past.play(seconds: 100)
        let done = Lock<[RecordingFacts]>([])
        let recorder = recorder(past, done)
        var request = KeepRequest(.last(seconds: 60), folder: "/r")
        request.template = try NameTemplate("kept")
        let id = try recorder.keep(request, of: past.feed, window: fromDisk ? past.window : nil)
        recorder.wait(for: id)
        let verdict = Judge.verdict(on: past.audio("/r/kept.mp3"), of: past.source)
        #expect(verdict.isPerfect)
        #expect(verdict.last == past.nextFrame - 1)
        #expect(abs(Double(verdict.frames) * past.source.secondsPerUnit - 60) < 0.6)
        recorder.shutDown()
    }

    @Test(
        "a song is kept from its start, before it was asked for, to its end after", arguments: [false, true])
    func song(fromDisk: Bool) throws {
        let past = Past(memorySeconds: fromDisk ? 5 : 300)
        past.window.follow(past.feed, armedSeconds: 3600)
        past.title("One")
        past.play(seconds: 41)
        past.title("Two")
        past.play(seconds: 25)
        let done = Lock<[RecordingFacts]>([])
        let recorder = recorder(past, done)
        var request = KeepRequest(.song, folder: "/r")
        request.template = try NameTemplate("{title}")
        let id = try recorder.keep(request, of: past.feed, window: fromDisk ? past.window : nil)
        #expect(eventually(within: 10) { past.disk.paths.contains("/r/Two.mp3.part") })
        past.play(seconds: 15)
        past.title("Three")
        past.play(seconds: 20)
        recorder.wait(for: id)
        recorder.shutDown()
        let verdict = Judge.verdict(on: past.audio("/r/Two.mp3"), of: past.source)
        #expect(verdict.isPerfect)
        let (start, end) = (
            Double(verdict.first ?? 0) * past.source.secondsPerUnit,
            Double((verdict.last ?? 0) + 1) * past.source.secondsPerUnit
        )
        #expect((39.2...40).contains(start))
        #expect((79.2...80).contains(end))
        #expect(past.disk.paths.filter { $0.hasPrefix("/r/") && $0.hasSuffix(".mp3") } == ["/r/Two.mp3"])
    }
}

@Suite("The songs of the past")
struct SongHistoryTests {
    private func songs(_ titles: [(at: Double, text: String, kind: TitleClass)], edge: Double) -> [String] {
        let marks = titles.map { title in
            TitleMark(
                raw: RawTitle(source: .icy, text: Array(title.text.utf8)),
                text: TitleText(text: title.text, title: title.text, kind: title.kind),
                position: StreamPosition(nanoseconds: Int64(title.at * 1e9)), wall: WallTime(nanoseconds: 0))
        }
        return SongHistory(marks, edge: edge, rules: TrackRules()).songs.map {
            "\($0.text.text) \(Int($0.position.seconds))"
        }
    }

    @Test("an ident in mid song is none, and the song began before it")
    func ident() {
        let titles: [(Double, String, TitleClass)] = [
            (0, "A", .track), (60, "B", .track), (90, "Radio One!", .ident), (93, "B", .track),
        ]
        #expect(songs(titles, edge: 120) == ["A 0", "B 60"])
    }

    @Test("who asks in the first seconds of a song means this song")
    func young() {
        #expect(songs([(0, "A", .track), (60, "B", .track)], edge: 63) == ["A 0", "B 60"])
    }

    @Test("who joined in the last seconds of a song has not heard it")
    func joined() {
        #expect(songs([(0, "A", .track), (4, "B", .track)], edge: 60) == ["B 4"])
        #expect(songs([(0, "A", .track), (4, "B", .track), (60, "C", .track)], edge: 90) == ["B 4", "C 60"])
    }
}

@Suite("What can be done with recordings")
struct LibraryTests {
    private func recorded() throws -> RecordingRig {
        let sound = ScriptedSound(songs: [0, 40, 80], silences: [39.2...40, 79.2...80])
        let rig = try RecordingRig(sound: sound)
        for (title, ticks) in [("Ada - One", 157), ("Bob - Two", 153), ("Cid - Three", 100)] {
            rig.title(title)
            rig.run(ticks: ticks)
        }
        rig.end()
        return rig
    }

    private func recorder(_ rig: RecordingRig) -> Recorder {
        Recorder(
            disk: rig.disk, sound: ScriptedSound(songs: [0, 40, 80], silences: [39.2...40, 79.2...80]),
            time: rig.time)
    }

    @Test("verifying proves what is sound, and places damage to within a minute")
    func verify() throws {
        let rig = try recorded()
        let recorder = recorder(rig)
        #expect(try recorder.verify(rig.facts).isSound)
        var bytes = rig.disk.bytes("/r/a.mp3") ?? []
        bytes[Int(rig.facts.parts[0].audioOffset) + 3000 * 417 + 100] ^= 1
        rig.disk.put(bytes, at: "/r/a.mp3")
        guard case .damaged(let from, let to)? = try recorder.verify(rig.facts).files.first?.finding else {
            Issue.record("damage was not found")
            return
        }
        #expect(
            from <= 3000 * rig.source.secondsPerUnit && to >= 3000 * rig.source.secondsPerUnit
                && to - from < 60)
        rig.disk.put(Array(bytes.dropLast(4170)), at: "/r/a.mp3")
        rig.disk.unlink("/r/a.mp3")
        #expect(try recorder.verify(rig.facts).files.first?.finding == .missing)
    }

    @Test("a shortened file is short by so many frames")
    func short() throws {
        let rig = try RecordingRig()
        rig.run(ticks: 20)
        rig.end()
        rig.disk.put((rig.disk.bytes("/r/a.mp3") ?? []).dropLast(4170), at: "/r/a.mp3")
        #expect(try recorder(rig).verify(rig.facts).files.first?.finding == .short(frames: 10))
    }

    @Test("a finished recording can be taken apart anew, without losing a frame")
    func recut() throws {
        let rig = try recorded()
        let once = try recorder(rig).recut(rig.facts, into: TrackRequest(folder: "/r"))
        let facts = try recorder(rig).recut(once, into: TrackRequest(folder: "/r"))
        let tracks = facts.tracks
        #expect(tracks.map(\.text.text) == ["Ada - One", "Bob - Two", "Cid - Three"])
        #expect(rig.disk.paths.filter { $0.hasSuffix(".mp3") }.count == 4, "\(rig.disk.paths)")
        #expect(!rig.disk.paths.contains { $0.hasSuffix(".previous") })
        #expect(facts.titles.dropFirst().allSatisfy { $0.cutSeconds != nil })
        #expect(tracks.dropFirst().allSatisfy { $0.cut?.way == .silence })
        let numbers = tracks.flatMap { track -> [Int] in
            let bytes = rig.disk.bytes("/r/" + (track.name ?? "")) ?? []
            let tag = ID3.length(ofTagAt: bytes)
            let xing = XingFrame(at: Array(bytes.dropFirst(tag).prefix(2000)))?.bytes.count ?? 0
            return Judge.verdict(on: Array(bytes.dropFirst(tag + xing)), of: rig.source).numbers
        }
        #expect(numbers == Array(0..<rig.nextFrame))
    }

    @Test(
        "tracks stay as they are where new ones cannot be made, or would leave out audio that nothing else holds"
    )
    func recutRefused() throws {
        let rig = try recorded()
        let cut = try recorder(rig).recut(rig.facts, into: TrackRequest(folder: "/r"))
        let before = rig.disk.paths
        #expect(throws: RecordingError.self) {
            try recorder(rig).recut(cut, into: TrackRequest(folder: "/r")) { part throws(SystemError) in
                if part > 0.5 { throw SystemError(code: ECANCELED, while: "cutting") }
            }
        }
        #expect(rig.disk.paths == before)
        var alone = cut
        alone.parts = []
        var rules = TrackRules()
        rules.ignored = ["bob"]
        #expect(throws: RecordingError.self) {
            try recorder(rig).recut(alone, into: TrackRequest(folder: "/r", rules: rules))
        }
        #expect(rig.disk.paths == before)
    }

    @Test("a program killed while it cut anew loses no audio: the tracks get their names back")
    func killedWhileCutting() throws {
        let rig = try recorded()
        let cut = try recorder(rig).recut(rig.facts, into: TrackRequest(folder: "/r"))
        let names = cut.tracks.compactMap(\.name)
        let before = names.map { rig.disk.bytes("/r/" + $0) }
        // The state that the kill leaves: the old ones aside, one new one begun under the true name.
        func kill() throws {
            var aside = TracksAside(cut, disk: rig.disk)
            try aside.take()
            rig.disk.put([1, 2, 3], at: "/r/" + names[0])
        }
        try kill()
        _ = recorder(rig).recover(folder: "/r", isDeep: false)
        #expect(names.map { rig.disk.bytes("/r/" + $0) } == before)
        try kill()
        var aside = TracksAside(cut, disk: rig.disk)
        try aside.take()
        #expect(aside.facts.tracks.map { rig.disk.bytes("/r/" + ($0.name ?? "")) } == before)
    }

    @Test(
        "what a long job finds goes to the recording under its newest name; one that was deleted does not come back"
    )
    func amended() throws {
        let folder = try TemporaryFolder("amend")
        let database = try Database.open(folder.path("a.db"), schemas: [RecordingLibrary.schema])
        let library = RecordingLibrary(database: database)
        let rig = try RecordingRig(target: .library(folder: "/r", template: NameTemplate("old")))
        rig.run(ticks: 4)
        rig.end()
        library.keep(rig.facts)
        let recorder = Recorder(disk: rig.disk, journal: library, time: rig.time)
        _ = recorder.protect(rig.facts, true)
        _ = try recorder.rename(rig.facts, to: "new")
        let silences = [RecordedSilence(start: 1, end: 2)]
        let measured = try #require(recorder.amend(rig.facts) { $0.silences = silences })
        #expect(measured.keep && measured.fileName == "new.mp3" && measured.silences == silences)
        #expect(rig.disk.paths.allSatisfy { $0.hasPrefix("/r/new.") }, "\(rig.disk.paths)")
        try recorder.delete(rig.facts)
        #expect(recorder.amend(rig.facts) { $0.silences = [] } == nil)
        #expect(try library.recording(rig.facts.id) == nil && rig.disk.paths.isEmpty)
    }

    @Test("a span of the wall clock comes out as a file of its own")
    func export() throws {
        let rig = try recorded()
        let from = rig.facts.started.advanced(bySeconds: 30)
        let facts = try recorder(rig).export(
            [rig.facts], from: from, to: from.advanced(bySeconds: 20), target: .whole(path: "/r/span.mp3"))
        let made = try #require(facts)
        let bytes = Array((rig.disk.bytes("/r/span.mp3") ?? []).dropFirst(Int(made.parts[0].audioOffset)))
        let verdict = Judge.verdict(on: bytes, of: rig.source)
        #expect(verdict.isPerfect)
        #expect(abs(Double(verdict.frames) * rig.source.secondsPerUnit - 20) < 0.1)
        #expect(abs(Double(verdict.first ?? 0) * rig.source.secondsPerUnit - 30.2) < 0.3)
        #expect(made.titles.map(\.text.text) == ["Ada - One", "Bob - Two"])
    }

    @Test("renaming takes everything along, deleting leaves nothing")
    func shelf() throws {
        let rig = try RecordingRig(target: .library(folder: "/r", template: NameTemplate("old")))
        rig.title("A")
        rig.run(ticks: 4)
        rig.end()
        #expect(rig.disk.paths == ["/r/old.cue", "/r/old.json", "/r/old.mp3"])
        let recorder = recorder(rig)
        let renamed = try recorder.rename(rig.facts, to: "../new name")
        #expect(rig.disk.paths == ["/r/_..-new name.cue", "/r/_..-new name.json", "/r/_..-new name.mp3"])
        try recorder.delete(renamed)
        #expect(rig.disk.paths.isEmpty)
    }

    @Test("a hook is given facts, never words of a command")
    func hook() throws {
        let folder = try TemporaryFolder("hook")
        let rig = try RecordingRig()
        rig.title("$(touch\(folder.path("pwned"))); `id` \"'")
        rig.run(ticks: 4)
        rig.end()
        let script =
            "printf '%s|%s' \"$AIRCHECK_EVENT\" \"$AIRCHECK_TITLE\" > \(folder.path("out")); cat > \(folder.path("json"))"
        #expect(Hook(command: ["sh", "-c", script]).run("finished", rig.facts) == 0)
        let out = try String(contentsOfFile: folder.path("out"), encoding: .utf8)
        let text = rig.facts.titles.last?.text
        #expect(out == "finished|" + (text?.title ?? text?.text ?? ""))
        #expect(try String(contentsOfFile: folder.path("json"), encoding: .utf8).contains("\"aircheck\":1"))
        #expect(!FileManager.default.fileExists(atPath: folder.path("pwned")))
        #expect(Hook(command: ["/nowhere/at/all"]).run("finished", rig.facts) == nil)
        #expect(Hook(command: ["sleep", "5"], timeoutSeconds: 0.1).run("finished", rig.facts) == nil)
    }
}

import Feed
import Foundation
import MediaHelper
import Platform
import StreamFormats
import TestPrograms
import TestStations
import Testing

@testable import Recording

/// A helper whose M4A is a copy, and which measures until it is let go or not wanted any more.
private final class SlowTools: SoundSource, FileTools {
    let isMeasuring = Lock(false)
    let isReleased = Lock(false)

    func shape(format: AudioFormat, run: FrameRun) throws -> SoundShape { SoundShape(level: [], bands: []) }

    func remux(
        from source: any DiskFile, to target: any DiskFile, chapters: [MediaChapter], tags: [MediaTag]
    ) throws -> RemuxResult {
        try target.write(source.contents(limit: 1 << 20), at: 0)
        let scan = try FileScan(source)
        return RemuxResult(packets: scan.ledger.frames, seconds: scan.ledger.seconds)
    }

    func profile(of file: any DiskFile, isUnwanted: () -> Bool) throws -> SoundProfile {
        isMeasuring.withLock { $0 = true }
        while !isReleased.withLock({ $0 }) {
            if isUnwanted() { throw RecordingError.other("not wanted") }
            Thread.sleep(forTimeInterval: 0.01)
        }
        return SoundProfile(
            loudness: RecordedLoudness(integrated: nil, range: nil, truePeak: nil), silences: [], peaks: [])
    }
}

/// Notes what lies on the disk whenever something is told of an M4A.
private final class WatchingJournal: RecordingJournal {
    let disk: FakeDisk
    let seen = Lock<[[String]]>([])

    init(_ disk: FakeDisk) { self.disk = disk }

    func keep(_ facts: RecordingFacts) {
        guard facts.fileName?.hasSuffix(".m4a") == true else { return }
        let paths = disk.paths
        seen.withLock { $0.append(paths) }
    }
    func unfinished() -> [RecordingFacts] { [] }
    func newest(_ facts: RecordingFacts) -> RecordingFacts? { facts }
    func forget(_ id: RecordingID) {}
    func logged(station: String) -> [RecordingFacts]? { nil }
    func deleted(_ deletion: Deletion) {}
}

@Suite("After a recording", .serialized)
struct AftercareTests {
    private func record(
        _ kind: NumberedFrames.Kind, named name: String, _ recorder: Recorder
    ) throws -> RecordingID {
        let source = NumberedFrames(kind)
        let feed = Feed(station: Station(id: name, name: name, urls: []))
        feed.publish(format: RecordingRig.format(source))
        let id = try recorder.start(
            RecordingRequest(target: .library(folder: "/r", template: NameTemplate(name))), feed: feed)
        feed.publish(frames: RecordingRig.run(0..<200, source))
        #expect(eventually(within: 10) { (recorder.status(id)?.facts.frames ?? 0) >= 200 })
        try recorder.stop(id)
        return id
    }

    @Test("no other recording waits for measuring, and a recorder that ends does not either")
    func measuring() throws {
        let (disk, tools) = (FakeDisk(), SlowTools())
        var settings = Recorder.Settings()
        settings.measures = true
        let finished = Lock<[String]>([])
        let recorder = Recorder(settings: settings, disk: disk, sound: tools) { event in
            if case .finished(let facts) = event { finished.withLock { $0.append(facts.stationID) } }
        }
        _ = try record(.mp3, named: "long", recorder)
        #expect(eventually(within: 10) { tools.isMeasuring.withLock { $0 } })
        let other = try record(.adts, named: "other", recorder)
        #expect(eventually(within: 10) { finished.withLock { $0 } == ["long", "other"] })
        // It is told that it is finished before it is put away.
        #expect(eventually(within: 10) { recorder.status(other) == nil })
        #expect(disk.paths.contains("/r/other.m4a"))
        let start = SystemTime().now
        let ended = Lock(false)
        let end = WorkerThread(name: "end") {
            recorder.shutDown()
            ended.withLock { $0 = true }
        }
        #expect(eventually(within: 5) { ended.withLock { $0 } })
        #expect(SystemTime().now.seconds(since: start) < 5)
        tools.isReleased.withLock { $0 = true }
        end.join()
    }

    @Test("the ADTS stays until what is known of the recording names the M4A")
    func m4a() throws {
        let disk = FakeDisk()
        let journal = WatchingJournal(disk)
        let recorder = Recorder(disk: disk, journal: journal, sound: SlowTools())
        let id = try record(.adts, named: "a", recorder)
        recorder.wait(for: id)
        recorder.shutDown()
        let seen = journal.seen.withLock { $0 }
        #expect(seen.count == 1)
        #expect(seen.allSatisfy { $0.contains("/r/a.aac") && $0.contains("/r/a.m4a") })
        #expect(disk.paths == ["/r/a.json", "/r/a.m4a"])
    }
}

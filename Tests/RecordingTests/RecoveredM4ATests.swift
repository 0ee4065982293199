import Foundation
import MediaHelper
import Platform
import StreamFormats
import TestPrograms
import Testing

@testable import Recording

/// AAC in ADTS that a crash kept from becoming M4A.
@Suite(
    "M4A after a crash", .enabled(if: RunningProgram.isInstalled("ffmpeg"), "ffmpeg is not installed"))
struct RecoveredM4ATests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("m4a") }

    /// A minute of AAC with two titles, finished as ADTS: this recorder has no helper.
    private func recorded() throws -> RecordingFacts {
        let path = folder.path("source.bin")
        let made = try RunningProgram.run(
            "ffmpeg",
            [
                "-v", "error", "-y", "-f", "lavfi", "-i", "sine=frequency=440:duration=40", "-ac", "2",
                "-c:a",
                "aac", "-b:a", "64k", "-f", "adts", path,
            ], in: folder)
        try #require(made.exitCode == 0, "\(made.errors)")
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        try FileManager.default.removeItem(atPath: path)
        return try StreamFile.record(
            bytes, to: .library(folder: folder.path, template: NameTemplate("show")),
            titles: [(0, "One"), (20, "Two")])
    }

    /// The sidecar as it is in the middle of a recording.
    private func leaveOpen(_ facts: RecordingFacts, as name: String) throws {
        if name != "show.aac" {
            try FileManager.default.moveItem(atPath: folder.path("show.aac"), toPath: folder.path(name))
        }
        var open = facts
        open.state = .recording
        open.parts[0].name = name
        let root = try RealDisk().folder(folder.path, below: [], creating: false)
        try SidecarFile(folder: root).write(open, named: "show.json", durably: false)
    }

    private func recover() throws -> Recorder {
        let recorder = Recorder(sound: DecodedSound(MediaWorker(binary: try HelperBinary.find())))
        _ = recorder.recover(folder: folder.path, isDeep: true)
        return recorder
    }

    private func stored() throws -> RecordingFacts {
        try #require(LibraryWalk(disk: RealDisk()).sidecars(in: folder.path).first)
    }

    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    private func expectM4A(_ state: RecordingFacts.State, like facts: RecordingFacts) throws {
        #expect(
            eventually(within: 20) { (try? stored())?.parts.first?.name == "show.m4a" }, "\(names)")
        let found = try stored()
        #expect(found.state == state)
        #expect(found.frames == facts.frames && found.titles.map(\.text.text) == ["One", "Two"])
        #expect(try Recorder().verify(found).isSound)
        #expect(names.filter { $0.hasPrefix("show.") } == ["show.cue", "show.json", "show.m4a"])
        let probed = try RunningProgram.run(
            "ffprobe",
            [
                "-v", "error", "-show_entries", "chapter_tags=title", "-of", "csv=p=0",
                folder.path("show.m4a"),
            ],
            in: folder)
        #expect(probed.output.split(separator: "\n") == ["One", "Two"], "\(probed)")
    }

    @Test("an interrupted recording becomes M4A on the next start, with its chapters; the ADTS goes then")
    func interrupted() throws {
        let facts = try recorded()
        try leaveOpen(facts, as: "show.aac.part")
        let recorder = try recover()
        try expectM4A(.interrupted, like: facts)
        recorder.shutDown()
    }

    @Test("a finished one whose M4A was only half made gets a whole one")
    func halfMade() throws {
        let facts = try recorded()
        _ = try folder.write("show.m4a.part", "half")
        let recorder = try recover()
        try expectM4A(.finished, like: facts)
        recorder.shutDown()
    }

    @Test("one that was asked for by name stays what it is")
    func whole() throws {
        let facts = try recorded()
        try leaveOpen(facts, as: "show.aac")
        let recorder = try recover()
        #expect(try stored().state == .interrupted)
        Thread.sleep(forTimeInterval: 1)
        recorder.shutDown()
        #expect(try stored().parts.map(\.name) == ["show.aac"])
    }
}

import Feed
import Foundation
import MediaHelper
import Platform
import StreamFormats
import TestPrograms
import TestStations
import Testing

@testable import Recording

/// Pictures that are there at once, or come later.
private final class FakePictures: PictureSource {
    private let held: Lock<[PictureWish: TagFields.Picture]>
    private let looked = Lock<Set<PictureWish>>([])
    let mayCome: Bool

    init(_ held: [PictureWish: TagFields.Picture], mayCome: Bool = true) {
        self.held = Lock(held)
        self.mayCome = mayCome
    }

    func look(for wish: PictureWish) -> Bool {
        looked.withLock { _ = $0.insert(wish) }
        return mayCome
    }

    func found(_ wish: PictureWish) -> TagFields.Picture? { held.withLock { $0[wish] } }

    func come(_ wish: PictureWish, _ picture: TagFields.Picture) { held.withLock { $0[wish] = picture } }

    var wishes: Set<PictureWish> { looked.withLock { $0 } }
}

@Suite("Pictures in tags")
struct PictureTests {
    private static let logo = picture(1, 5000)
    private static let station = PictureWish.station("demo")

    private static func picture(_ seed: UInt8, _ count: Int) -> TagFields.Picture {
        let bytes = [0xFF, 0xD8, 0xFF] + (0..<count).map { UInt8(truncatingIfNeeded: $0 &* Int(seed)) }
        return TagFields.Picture(mediaType: "image/jpeg", bytes: bytes)
    }

    private func pictures(_ bytes: [UInt8]?) -> [[UInt8]] {
        ID3Tag((bytes ?? [])[...])?.pictures.map(\.data) ?? []
    }

    @Test("only JPEG and PNG of some size are taken")
    func kinds() {
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
        #expect(TagFields.Picture(jpeg)?.mediaType == "image/jpeg")
        #expect(
            TagFields.Picture([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0])?.mediaType == "image/png")
        #expect(TagFields.Picture(Array("<svg onload=x>".utf8)) == nil)
        #expect(TagFields.Picture(Array("GIF89a".utf8)) == nil)
        #expect(TagFields.Picture([]) == nil)
        #expect(TagFields.Picture(jpeg + [UInt8](repeating: 0, count: 256 << 10)) == nil)
    }

    @Test(
        "the station's is in the whole file, whether it was there at the start or came later; the audio never moves",
        arguments: [false, true])
    func whole(late: Bool) throws {
        let pictures = FakePictures(late ? [:] : [Self.station: Self.logo])
        let rig = try RecordingRig(pictures: pictures)
        rig.title("A - One")
        rig.run(ticks: 4)
        pictures.come(Self.station, Self.logo)
        rig.run(ticks: 4)
        rig.end()
        let bytes = rig.disk.bytes("/r/a.mp3")
        #expect(self.pictures(bytes) == [Self.logo.bytes])
        #expect(ID3.read(bytes ?? [])?.chapters.map(\.title) == ["A - One"])
        #expect(rig.verdict.isPerfect && rig.verdict.numbers == Array(0..<rig.nextFrame))
    }

    @Test("a picture that leaves no room for the chapters gives way to them")
    func chaptersFirst() throws {
        var settings = Recorder.Settings()
        settings.tagBytes = 8 << 10
        let pictures = FakePictures([:])
        let rig = try RecordingRig(settings: settings, pictures: pictures)
        for number in 0..<60 {
            rig.title("Artist - Song \(number)")
            rig.run(ticks: 1)
        }
        pictures.come(Self.station, Self.logo)
        rig.end()
        #expect(self.pictures(rig.disk.bytes("/r/a.mp3")).isEmpty)
        #expect(ID3.read(rig.disk.bytes("/r/a.mp3") ?? [])?.chapters.count == 60)
        #expect(rig.verdict.isPerfect)
    }

    @Test("what was in the tag at the start is still there after a crash")
    func crash() throws {
        let rig = try RecordingRig(
            target: .library(folder: "/r", template: NameTemplate("a")),
            pictures: FakePictures([Self.station: Self.logo]))
        rig.title("A - One")
        rig.run(ticks: 6)
        rig.session.keep(journal: NoJournal())
        let closed = Recorder(disk: rig.disk, time: rig.time).recover(folder: "/r", isDeep: false)
        #expect(closed.first?.state == .interrupted)
        #expect(pictures(rig.disk.bytes("/r/a.mp3")) == [Self.logo.bytes])
        #expect(ID3.read(rig.disk.bytes("/r/a.mp3") ?? [])?.chapters.map(\.title) == ["A - One"])
    }

    /// Three songs: a picture in the title itself, one behind an address, none.
    private func record(_ pictures: FakePictures, carried: [UInt8]) throws -> RecordingRig {
        let request = TrackRequest(folder: "/r")
        let rig = try RecordingRig(target: nil, pictures: pictures, change: { $0.tracks = request })
        func title(_ text: String, artwork: String? = nil, picture: [UInt8] = []) {
            let apic =
                Array("APIC".utf8) + [0, 0] + [
                    UInt8(14 + picture.count >> 7), UInt8((14 + picture.count) & 0x7F),
                ]
                + [0, 0, 3] + Array("image/jpeg".utf8) + [0, 3, 0] + picture
            let tag =
                [0x49, 0x44, 0x33, 4, 0, 0, 0, 0, UInt8(apic.count >> 7), UInt8(apic.count & 0x7F)] + apic
            rig.feed.publish(
                title: RawTitle(source: .id3, text: Array(text.utf8), block: picture.isEmpty ? [] : tag),
                reading: TitleText(
                    text: text, title: text, kind: .track, details: TitleDetails(artwork: artwork)))
        }
        title("One", picture: carried)
        rig.run(ticks: 70)
        title("Two", artwork: "http://radio.example/two.jpg")
        rig.run(ticks: 70)
        title("Three")
        rig.run(ticks: 70)
        rig.end()
        return rig
    }

    @Test(
        "a track has the picture that came with its title, else the one its title names, else the station's")
    func tracks() throws {
        let carried = Self.picture(3, 300).bytes
        let address = PictureWish.title(address: "http://radio.example/two.jpg", station: "demo")
        let cover = Self.picture(5, 700)
        let sources = FakePictures([Self.station: Self.logo, address: cover])
        let rig = try record(sources, carried: carried)
        #expect(sources.wishes == [Self.station, address])
        let files = rig.facts.tracks.map { rig.disk.bytes("/r/" + ($0.name ?? "")) ?? [] }
        #expect(files.map(pictures) == [[carried], [cover.bytes], [Self.logo.bytes]])
        let numbers = files.flatMap { bytes -> [Int] in
            let tag = ID3.length(ofTagAt: bytes)
            let xing = XingFrame(at: Array(bytes.dropFirst(tag).prefix(2000)))?.bytes.count ?? 0
            return Judge.verdict(on: Array(bytes.dropFirst(tag + xing)), of: rig.source).numbers
        }
        #expect(numbers == Array(0..<rig.nextFrame))
    }

    @Test("without any picture a track's tag takes no more room than before")
    func none() throws {
        let rig = try record(FakePictures([:], mayCome: false), carried: [])
        let last = rig.disk.bytes("/r/" + (rig.facts.tracks.last?.name ?? "")) ?? []
        #expect(ID3.length(ofTagAt: last) == 8 << 10)
        #expect(pictures(last).isEmpty)
    }
}

@Suite(
    "Pictures in files, as ffprobe reads them",
    .enabled(if: RunningProgram.isInstalled("ffmpeg"), "ffmpeg is not installed"))
struct PictureFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("pictures") }

    private func made(_ arguments: [String], _ name: String) throws -> [UInt8] {
        let path = folder.path(name)
        let done = try RunningProgram.run("ffmpeg", ["-v", "error", "-y"] + arguments + [path], in: folder)
        try #require(done.exitCode == 0, "\(done.errors)")
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    @Test(
        "APIC, covr, METADATA_BLOCK_PICTURE and FLAC's block hold the very bytes",
        arguments: [
            (["-c:a", "libmp3lame", "-b:a", "64k", "-write_xing", "0", "-id3v2_version", "0"], "mp3", "mp3"),
            (["-c:a", "aac", "-b:a", "64k"], "aac", "m4a"), (["-c:a", "libvorbis"], "ogg", "ogg"),
            (["-c:a", "libopus"], "opus", "opus"), (["-c:a", "flac"], "flac", "flac"),
        ])
    func covers(encoder: [String], source: String, ext: String) throws {
        let helper = (try? HelperBinary.find()).map { DecodedSound(MediaWorker(binary: $0)) }
        try #require(helper != nil || ext != "m4a", "aircheck-media has not been built")
        let cover = try made(["-f", "lavfi", "-i", "testsrc=s=96x96", "-frames:v", "1"], "cover.png")
        let picture = try #require(TagFields.Picture(cover))
        let sent = try made(
            ["-f", "lavfi", "-i", "sine=frequency=440:duration=12:sample_rate=48000", "-ac", "2"] + encoder,
            "source.\(source)")
        let facts = try StreamFile.record(
            sent, to: .library(folder: folder.path, template: NameTemplate("show")),
            sound: ext == "m4a" ? helper : nil, pictures: FakePictures([.station("o"): picture]))
        let path = folder.path("show.\(ext)")
        #expect(facts.path == path)
        // As a player takes it out.
        let out = folder.path("out.png")
        let taken = try RunningProgram.run(
            "ffmpeg", ["-v", "error", "-y", "-i", path, "-map", "0:v", "-c", "copy", "-f", "image2", out],
            in: folder)
        #expect(taken.exitCode == 0 && taken.errors.isEmpty, "\(taken.errors)")
        #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: out))) == cover)
        let decoded = try RunningProgram.run(
            "ffmpeg", ["-v", "error", "-i", path, "-map", "0:a", "-f", "null", "-"], in: folder)
        #expect(decoded.errors.isEmpty, "\(decoded.errors)")
        #expect(try Recorder().verify(facts).isSound)
        #expect(abs(facts.seconds - 12) < 0.1)
    }
}

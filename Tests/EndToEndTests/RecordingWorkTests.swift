import Foundation
import JSONText
import TestPrograms
import TestStations
import Testing

/// What is done with a recording once it is over, typed as a user types it.
@Suite("EndToEnd: work on recordings", .serialized)
struct RecordingWorkTests {
    private let folder: TemporaryFolder
    private let source = NumberedFrames(.mp3)

    init() throws { folder = try TemporaryFolder("work") }

    private func audio(_ path: String) throws -> [UInt8] {
        Array(MP3File(try Data(contentsOf: URL(fileURLWithPath: path))).audio)
    }

    private func json(_ service: AircheckService, _ words: [String]) throws -> JSONValue {
        let answer = try service.command(words + ["--json"])
        #expect(answer.exitCode == 0, "\(words): \(answer.errors)")
        return try JSONValue.parse(answer.output, limit: 4 << 20)
    }

    private func trackPaths(_ recording: JSONValue) -> [String] {
        let root = recording["track_folder"]?.string ?? ""
        return (recording["tracks"]?.array ?? []).compactMap { track in
            let folders = track["folders"]?.array?.compactMap(\.string) ?? []
            return track["name"]?.string.map { ([root] + folders + [$0]).joined(separator: "/") }
        }
    }

    @Test(
        "tracks are cut anew without losing a frame, spans come out by chapter, place and clock, and hooks hear of it"
    )
    func work() throws {
        let unit = { (seconds: Double) in Int(seconds / source.secondsPerUnit) }
        let titles: [Programme.Title] = [
            .init(at: 0, "Ada - One"), .init(at: unit(25), "Bob - Two"), .init(at: unit(45), "Cid - Three"),
        ]
        // All of it comes with the first byte, as from a server with a long burst.
        let air = try ScriptedStation(
            Programme(source, titles: titles, past: 60),
            script: { _ in Step.icecast() + [.burst(59), .play(600)] })
        let hook = try folder.write(
            "hook.sh",
            "#!/bin/sh\necho \"$AIRCHECK_EVENT|$AIRCHECK_STATION|$AIRCHECK_TITLE|$AIRCHECK_FILE\" >> \"$1\"\n"
        )
        chmod(hook, 0o755)
        let told = folder.path("told")
        let service = try AircheckService(
            in: folder,
            stations: "[[station]]\nid = \"air\"\nname = \"Air\"\nurls = [\"\(air.url())\"]\nlocal = true\n",
            settings: """
                [player]
                output = "null"
                [hooks]
                finished = ["\(hook)", "\(told)"]
                track = ["\(hook)", "\(told)"]
                """)
        let begun = try service.call("POST", "/api/v1/recordings", ["station": "air", "split": true])
        let running = "/api/v1/recordings/\(begun["id"]?.string ?? "")"
        func length() -> Double { (try? service.get(running)["seconds"]?.double) ?? 0 }
        #expect(eventually(within: 40) { length() > 61 })
        let whole = try service.call("POST", running + "/stop", nil)
        let path = whole["path"]?.string ?? ""
        let frames = Judge.verdict(on: try audio(path), of: source)
        #expect(frames.isPerfect && Double(frames.frames) * source.secondsPerUnit > 55)
        #expect(
            trackPaths(whole).compactMap { $0.split(separator: "/").last.map(String.init) } == [
                "Ada - One (incomplete).mp3", "Bob - Two.mp3", "Cid - Three (incomplete).mp3",
            ])

        // Anew, with another rule, and then again: the names are the same, and so are the frames.
        let pieces = try json(service, ["recordings", "cut", "last", "--piece", "30s"])
        #expect(trackPaths(pieces).count == 1, "\(trackPaths(pieces))")
        let again = try json(service, ["recordings", "cut", "last"])
        #expect(trackPaths(again) == trackPaths(whole))
        let numbers = try trackPaths(again).flatMap { Judge.verdict(on: try audio($0), of: source).numbers }
        #expect(numbers == frames.numbers)
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path("Music"))
        #expect(
            files.filter { $0.hasSuffix(".mp3") }.count == 4 && !files.contains { $0.hasSuffix(".previous") })

        let shown = try service.command(["recordings", "show", "last"])
        #expect(shown.output.contains("Bob - Two") && shown.output.contains("2  0:2"), "\(shown.output)")
        let chapter = try json(service, ["recordings", "export", "last", "--chapter", "2"])
        let two = Judge.verdict(on: try audio(chapter["path"]?.string ?? ""), of: source)
        #expect(two.isPerfect && abs(Double(two.frames) * source.secondsPerUnit - 20) < 2, "\(two)")
        let id = whole["id"]?.string ?? ""
        let span = try json(service, ["recordings", "export", id, "--from", "10s", "--to", "22s"])
        let part = Judge.verdict(on: try audio(span["path"]?.string ?? ""), of: source)
        #expect(part.isPerfect && abs(Double(part.frames) * source.secondsPerUnit - 12) < 0.1, "\(part)")
        #expect(part.first.map { $0 - (frames.first ?? 0) } == Int((10 / source.secondsPerUnit).rounded()))
        for wrong in [["--chapter", "9"], ["--from", "2h"], ["--from", "20s", "--to", "10s"]] {
            let refused = try service.command(["recordings", "export", id] + wrong)
            #expect(refused.exitCode == 65, "\(wrong): \(refused.output)\(refused.errors)")
        }
        let verified = try service.command(["recordings", "verify", id])
        #expect(verified.exitCode == 0 && verified.output.contains("4 files"), "\(verified.output)")

        #expect(try service.command(["recordings", "keep", id]).exitCode == 0)
        #expect(try service.command(["recordings", "played", id, "--at", "12s"]).exitCode == 0)
        let row = try service.get("/api/v1/recordings")["recordings"]?.array?.first { $0["id"]?.string == id }
        #expect(row?["listening"]?["position"]?.double == 12)
        let listed = try service.command(["recordings", "list", "--station", "air", "--search", "two"])
        #expect(listed.output.contains("kept"), "\(listed.output)")
        #expect(
            eventually(within: 20) {
                (try? service.get("/api/v1/recordings/\(id)/waveform?points=10")["peaks"]?.array?.count) == 10
            })
        // Tracks alone, and nothing is left of them.
        let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path("Music")).sorted()
        let alone = try json(service, ["record", "air", "--for", "2s", "--split", "--no-whole"])
        #expect(alone["files"]?.array?.isEmpty == true && trackPaths(alone).count == 1, "\(alone)")
        #expect((alone["seconds"]?.double ?? 0) > 1)
        let gone = try service.command(["recordings", "delete", alone["id"]?.string ?? "", "--yes"])
        #expect(gone.exitCode == 0, "\(gone.errors)")
        #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path("Music")).sorted() == before)
        let lines = try String(contentsOfFile: told, encoding: .utf8).split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("finished|air|") && $0.hasSuffix(path) }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("track|air|Two|") && $0.hasSuffix("Two.mp3") }, "\(lines)")
        service.stop()
        air.stop()
    }

    /// A recording in the library of so many seconds, which came at once.
    private func long(_ service: AircheckService, seconds: Double) throws -> String {
        let begun = try service.call("POST", "/api/v1/recordings", ["station": "air"])
        let id = begun["id"]?.string ?? ""
        #expect(
            eventually(within: 150) {
                ((try? service.get("/api/v1/recordings/\(id)")["seconds"]?.double) ?? 0) > seconds
            })
        _ = try service.call("POST", "/api/v1/recordings/\(id)/stop", nil)
        return id
    }

    @Test("a job that runs and one that waits are cancelled, by the command and over REST, and leave nothing")
    func cancelled() throws {
        let air = try ScriptedStation(
            Programme(source, titles: [.init(at: 0, "Ada - One")], past: 6200),
            script: { _ in Step.icecast() + [.burst(6100), .play(600)] })
        let service = try AircheckService(
            in: folder,
            stations: "[[station]]\nid = \"air\"\nname = \"Air\"\nurls = [\"\(air.url())\"]\nlocal = true\n",
            settings: "[player]\noutput = \"null\"\n[recording]\nmeasure = false\n")
        let id = try long(service, seconds: 4500)
        let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path("Music")).sorted()
        // Over an hour takes seconds to measure; what comes behind waits.
        let measuring = try service.call("POST", "/api/v1/recordings/\(id)/measure", nil)
        #expect(measuring["state"]?.string == "running", "\(measuring)")
        let exporting = try service.call("POST", "/api/v1/recordings/\(id)/export", ["from": 10, "to": 2900])
        #expect(exporting["state"]?.string == "waiting", "\(exporting)")
        let jobs = try service.command(["recordings", "jobs"])
        #expect(jobs.output.contains("measure") && jobs.output.contains("running"), "\(jobs.output)")
        let second = try service.command(["recordings", "cancel", exporting["id"]?.string ?? ""])
        #expect(second.exitCode == 0, "\(second.errors)")
        let asked = Date()
        let first = try service.call("DELETE", "/api/v1/jobs/\(measuring["id"]?.string ?? "")", nil)
        #expect(first["state"]?.string == "cancelled", "\(first)")
        #expect(Date().timeIntervalSince(asked) < 2)
        let states = try service.get("/api/v1/jobs")["jobs"]?.array?.map { $0["state"]?.string }
        #expect(states == ["cancelled", "cancelled"])
        #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path("Music")).sorted() == before)
        #expect(try service.get("/api/v1/recordings/\(id)")["loudness"]?.isNull == true)
        let gone = try service.command(["recordings", "cancel", measuring["id"]?.string ?? ""])
        #expect(gone.exitCode != 0 && gone.errors.contains("over already"), "\(gone.errors)")
        #expect(try service.command(["recordings", "cancel", "nothing"]).exitCode != 0)
        // The recording is free again.
        #expect(try json(service, ["recordings", "verify", id])["state"]?.string == "verified")
        service.stop()
        air.stop()
    }

    @Test("the files of a recording are served one by one, and what is not there is said")
    func files() throws {
        let air = try ScriptedStation(
            Programme(source), script: { _ in Step.icecast() + [.burst(2), .play(600)] })
        let service = try AircheckService(
            in: folder,
            stations: "[[station]]\nid = \"air\"\nname = \"Air\"\nurls = [\"\(air.url())\"]\nlocal = true\n",
            settings: "[player]\noutput = \"null\"\n[recording]\nmeasure = false\n")
        let begun = try service.call("POST", "/api/v1/recordings", ["station": "air"])
        let id = begun["id"]?.string ?? ""
        func facts() -> JSONValue { (try? service.get("/api/v1/recordings/\(id)")) ?? .null }
        #expect(eventually(within: 15) { (facts()["seconds"]?.double ?? 0) > 3 })
        // Its file is deleted under it: another one begins.
        try FileManager.default.removeItem(atPath: facts()["path"]?.string ?? "")
        #expect(eventually(within: 20) { (facts()["files"]?.array?.count ?? 0) == 2 })
        Thread.sleep(forTimeInterval: 2)
        let stopped = try service.call("POST", "/api/v1/recordings/\(id)/stop", nil)
        let names = stopped["files"]?.array?.compactMap { $0["name"]?.string } ?? []
        #expect(names.count == 2)
        func fetch(_ query: String) throws -> (code: String, bytes: Data) {
            let path = folder.path("fetched")
            let done = try RunningProgram.run(
                "curl",
                [
                    "-s", "-o", path, "-w", "%{http_code}",
                    "\(service.address)/api/v1/recordings/\(id)/audio\(query)",
                ], in: folder)
            return (done.output, try Data(contentsOf: URL(fileURLWithPath: path)))
        }
        let second = try fetch("?file=2")
        let root = (stopped["path"]?.string ?? "") as NSString
        let stored = try Data(
            contentsOf: URL(fileURLWithPath: root.deletingLastPathComponent + "/" + names[1]))
        #expect(second.code == "200" && second.bytes == stored && stored.count > 1000)
        #expect(try fetch("?file=1").code == "404")
        #expect(try fetch("?file=3").code == "404")
        for wrong in ["0", "-1", "x", "99999999999999999999"] {
            #expect(try fetch("?file=" + wrong).code == "400", "\(wrong)")
        }
        service.stop()
        air.stop()
    }

    @Test("a recording is listed, shown, served by ranges and decoded while it is written")
    func growing() throws {
        let air = try ScriptedStation(
            Programme(source, titles: [.init(at: 0, "Ada - One")], past: 60),
            script: { _ in Step.icecast() + [.burst(20), .play(600)] })
        let service = try AircheckService(
            in: folder,
            stations: "[[station]]\nid = \"air\"\nname = \"Air\"\nurls = [\"\(air.url())\"]\nlocal = true\n",
            settings: "[player]\noutput = \"null\"\n")
        let id = try service.call("POST", "/api/v1/recordings", ["station": "air"])["id"]?.string ?? ""
        func seconds() -> Double {
            (try? service.get("/api/v1/recordings/\(id)")["seconds"]?.double ?? 0) ?? 0
        }
        #expect(eventually(within: 15) { seconds() > 20 })
        let listed = try service.command(["recordings", "list", "--state", "recording"])
        #expect(listed.output.contains(id) && listed.output.contains(".mp3.part"), "\(listed.output)")
        let shown = try service.command(["recordings", "show", "last"])
        #expect(shown.output.contains("Ada - One"), "\(shown.output)")

        let url = "\(service.address)/api/v1/recordings/\(id)/audio"
        func fetch(_ name: String, _ range: String) throws -> (head: String, size: Int) {
            let answer = try RunningProgram.run(
                "curl", ["-s", "-D", "-", "-o", folder.path(name), "-r", range, url], in: folder)
            return (answer.output, try Data(contentsOf: URL(fileURLWithPath: folder.path(name))).count)
        }
        let first = try fetch("first", "0-9999")
        #expect(first.head.contains(" 206 ") && first.head.contains("audio/mpeg"), "\(first.head)")
        #expect(first.size == 10_000)
        let rest = try fetch("rest", "10000-")
        Thread.sleep(forTimeInterval: 1)
        let later = try fetch("later", "10000-")
        #expect(later.size > rest.size, "the file has grown from \(rest.size)")
        let decoded = try RunningProgram.run(
            "ffmpeg", ["-v", "error", "-i", url, "-f", "null", "-"], in: folder)
        #expect(decoded.exitCode == 0, "\(decoded.errors)")
        // What was served before is the beginning of what it has become.
        let finished = try service.call("POST", "/api/v1/recordings/\(id)/stop", nil)
        let whole = try Data(contentsOf: URL(fileURLWithPath: finished["path"]?.string ?? ""))
        let pieces = try ["first", "later"].map {
            try Data(contentsOf: URL(fileURLWithPath: folder.path($0)))
        }
        let offset = finished["files"]?.array?.first?["audio_offset"]?.int ?? 0
        let served = pieces[0] + pieces[1]
        #expect(
            served.dropFirst(Int(offset)) == whole.dropFirst(Int(offset)).prefix(served.count - Int(offset)))
        service.stop()
        air.stop()
    }

    @Test(
        "AAC becomes M4A, and that is verified, cut and exported like anything else",
        .enabled(
            if: ["icecast2", "ffmpeg", "ffprobe"].allSatisfy(RunningProgram.isInstalled),
            "needs icecast2 and ffmpeg"))
    func m4a() throws {
        let icecast = try Icecast(in: folder)
        let studio = try FFmpegSource.tone(660, as: .aac, to: icecast, mount: "live.aac", in: folder)
        let service = try AircheckService(
            in: folder,
            stations: """
                [[station]]
                id = "air"
                name = "Air"
                urls = ["\(icecast.url("live.aac"))"]
                local = true
                """,
            settings: "[player]\noutput = \"null\"\n[tracks]\npiece = \"2s\"\n")
        #expect(
            eventually(within: 10) {
                (try? icecast.setTitle("Ada - One", mount: "live.aac", in: folder)) != nil
            })
        let id = try service.call("POST", "/api/v1/recordings", ["station": "air"])["id"]?.string ?? ""
        #expect(
            eventually(within: 20) {
                (try? service.get("/api/v1/recordings/\(id)")["seconds"]?.double ?? 0) ?? 0 > 5
            })
        try icecast.setTitle("Bob - Two", mount: "live.aac", in: folder)
        Thread.sleep(forTimeInterval: 7)
        let recording = try service.call("POST", "/api/v1/recordings/\(id)/stop", nil)
        #expect(
            eventually(within: 20) {
                (try? service.get("/api/v1/recordings/\(id)")["path"]?.string?.hasSuffix(".m4a")) == true
            }, "\(recording)")
        let path = try service.get("/api/v1/recordings/\(id)")["path"]?.string ?? ""
        let seconds = try service.get("/api/v1/recordings/\(id)")["seconds"]?.double ?? 0
        #expect(!FileManager.default.fileExists(atPath: String(path.dropLast(3)) + "aac"))
        let probe = try RunningProgram.run(
            "ffprobe",
            ["-v", "error", "-show_entries", "format=duration", "-show_chapters", "-of", "csv", path],
            in: folder)
        #expect(probe.output.contains("Bob - Two"), "\(probe.output)")
        let verified = try service.command(["recordings", "verify", id])
        #expect(verified.exitCode == 0, "\(verified.output)\(verified.errors)")
        let cut = try json(service, ["recordings", "cut", id])
        let tracks = cut["tracks"]?.array ?? []
        #expect(tracks.count == 2, "\(tracks)")
        let length = tracks.reduce(0.0) {
            $0 + ($1["end_seconds"]?.double ?? 0) - ($1["start_seconds"]?.double ?? 0)
        }
        #expect(abs(length - seconds) < 0.05, "\(length) of \(seconds)")
        for track in trackPaths(cut) {
            let decoded = try RunningProgram.run(
                "ffmpeg", ["-v", "error", "-i", track, "-f", "null", "-"], in: folder)
            #expect(decoded.exitCode == 0 && decoded.errors.isEmpty, "\(decoded.errors)")
        }
        let span = try json(service, ["recordings", "export", id, "--from", "1s", "--to", "4s"])
        #expect(span["path"]?.string?.hasSuffix(".m4a") == true)
        #expect(abs((span["seconds"]?.double ?? 0) - 3) < 0.05)
        service.stop()
        studio.stop()
        icecast.stop()
    }
}

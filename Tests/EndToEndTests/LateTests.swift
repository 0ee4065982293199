import Foundation
import JSONText
import Platform
import TestPrograms
import TestStations
import Testing

/// A station some time late: the same bytes and titles, so many seconds after they were on the air.
@Suite("EndToEnd: late", .serialized)
struct LateTests {
    private let source = NumberedFrames(.mp3)

    private func seconds(_ frames: Int) -> Double { Double(frames) * source.secondsPerUnit }

    /// Nothing lost, doubled or strange, but for the frame in which the listener left.
    private func isWhole(_ verdict: Judge.Verdict) -> Bool {
        verdict.lost == 0 && verdict.doubled == 0 && verdict.strayBytes < source.frameLength
            && verdict.frames > 100
    }

    private func heard(_ folder: TemporaryFolder, _ name: String) throws -> (
        judge: Judge.Verdict, titles: [String]
    ) {
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: folder.path(name))))
        let stream = IcyStream(bytes, interval: 16_000)
        return (Judge.verdict(on: stream.audio, of: source), stream.titles)
    }

    private func listen(_ url: String, into file: String, in folder: TemporaryFolder) throws -> RunningProgram
    {
        try RunningProgram(
            "curl", ["-s", "-g", "-N", "-H", "Icy-MetaData: 1", "-o", folder.path(file), url], in: folder,
            name: file)
    }

    private func status(_ url: String, in folder: TemporaryFolder) throws -> (code: String, text: String) {
        let answer = try RunningProgram.run(
            "curl", ["-s", "-g", "-m", "10", "-w", "\n%{http_code}", url], in: folder, within: 20
        ).output.split(separator: "\n").map(String.init)
        return (answer.last ?? "", answer.dropLast().joined(separator: " "))
    }

    @Test(
        "delay, since, from=song and a name of the settings are the station's bytes so much late, and its titles with them"
    )
    func late() throws {
        let folder = try TemporaryFolder("late")
        let past = Int(10 / source.secondsPerUnit)
        // The second song begins 14 s after the station is there.
        let second = past + Int(14 / source.secondsPerUnit)
        let programme = Programme(
            source, titles: [.init(at: 0, "First - One"), .init(at: second, "Second - Two")], past: 10)
        let air = try ScriptedStation(programme, script: { _ in Step.icecast() + [.burst(2), .play(600)] })
        let service = try AircheckService(
            in: folder,
            stations:
                "[[station]]\nid = \"air\"\nname = \"Air\"\nurls = [\"\(air.url())\"]\nlocal = true\nwindow = \"1h\"\n",
            settings: "[player]\noutput = \"null\"\n[relay]\ndelayed = [\"air-later air 12s\"]\n")

        // Too early: the answer says what is held, and since when.
        let early = try status(service.address + "/air?delay=5h", in: folder)
        #expect(early.code == "404" && early.text.contains("Air's past"), "\(early)")
        for wrong in ["delay=soon", "since=25:99", "since=1700-01-01T00:00", "delay=-3"] {
            let answer = try status(service.address + "/air?" + wrong, in: folder)
            #expect(answer.code == "400", "\(wrong): \(answer)")
        }
        #expect(try status(service.address + "/nothing?delay=5s", in: folder).code == "404")

        // The armed station is connected though nobody listens.
        #expect(
            eventually(within: 40) {
                (try? service.get("/api/v1/stations/air/now"))?["now"]?["text"]?.string == "Second - Two"
            })
        Thread.sleep(forTimeInterval: 3)
        let live = try listen(service.address + "/air", into: "live", in: folder)
        let delayed = try listen(service.address + "/air?delay=12s", into: "delayed", in: folder)
        let named = try listen(service.address + "/air-later", into: "named", in: folder)
        let again = try listen(service.address + "/air?delay=12", into: "again", in: folder)
        let song = try listen(service.address + "/air?from=song", into: "song", in: folder)
        Thread.sleep(forTimeInterval: 12)
        let status = try service.get("/api/v1/status")
        for program in [live, delayed, named, again, song] { program.stop() }

        let now = try heard(folder, "live")
        #expect(isWhole(now.judge) && now.titles == ["Second - Two"], "\(now)")
        for name in ["delayed", "named", "again"] {
            let then = try heard(folder, name)
            #expect(isWhole(then.judge), "\(name): \(then.judge)")
            // At its start it had no title but the first; the second came with the frame that it belongs to.
            #expect(then.titles == ["First - One", "Second - Two"], "\(name): \(then.titles)")
            let behind = seconds((now.judge.last ?? 0) - (then.judge.last ?? 0))
            // Both have bursts of their own: live three seconds of past at least, late five.
            #expect(behind > 5 && behind < 14, "\(name) is \(behind) s behind")
        }
        let fromSong = try heard(folder, "song")
        #expect(isWhole(fromSong.judge) && fromSong.titles == ["Second - Two"], "\(fromSong)")
        // Titles come through ICY, by up to one interval late, and chunks are a quarter of a second.
        let offset = seconds((fromSong.judge.first ?? 0) - second)
        #expect(offset > -0.5 && offset < 1.5, "the song began \(offset) s before")
        // The one upstream serves all of them, and those with the same delay share a reading.
        #expect(air.acceptedConnections == 1)
        let mounts = status["mounts"]?.array?.compactMap { $0["name"]?.string } ?? []
        #expect(mounts.contains("air?delay=12") && mounts.contains("air-later"), "\(mounts)")

        let list = try RunningProgram.run(
            "curl", ["-s", service.address + "/air.m3u?delay=12s"], in: folder
        ).output
        #expect(list.contains("/air?delay=12s\n"), "\(list)")
        // HLS of the past has segments of its own; what is not meant for us changes nothing.
        func leads(_ path: String) throws -> (code: String, to: String) {
            let answer = try RunningProgram.run(
                "curl",
                [
                    "-s", "-m", "10", "-o", "/dev/null", "-w", "%{http_code} %{redirect_url}",
                    service.address + path,
                ], in: folder
            ).output.split(separator: " ").map(String.init)
            return (answer.first ?? "", answer.dropFirst().first ?? "")
        }
        let hls = try leads("/air.m3u8?delay=12s")
        #expect(hls.code == "302" && hls.to.contains("/hls/air%3Fdelay%3D12/live.m3u8"), "\(hls)")
        let late = Lock("")
        #expect(
            eventually(within: 25, every: 1) {
                let text =
                    (try? RunningProgram.run("curl", ["-s", "-m", "5", hls.to], in: folder).output) ?? ""
                late.withLock { $0 = text }
                return text.contains("#EXTINF")
            }, "\(late.withLock { $0 })")
        #expect(try leads("/air.m3u8?delay=5h").code == "404")
        #expect(try leads("/air.m3u8?from=newsletter").to.hasSuffix("/hls/air/live.m3u8?from=newsletter"))
        let stray = try RunningProgram.run(
            "curl",
            [
                "-s", "-m", "2", "-o", "/dev/null", "-w", "%{http_code}",
                service.address + "/air?from=newsletter",
            ],
            in: folder)
        #expect(stray.output == "200", "\(stray)")
        service.stop()
        air.stop()
    }

    @Test("the MP3 of a late station is late too, and a station whose past nobody keeps says so")
    func mp3() throws {
        let folder = try TemporaryFolder("late-mp3")
        let icecast = try Icecast(in: folder)
        let studio = try FFmpegSource.tone(440, as: .aac, to: icecast, mount: "air", in: folder)
        #expect(eventually(within: 15) { (try? icecast.hasSource("air", in: folder)) == true })
        let service = try AircheckService(
            in: folder,
            stations: """
                [[station]]
                id = "air"
                name = "Air"
                urls = ["\(icecast.url("air"))"]
                local = true
                window = "1h"

                [[station]]
                id = "other"
                name = "Other"
                urls = ["\(icecast.url("air"))"]
                local = true

                """, settings: "[player]\noutput = \"null\"\n[window]\ndisk = \"0s\"\n")
        let nothing = try status(service.address + "/other?delay=5s", in: folder)
        #expect(nothing.code == "404" && nothing.text.contains("window = \"6h\""), "\(nothing)")
        Thread.sleep(forTimeInterval: 14)
        let heard = try listen(service.address + "/air.mp3?delay=8s", into: "late.mp3", in: folder)
        Thread.sleep(forTimeInterval: 6)
        heard.stop()
        let kind = try RunningProgram.run(
            "ffprobe",
            ["-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0", folder.path("late.mp3")],
            in: folder
        ).output
        #expect(kind.hasPrefix("mp3"), "\(kind)")
        service.stop()
        studio.stop()
    }
}

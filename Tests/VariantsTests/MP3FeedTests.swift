import Feed
import Foundation
import MediaHelper
import Platform
import Reactor
import StreamFormats
import TestPrograms
import TestSound
import Testing
import Variants

@Suite(
    "A station as MP3", .serialized,
    .enabled(if: RunningProgram.isInstalled("ffmpeg"), "ffmpeg is not installed"))
struct MP3FeedTests {
    private let folder: TemporaryFolder
    private let loop: EventLoop
    private let origin = Feed(station: Station(id: "tone", name: "Tone", urls: ["http://127.0.0.1/tone"]))

    init() throws {
        folder = try TemporaryFolder("variants")
        loop = try EventLoop(name: "variants")
    }

    private func variants(encoders: Int = 4) -> MP3Variants {
        MP3Variants(settings: .init(bitrate: 96, encoders: encoders), loop: loop) { [origin] id in
            id == origin.station.id ? origin : nil
        }
    }

    private func title(_ text: String) {
        origin.publish(
            title: RawTitle(source: .icy, text: Array(text.utf8)),
            reading: TitleText(text: text, kind: .track))
    }

    /// What a reader from the oldest on finds by now.
    private func contents(of feed: Feed) -> (
        run: FrameRun, titles: [(text: String, seconds: Double)], gaps: [Gap]
    ) {
        let reader = feed.open(name: "test", from: .oldest)
        var (run, titles, gaps) = (FrameRun(), [(text: String, seconds: Double)](), [Gap]())
        for event in reader.read(limit: 100_000).events {
            switch event {
            case .audio(let chunk):
                run.bytes += chunk.bytes
                run.frames += chunk.run.frames
            case .title(let mark): titles.append((mark.text.text, mark.position.seconds))
            case .gap(let gap): gaps.append(gap)
            case .format, .retitled: break
            }
        }
        return (run, titles, gaps)
    }

    @Test("who comes to a station as MP3 while it waits has it tried at once")
    func hurries() throws {
        let hurried = Lock(0)
        let away = Feed(station: origin.station, hurry: { hurried.withLock { $0 += 1 } })
        away.updateStatus { $0.state = .waiting }
        let variants = MP3Variants(settings: .init(bitrate: 96, encoders: 1), loop: loop) { _ in away }
        let mp3 = try #require(variants.feed(of: variants.station(for: away.station)))
        let first = mp3.feed.open(name: "listener")
        defer { first.close() }
        #expect(eventually(within: 5) { hurried.withLock { $0 } == 1 })
        #expect(eventually(within: 5) { mp3.feed.status.state == .waiting })
        mp3.feed.hurry()
        #expect(hurried.withLock { $0 } == 2)
    }

    @Test(
        "any codec comes out as MP3, by one encoder for all readers, and a title at the sound it belongs to",
        arguments: [ToneCodec.aac, .opus, .vorbis, .flac])
    func titlesInStep(codec: ToneCodec) throws {
        // One coded sound whose pitch changes in the middle, as a decoder would hear it on the air.
        let sound = try Tone(
            expression: "0.3*sin(2*PI*t*if(lt(t\\,4)\\,600\\,1200))", as: codec, seconds: 8, in: folder)
        let variants = variants()
        let mp3 = try #require(variants.feed(of: variants.station(for: origin.station)))
        #expect(mp3.feed.station.id == "tone.mp3")
        let readers = (0..<3).map { mp3.feed.open(name: "listener \($0)") }
        // The first five seconds would be the past of one who comes late.
        #expect(eventually(within: 10) { origin.readerCount == 1 })
        origin.publish(format: sound.format)
        title("Low")
        var seconds = 0.0
        var isHigh = false
        for frame in sound.frames {
            if seconds >= 4, !isHigh {
                isHigh = true
                title("High")
            }
            origin.publish(frames: frame)
            seconds += Double(frame.samples) / Double(sound.format.sampleRate)
        }
        #expect(eventually(within: 20) { mp3.feed.position.seconds > 7.5 }, "\(mp3.feed.position.seconds) s")
        #expect(variants.places.count == 1)
        let heard = contents(of: mp3.feed)
        #expect(heard.titles.map(\.text) == ["Low", "High"])
        let at = heard.titles.last?.seconds ?? 0
        let worker = MediaWorker(binary: try HelperBinary.find())
        let decoded = try worker.decode(
            format: AudioFormat(codec: .mp3, sampleRate: 44_100, channels: 2), frames: heard.run)
        let tone = Sound(samples: decoded.samples.map { Float($0) / 32768 }, rate: decoded.sampleRate)
        #expect(abs(tone.part(from: at - 0.6, to: at - 0.1).frequency - 600) < 10)
        #expect(abs(tone.part(from: at + 0.1, to: at + 0.6).frequency - 1200) < 10)
        for reader in readers { reader.close() }
        #expect(eventually(within: 5) { variants.places.count == 0 && origin.readerCount == 0 })
        variants.close()
        loop.stop()
    }

    @Test("an encoder that is killed is replaced, and what it held is told as a break; readers stay")
    func killedEncoder() throws {
        let station = ToneStation("aac", sending: try Tone(hertz: 800, as: .aac, seconds: 10, in: folder))
        let variants = MP3Variants(settings: .init(), loop: loop) { _ in station.feed }
        let mp3 = try #require(variants.feed(of: variants.station(for: station.station)))
        let reader = mp3.feed.open(name: "listener")
        #expect(eventually(within: 20) { mp3.feed.position.seconds > 3 })
        let first = mp3.encoderID
        #expect(first > 0)
        kill(first, SIGKILL)
        let before = mp3.feed.position.seconds
        let goesOn = eventually(within: 20) {
            mp3.encoderID > 0 && mp3.encoderID != first
                && mp3.feed.position.seconds > before + 3
        }
        #expect(goesOn)
        #expect(mp3.feed.readerCount == 1)
        let gaps = contents(of: mp3.feed).gaps
        #expect(gaps.allSatisfy { $0.lostSeconds < 2 }, "\(gaps)")
        reader.close()
        station.stop()
        variants.close()
        loop.stop()
    }

    @Test("a station that sends MP3 is passed on byte for byte, without an encoder")
    func passesMP3() throws {
        let tone = try Tone(hertz: 700, as: .mp3, seconds: 5, in: folder)
        let variants = variants(encoders: 0)
        let mp3 = try #require(variants.feed(of: variants.station(for: origin.station)))
        let reader = mp3.feed.open(name: "listener")
        #expect(eventually(within: 10) { origin.readerCount == 1 })
        origin.publish(format: tone.format)
        title("One")
        for frame in tone.frames { origin.publish(frames: frame) }
        let bytes = tone.frames.flatMap(\.bytes)
        #expect(eventually(within: 10) { mp3.feed.position.bytes == Int64(bytes.count) })
        let heard = contents(of: mp3.feed)
        #expect(heard.run.bytes == bytes)
        #expect(heard.titles.map(\.text) == ["One"])
        reader.close()
        variants.close()
        loop.stop()
    }

    @Test("more encoders than are allowed are refused with the reason, until there is a place")
    func limit() throws {
        let tone = try Tone(hertz: 700, as: .aac, seconds: 5, in: folder)
        let stations = ["one", "two"].map { ToneStation($0, sending: tone) }
        let variants = MP3Variants(settings: .init(encoders: 1), loop: loop) { id in
            stations.first { $0.station.id == id }?.feed
        }
        let feeds = try stations.map {
            try #require(variants.feed(of: variants.station(for: $0.station))).feed
        }
        let first = feeds[0].open(name: "listener")
        #expect(eventually(within: 20) { feeds[0].position.seconds > 1 })
        let second = feeds[1].open(name: "listener")
        #expect(eventually(within: 5) { feeds[1].status.state == .failed })
        #expect(feeds[1].status.reason?.contains("relay.max_encoders") == true)
        first.close()
        #expect(eventually(within: 20) { feeds[1].position.seconds > 1 })
        #expect(feeds[1].status.state == .live)
        second.close()
        for station in stations { station.stop() }
        variants.close()
        loop.stop()
    }

    @Test(
        "only a name with the ending is a variant's",
        arguments: [("demo.mp3", "demo"), ("demo", nil), (".mp3", nil), ("demo.mp3.mp3", "demo.mp3")])
    func names(name: String, original: String?) { #expect(MP3Variants.original(of: name) == original) }
}

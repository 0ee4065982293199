import Feed
import Foundation
import Ingest
import Platform
import Playback
import StreamFormats
import TestPrograms
import TestSound
import TestStations
import Transfers

/// How long a skip, a join and a first sound take, measured in what the sink of a real PulseAudio plays; and how long mpv
/// and mpg123 take in the same run.
///
/// The station is a real Icecast, which makes a new listener wait for its next two blocks; and one that sends its burst at
/// once, which shows what is ours.
enum PlayerBench {
    static func run() -> Int32 {
        do {
            let rounds = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 50
            let studio = try Studio()
            try warmSkips(studio, rounds)
            for air in Air.allCases {
                print("== \(air.rawValue)")
                try coldJoins(studio, air, max(rounds / 2, 2))
                try firstSounds(studio, air, max(rounds / 5, 1))
            }
            return 0
        } catch {
            Log.error("bench", "\(error)")
            return 1
        }
    }

    /// One player, two neighbours that are connected: `next`, again and again.
    private static func warmSkips(_ studio: Studio, _ rounds: Int) throws {
        let player = studio.player(reach: 1)
        player.tune(studio.stations[0], among: studio.stations)
        guard eventually(within: 20, { player.status.phase == .live }) else { throw StartFailure("no sound") }
        let listening = try Listening(to: studio.server)
        Thread.sleep(forTimeInterval: 1)
        var marks: [Mark] = []
        for round in 1...rounds {
            marks.append(Mark(at: listening.seconds, hertz: studio.hertz(round)))
            player.next()
            Thread.sleep(forTimeInterval: 0.5)
        }
        player.close()
        listening.stop()
        let sound = listening.sound
        report("skip between warm presets", marks.map { $0.delay(in: sound) })
        let whole = sound.part(from: (marks.first?.at ?? 0) - 0.3, to: (marks.last?.at ?? 0) + 0.4)
        print("  longest hole \(Int(whole.longestSilence(below: 0.02, step: 0.002) * 1000)) ms")
    }

    /// A player that is there, a station that is not connected.
    private static func coldJoins(_ studio: Studio, _ air: Air, _ rounds: Int) throws {
        let player = studio.player(reach: 0)
        let listening = try Listening(to: studio.server)
        var (marks, arrivals) = ([Mark](), [Double]())
        for round in 1...rounds {
            let (station, hertz) = studio.unknown(round, air)
            marks.append(Mark(at: listening.seconds, hertz: hertz))
            let start = SystemTime().now
            player.tune(station)
            guard eventually(within: 10, { player.status.phase == .live }) else {
                throw StartFailure("no sound")
            }
            Thread.sleep(forTimeInterval: 0.3)
            arrivals.append(studio.firstArrival(of: station)?.seconds(since: start) ?? .infinity)
            player.stop()
            // Until the sound is over.
            Thread.sleep(forTimeInterval: 1)
        }
        player.close()
        listening.stop()
        // The first also starts the helper; it is among the first sounds below.
        let sound = listening.sound
        report("cold join, player running", marks.dropFirst().map { $0.delay(in: sound) })
        report("  of it, until the first audio had come", Array(arrivals.dropFirst()))
    }

    /// From nothing to sound: our player with its helper, mpv, mpg123, in turn.
    private static func firstSounds(_ studio: Studio, _ air: Air, _ rounds: Int) throws {
        let listening = try Listening(to: studio.server)
        var marks: [String: [Mark]] = [:]
        for round in 0..<rounds {
            let (station, hertz) = studio.unknown(1000 + 2 * round, air)
            marks["aircheck", default: []].append(Mark(at: listening.seconds, hertz: hertz))
            let player = studio.player(reach: 0)
            player.tune(station)
            Thread.sleep(forTimeInterval: 1.5)
            player.close()
            Thread.sleep(forTimeInterval: 1)
            for (name, words) in studio.peers(station.urls[0]) where RunningProgram.isInstalled(name) {
                marks[name, default: []].append(Mark(at: listening.seconds, hertz: hertz))
                let program = try RunningProgram(
                    name, words, in: studio.folder, environment: ["PULSE_SERVER": studio.server.address])
                Thread.sleep(forTimeInterval: 2.5)
                program.stop()
                Thread.sleep(forTimeInterval: 0.5)
            }
        }
        listening.stop()
        let sound = listening.sound
        for (name, marks) in marks.sorted(by: { $0.key < $1.key }) {
            report("first sound of \(name)", marks.map { $0.delay(in: sound) })
        }
    }

    /// When something was asked for, and the tone that answers.
    private struct Mark {
        let at: Double
        let hertz: Double

        func delay(in sound: Sound) -> Double {
            let part = sound.part(from: at, to: at + 5)
            return part.onset(of: hertz, after: 0, amplitude: 0.125) ?? .infinity
        }
    }

    private static func report(_ what: String, _ delays: [Double]) {
        let sorted = delays.sorted()
        func part(_ share: Double) -> String {
            let value = sorted[min(Int(Double(sorted.count) * share), sorted.count - 1)]
            return value.isFinite ? "\(Int((value * 1000).rounded())) ms" : "none"
        }
        print("\(what): n \(sorted.count), median \(part(0.5)), p95 \(part(0.95)), max \(part(1))")
    }
}

/// Who sends.
enum Air: String, CaseIterable {
    case icecast = "a station on Icecast"
    case prompt = "a station that answers at once"
}

/// A tone round and round, frame by frame.
private struct ToneFrames: FrameSource {
    let tone: Tone
    var secondsPerUnit: Double { tone.seconds / Double(max(tone.frames.count, 1)) }
    func unit(_ number: Int) -> [UInt8] { tone.frames[number % tone.frames.count].bytes }
}

/// Two stations on an Icecast, two that answer at once, a sound server, and whoever pulls.
struct Studio {
    let folder: TemporaryFolder
    let server: PulseServer
    let stations: [Station]
    private let icecast: Icecast
    private let sources: [RunningProgram]
    private let hub: IngestHub

    private let prompt: [(station: ScriptedStation, hertz: Double)]

    private static let tones = [600, 1500]
    /// Whole waves in a frame, so that the tone has no seam.
    private static let waves = [16, 39]

    init() throws {
        folder = try TemporaryFolder("player-bench")
        server = try PulseServer(in: folder)
        let icecast = try Icecast(in: folder)
        self.icecast = icecast
        let folder = folder
        sources = try Self.tones.map {
            try FFmpegSource.tone($0, to: icecast, mount: "tone\($0)", in: folder)
        }
        stations = Self.tones.map { hertz in
            var station = Station(
                id: "tone\(hertz)", name: "Tone \(hertz)", urls: [icecast.url("tone\(hertz)")])
            station.isLocal = true
            return station
        }
        prompt = try Self.waves.map { waves in
            let hertz = Double(waves) * 44_100 / 1152
            let tone = try Tone(hertz: hertz, seconds: 10, in: folder).middle
            let station = try ScriptedStation(Programme(ToneFrames(tone: tone))) { _ in
                Step.icecast() + [.burst(4), .play(.infinity)]
            }
            return (station, hertz)
        }
        var settings = IngestSettings()
        settings.linger = 0.2
        hub = IngestHub(engine: TransferEngine(), settings: settings)
        // A burst must have gathered.
        Thread.sleep(forTimeInterval: 6)
    }

    func hertz(_ round: Int) -> Double { Double(Self.tones[round % Self.tones.count]) }

    /// One of the two under a name of its own: no feed of it holds anything. And its tone.
    func unknown(_ round: Int, _ air: Air) -> (Station, hertz: Double) {
        var station = stations[round % stations.count]
        station.id += "-\(air)-\(round)"
        guard air == .prompt else { return (station, hertz(round)) }
        let (origin, hertz) = prompt[round % prompt.count]
        station.urls = [origin.url()]
        return (station, hertz)
    }

    /// When the feed of a station got its first audio.
    func firstArrival(of station: Station) -> MonotonicTime? {
        let reader = hub.feed(for: station).open(name: "bench", from: .oldest)
        for case .audio(let chunk) in reader.read().events { return chunk.arrival }
        return nil
    }

    func player(reach: Int) -> LivePlayer {
        var options = PlayerOptions(output: .pulse(server: server.address, device: nil))
        options.reach = reach
        return LivePlayer(options: options, source: Feeds(hub: hub))
    }

    func peers(_ url: String) -> [(String, [String])] {
        [
            ("mpv", ["--no-config", "--no-video", "--really-quiet", "--ao=pulse", url]),
            ("mpg123", ["-q", "-o", "pulse", url]),
        ]
    }

    private struct Feeds: FeedSource {
        let hub: IngestHub
        func feed(of station: Station) -> Feed? { hub.feed(for: station) }
    }
}

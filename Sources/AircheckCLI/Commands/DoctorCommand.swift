internal import CLinux
internal import Catalogue
internal import Configuration
internal import Feed
internal import Glibc
internal import Ingest
internal import JSONText
internal import MediaHelper
internal import Platform
internal import Playback
internal import StreamFormats

/// `aircheck doctor`
enum DoctorCommand {
    static let spec = CommandSpec(
        "doctor", "look at sound, folders, ports, clock and network, and say what to do about what is wrong"
    ) { try run($0) }

    /// What was found at one thing.
    struct Finding {
        enum Verdict: String { case fine, warning, problem }

        var thing: String
        var verdict: Verdict
        var text: String
        var remedy: String?
    }

    private static func run(_ invocation: Invocation) throws {
        let settings = try SettingsFile.load(invocation).settings
        let folders = Folders(settings, environment: Environment.all)
        let service = try ServiceClient.find(invocation)
        let findings =
            [helper(), sound(settings), clock()] + foldersFindings(folders) + ports(settings, service)
            + [stations(folders), network(settings, folders)]
        findings.forEach { show($0, invocation) }
        let problems = findings.filter { $0.verdict == .problem }
        guard problems.isEmpty else {
            throw CommandFailure(.unavailable, "\(problems.count) of \(findings.count) things are not right")
        }
    }

    private static func show(_ finding: Finding, _ invocation: Invocation) {
        if invocation.json {
            return Terminal.print([
                "thing": .string(finding.thing), "verdict": .string(finding.verdict.rawValue),
                "text": .string(finding.text), "remedy": JSONValue(finding.remedy),
            ])
        }
        let mark =
            switch finding.verdict {
            case .fine: Terminal.styled("✓", .green)
            case .warning: Terminal.styled("!", .yellow)
            case .problem: Terminal.styled("✕", .red)
            }
        Terminal.print("\(mark) \(finding.thing): \(TerminalText.escaped(finding.text))")
        if let remedy = finding.remedy { Terminal.print("    \(remedy)") }
    }

    // MARK: Sound

    private static func helper() -> Finding {
        do {
            return Finding(thing: "helper", verdict: .fine, text: try HelperBinary.find())
        } catch {
            return Finding(
                thing: "helper", verdict: .problem, text: "\(error)",
                remedy: "Build it with `make build`, or install it beside aircheck.")
        }
    }

    /// Opens the output and waits for the sound server's answer.
    private static func sound(_ settings: Settings) -> Finding {
        guard settings.player.output == .pulse else {
            return Finding(
                thing: "sound", verdict: .fine,
                text: "the player's output is \(settings.player.output.rawValue)")
        }
        let answer = Monitor<DeviceState?>(nil)
        let device = settings.player.device.isEmpty ? nil : settings.player.device
        var options = PlayerOptions(output: .pulse(server: nil, device: device))
        options.showsErrors = false
        let player = LivePlayer(options: options, source: Silence()) { status in
            if status.device != .connecting { answer.change { $0 = status.device } }
        }
        defer { player.close() }
        player.tune(Silence.station)
        switch answer.wait(atMost: 3, { $0 }) {
        case .open(let name): return Finding(thing: "sound", verdict: .fine, text: "plays on \(name)")
        case .lost(let reason):
            return Finding(
                thing: "sound", verdict: .warning, text: reason,
                remedy:
                    "Start PulseAudio or PipeWire for this user, or set player.output = \"null\". Recording and relaying work without."
            )
        case .connecting, nil:
            return Finding(
                thing: "sound", verdict: .warning, text: "the sound server does not answer",
                remedy: "See `pactl info`. Recording and relaying work without.")
        }
    }

    // MARK: The machine

    private static func clock() -> Finding {
        let now = SystemTime().wall
        // Nothing of ours is older than its release.
        guard now.secondsSince1970 > 1_790_000_000 else {
            return Finding(
                thing: "clock", verdict: .problem, text: "it shows \(LocalTime.text(now)), which is past",
                remedy: "Set it, or let NTP do so: timedatectl set-ntp true.")
        }
        return Finding(
            thing: "clock", verdict: .fine, text: "it is \(LocalTime.text(now)) here, \(LocalTime.iso(now))")
    }

    private static func foldersFindings(_ folders: Folders) -> [Finding] {
        [("database", folders.data), ("recordings", folders.recordings), ("control socket", folders.runtime)]
            .map { folder($0.0, $0.1) }
    }

    /// Looks at the folder, or at the nearest one above it that is there.
    private static func folder(_ thing: String, _ path: String) -> Finding {
        var there = path
        while access(there, F_OK) != 0, let slash = there.lastIndex(of: "/"), slash > there.startIndex {
            there = String(there[..<slash])
        }
        guard access(there, W_OK) == 0 else {
            return Finding(
                thing: "folder of the \(thing)", verdict: .problem, text: "\(there) cannot be written",
                remedy: "Give it to this user, or choose another one in [paths].")
        }
        var space = statvfs()
        statvfs(there, &space)
        let free = Int64(space.f_bavail) * Int64(space.f_frsize) / (1 << 20)
        let text = "\(path)\(there == path ? "" : " (will be made)"), \(free) MiB free"
        guard free > 1024 else {
            return Finding(
                thing: "folder of the \(thing)", verdict: .warning, text: text,
                remedy: "An hour at 128 kbit/s takes 58 MB; make room or move the folder.")
        }
        return Finding(thing: "folder of the \(thing)", verdict: .fine, text: text)
    }

    private static func ports(_ settings: Settings, _ service: ServiceClient?) -> [Finding] {
        if service != nil { return [Finding(thing: "service", verdict: .fine, text: "runs and answers")] }
        return [settings.server.port, settings.server.listenPort].reduce(into: [Int]()) { ports, port in
            if !ports.contains(port) { ports.append(port) }
        }.map(port)
    }

    private static func port(_ port: Int) -> Finding {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(clamping: port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var yes: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else {
            return Finding(
                thing: "port \(port)", verdict: .problem, text: "something else uses it",
                remedy: "Choose another one: aircheck serve --listen 127.0.0.1:PORT.")
        }
        return Finding(thing: "port \(port)", verdict: .fine, text: "free; no service runs")
    }

    // MARK: Radio

    private static func stations(_ folders: Folders) -> Finding {
        let places = folders.stationFolders(program: Program.path)
        guard let catalogue = try? StationCatalogue(folders: places) else {
            return Finding(thing: "stations", verdict: .problem, text: "the station files cannot be read")
        }
        let count = catalogue.snapshot.stations.count
        if let problem = catalogue.problems.first {
            return Finding(
                thing: "stations", verdict: .warning, text: "\(count); \(problem.description)",
                remedy: "`aircheck config check` shows every problem.")
        }
        guard count > 0 else {
            return Finding(
                thing: "stations", verdict: .warning, text: "none in \(places.joined(separator: ", "))",
                remedy: "Put station files there, or set paths.stations.")
        }
        return Finding(thing: "stations", verdict: .fine, text: "\(count)")
    }

    /// Listens for two seconds to the first stations that are not on this machine.
    private static func network(_ settings: Settings, _ folders: Folders) -> Finding {
        let places = folders.stationFolders(program: Program.path)
        let all = (try? StationCatalogue(folders: places))?.snapshot.visible.map(\.station) ?? []
        let some = all.filter { !$0.isLocal }.prefix(2)
        guard !some.isEmpty else {
            return Finding(thing: "network", verdict: .fine, text: "no station needs it")
        }
        let alone = StandAlone(settings)
        defer { alone.stop() }
        for station in some {
            let report = Prober(engine: alone.engine).probe(station.urls.first ?? "", seconds: 2)
            if report.state == .audio {
                return Finding(thing: "network", verdict: .fine, text: "\(station.name) is heard")
            }
        }
        return Finding(
            thing: "network", verdict: .warning,
            text: "\(some.map(\.name).joined(separator: " and ")) cannot be heard",
            remedy: "See `aircheck probe URL` for one of your own; behind a proxy set ingest.proxy.")
    }
}

/// A feed that never has audio: enough to have the output opened.
private struct Silence: FeedSource {
    static let station = Station(id: "silence", name: "silence", urls: [])

    func feed(of station: Station) -> Feed? { Feed(station: station) }
}

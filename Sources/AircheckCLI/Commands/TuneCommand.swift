internal import AircheckDaemon
internal import CLinux
internal import Configuration
internal import Feed
internal import Glibc
internal import JSONText
internal import MediaHelper
internal import Platform
internal import Playback
internal import Recording
internal import StreamFormats

/// `aircheck tune`
enum TuneCommand {
    static let spec = CommandSpec(
        "tune", "listen here and now",
        details: """
            On a terminal it is a player: n and p skip stations, s or the space bar stops and plays, r records, k keeps \
            the song, f marks a favourite, u and d like and dislike, / searches, + and - change the volume, ? lists the keys, q leaves. Elsewhere it prints a line for every title. \
            A station of a running service is read from the service.
            """,
        operands: [.stationOrURL],
        options: [
            .value(
                "output", "WHERE", short: "o", "pulse, null, stdout (16 bit stereo), or a file ending in .wav"
            ),
            .value("device", "SINK", "name of the PulseAudio sink"),
            .value("volume", "PERCENT", "0 to 100"),
            .value("for", "DURATION", "leave after so much time"),
            .value("give-up", "DURATION", "leave when no audio came for so long; 2m by default"),
            .flag("plain", "lines instead of a screen, also on a terminal"),
            .flag("direct", "connect to the station even where a service could feed us"),
        ]
    ) { try run($0) }

    private static func run(_ invocation: Invocation) throws {
        let reference = try StationReference.find(
            try invocation.required(0), invocation, direct: invocation.has("direct"))
        let configuration = try SettingsFile.load(invocation).settings
        let alone = StandAlone(configuration)
        defer { alone.stop() }
        let output = try TuneOutput(invocation, configuration)
        var options = PlayerOptions(output: output.player)
        options.volume = try invocation.integer("volume", in: 0...100) ?? configuration.player.volume
        options.latency = Int(configuration.player.latency.inSeconds * 1000)
        options.showsErrors = invocation.verbosity > 0
        let lines = TuneLines(invocation, output: output)
        let player = LivePlayer(options: options, source: HubFeedSource(hub: alone.hub)) { lines.changed($0) }
        defer { player.close() }
        player.tune(reference.station, among: reference.list)
        let wantsScreen =
            Terminal.isTerminal(0) && Terminal.isTerminal(1) && !invocation.has("plain") && !invocation.json
        let session = TuneSession(
            player: player, hub: alone.hub, invocation: invocation, service: reference.service,
            end: try invocation.duration("for").map { SystemTime().now.advanced(bySeconds: $0) },
            giveUp: try invocation.duration("give-up") ?? 120)
        if wantsScreen {
            lines.silence()
            try TuneScreen(session).run()
        } else {
            try session.wait()
        }
    }
}

/// Where `tune` sends the sound.
struct TuneOutput {
    let player: PlayerOutput
    /// Standard output carries sound, so nothing else may be printed there.
    let usesStandardOutput: Bool

    init(_ invocation: Invocation, _ configuration: Settings) throws {
        let word = invocation.text("output") ?? configuration.player.output.rawValue
        let device = invocation.text("device") ?? configuration.player.device
        usesStandardOutput = word == "stdout"
        switch word {
        case "pulse": player = .pulse(server: nil, device: device.isEmpty ? nil : device)
        case "null": player = .null
        case "stdout":
            guard !Terminal.isTerminal(1) else {
                throw invocation.usage(
                    "--output stdout: sound is of no use on a terminal; send it into a pipe")
            }
            player = .raw(descriptor: 1)
        default: player = try Self.file(word, invocation)
        }
    }

    private static func file(_ path: String, _ invocation: Invocation) throws -> PlayerOutput {
        guard path.hasSuffix(".wav") else {
            throw invocation.usage("--output \(path): write pulse, null, stdout, or a file ending in .wav")
        }
        let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw CommandFailure(.cannotCreate, SystemError(while: "creating \(path)").description)
        }
        // Open until the process ends: the player's helper writes to it.
        return .wav(descriptor: descriptor)
    }
}

/// A line for everything that changes, where there is no screen.
final class TuneLines: Sendable {
    private struct Told {
        var phase: PlayerPhase?
        var station: String?
        var title: String?
        var isSilent = false
    }

    private let json: Bool
    private let quiet: Bool
    private let toStandardError: Bool
    private let told = Lock(Told())

    init(_ invocation: Invocation, output: TuneOutput) {
        json = invocation.json
        quiet = invocation.quiet
        toStandardError = output.usesStandardOutput
    }

    /// Prints nothing any more: a screen shows it.
    func silence() { told.withLock { $0.isSilent = true } }

    func changed(_ status: PlayerStatus) {
        let isNew = told.withLock { told in
            let title = status.title?.text.text
            let isNew =
                told.phase != status.phase || told.station != status.station?.id || told.title != title
            (told.phase, told.station, told.title) = (status.phase, status.station?.id, title)
            return isNew && !told.isSilent
        }
        guard isNew, !quiet else { return }
        let line = json ? PlayerLine.json(status).text() : TerminalText.escaped(PlayerLine.text(status))
        if toStandardError { Terminal.note(line) } else { Terminal.print(line) }
    }
}

/// The player in one line.
enum PlayerLine {
    /// `Radio One · live · Artist - Title`
    static func text(_ status: PlayerStatus) -> String {
        var parts = [status.station?.name ?? "", status.phase.rawValue]
        if let reason = status.reason { parts.append(reason) }
        if let title = status.title?.text.text, !title.isEmpty { parts.append(title) }
        return parts.filter { !$0.isEmpty }.joined(separator: " · ")
    }

    static func json(_ status: PlayerStatus) -> JSONValue {
        [
            "state": .string(status.phase.rawValue),
            "station": status.station.map { ["id": .string($0.id), "name": .string($0.name)] } ?? nil,
            "now": status.title.map { mark in
                [
                    "text": .string(mark.text.text), "artist": JSONValue(mark.text.artist),
                    "title": JSONValue(mark.text.title), "class": .string(mark.text.kind.rawValue),
                ]
            } ?? nil,
            "reason": JSONValue(status.reason), "volume": .int(Int64(status.volume)),
        ]
    }
}

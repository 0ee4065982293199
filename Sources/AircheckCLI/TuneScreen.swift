internal import CLinux
internal import Feed
internal import Glibc
internal import JSONText
internal import Platform
internal import Playback
internal import Recording
internal import StreamFormats

/// The player as one screen of a terminal.
final class TuneScreen {
    private let session: TuneSession
    private let keyboard = Keyboard()
    private var recorder: Recorder?
    private var recording: RecordingID?
    private var message: String?
    private var showsHelp = false
    /// What is being typed after `/`, and what it finds; nil outside a search.
    private var search: TuneSearch?

    init(_ session: TuneSession) { self.session = session }

    /// Until q, a signal or the end.
    func run() throws {
        keyboard.begin()
        Terminal.raw("\u{1B}[?1049h\u{1B}[?25l")
        defer {
            recorder?.shutDown()
            Terminal.raw("\u{1B}[?25h\u{1B}[?1049l")
            keyboard.end()
        }
        var watch = GiveUpWatch(limit: session.giveUp, start: SystemTime().now)
        while true {
            draw()
            if Signals.next(within: 0) == .end { return }
            if let key = keyboard.next(within: 0.1), !handle(key) { return }
            if try session.isOver(&watch) { return }
        }
    }

    // MARK: Keys

    /// False for the key that leaves.
    private func handle(_ key: Character) -> Bool {
        if search != nil { return handleSearch(key) }
        let player = session.player
        message = nil
        switch key {
        case "q", "\u{3}", "\u{4}": return false
        case "n": player.next()
        case "p": player.previous()
        case "s", " ": player.status.phase == .stopped ? player.play() : player.stop()
        case "+", "=": player.setVolume(player.status.volume + 5)
        case "-": player.setVolume(player.status.volume - 5)
        case "m": player.setMuted(!player.status.isMuted)
        case "r": toggleRecording()
        case "f": markFavourite()
        case "u": vote("up")
        case "d": vote("down")
        case "k": keepSong()
        case "/": search = TuneSearch()
        case "\u{1B}": showsHelp = false
        case "?": showsHelp.toggle()
        default: message = "? lists the keys"
        }
        return true
    }

    /// Records in the service where there is one, else into the present folder.
    private func toggleRecording() {
        if let running = recording, let recorder {
            try? recorder.stop(running)
            recording = nil
            message = "the recording ends"
            return
        }
        guard let station = session.player.status.station else { return }
        let recorder = self.recorder ?? Recorder()
        self.recorder = recorder
        do {
            var request = RecordingRequest(target: .library(folder: ".", template: .wholeHere))
            request.start = .live
            recording = try recorder.start(request, feed: session.hub.feed(for: station))
            message = "recording into this folder"
        } catch {
            message = error.description
        }
    }

    private func markFavourite() {
        guard let service = session.service, let station = session.player.status.station else {
            message = "favourites are kept by the service; start it with `aircheck serve`"
            return
        }
        do {
            try service.send(
                "PUT", "/api/v1/stations/\(ServiceClient.encoded(station.id))/favourite", ["value": true])
            message = "\(station.name) is a favourite"
        } catch {
            message = "\(error)"
        }
    }

    /// A thumb for what is heard; a thumb down leaves the station.
    private func vote(_ direction: String) {
        guard let service = session.service, let station = session.player.status.station else {
            message = "thumbs are kept by the service; start it with `aircheck serve`"
            return
        }
        do {
            let body: JSONValue = ["station": .string(station.id), "direction": .string(direction)]
            try service.send("PUT", "/api/v1/thumbs", body)
            message = direction == "up" ? "you like it" : "on to another station"
        } catch {
            message = "\(error)"
        }
        if direction == "down" { session.player.next() }
    }

    /// The song from its start to its end: by the service, else into the present folder.
    private func keepSong() {
        guard let station = session.player.status.station else { return }
        do {
            if let service = session.service {
                try service.send("POST", "/api/v1/keep", ["station": .string(station.id), "song": "present"])
            } else {
                let recorder = self.recorder ?? Recorder()
                self.recorder = recorder
                _ = try recorder.keep(
                    KeepRequest(.song, folder: "."), of: session.hub.feed(for: station), window: nil)
            }
            message = "the song is kept, from its start to its end"
        } catch {
            message = "\(error)"
        }
    }

    // MARK: Searching

    /// Keys are letters of a search until Return or Escape.
    private func handleSearch(_ key: Character) -> Bool {
        switch key {
        case "\u{3}", "\u{4}": return false
        case "\u{1B}": search = nil
        case "\r", "\n":
            // Next and previous walk what was found from here on.
            if let first = search?.found.first {
                session.player.tune(first, among: search?.found ?? [])
            }
            search = nil
        default:
            search?.type(key)
            let found = session.find(search?.text ?? "")
            search?.found = found
        }
        return true
    }

    // MARK: Drawing

    private func draw() {
        let width = max(24, Terminal.columns)
        let lines = TuneLayout(
            status: session.player.status, meters: session.player.meters,
            titles: session.player.status.station.flatMap { session.hub.feed(id: $0.id) }?.titles ?? [],
            recording: recording.flatMap { recorder?.status($0) }, message: message, showsHelp: showsHelp,
            search: search
        ).lines(width: width)
        let text = lines.map { "\u{1B}[K" + $0 }.joined(separator: "\r\n")
        Terminal.raw("\u{1B}[H" + text + "\u{1B}[J")
    }
}

/// A search that is being typed.
struct TuneSearch: Sendable, Hashable {
    private(set) var text = ""
    var found: [Station] = []

    /// Rows that are shown, and letters that are taken.
    static let shown = 8
    private static let longest = 60

    /// A letter, or the key that takes the last one back.
    mutating func type(_ key: Character) {
        switch key {
        case "\u{7F}", "\u{8}": text = String(text.dropLast())
        case let letter where !letter.unicodeScalars.contains(where: TerminalText.isUnsafe):
            if text.count < Self.longest { text.append(letter) }
        default: break
        }
    }
}

/// What the screen says, as lines; a plain function of what is known, so that it can be tested.
struct TuneLayout {
    var status: PlayerStatus
    var meters: PlayerMeters
    var titles: [TitleMark]
    var recording: RecordingStatus?
    var message: String?
    var showsHelp: Bool
    var search: TuneSearch?

    func lines(width: Int) -> [String] {
        if let search { return searchLines(search, width) }
        var lines = [head(width), "", now(width), ""]
        lines += recent(width)
        lines += ["", meter(width), facts(width)]
        if let recording { lines.append(fit(recordingText(recording), width)) }
        lines.append("")
        lines +=
            showsHelp
            ? Self.help.map { fit($0, width) }
            : [Terminal.styled(fit("n p skip · s stop · r record · ? keys · q leave", width), .dim)]
        if let message { lines.append(fit(message, width)) }
        return lines
    }

    /// What is typed and what it finds; the first is what Return tunes.
    private func searchLines(_ search: TuneSearch, _ width: Int) -> [String] {
        let found = search.found.prefix(TuneSearch.shown).enumerated().map { place, station in
            let line = fit("\(place == 0 ? "›" : " ") \(station.name)", width)
            return place == 0 ? Terminal.styled(line, .bold) : line
        }
        let rest = search.found.count - TuneSearch.shown
        return [head(width), "", fit("/\(search.text)▏", width), ""] + found
            + (rest > 0 ? [Terminal.styled(fit("  and \(rest) more", width), .dim)] : [])
            + [
                "",
                Terminal.styled(
                    fit("Return tunes the first, and n p walk them · Escape goes back", width), .dim),
            ]
    }

    private func head(_ width: Int) -> String {
        let name = fit(status.station?.name ?? "no station", max(8, width - 14))
        let word =
            switch status.phase {
            case .live: Terminal.styled("● LIVE", .red)
            case .stopped, .paused: Terminal.styled("■ stopped", .dim)
            case .joining, .rejoining: Terminal.styled("○ joining", .yellow)
            case .stalled: Terminal.styled("○ stalled", .yellow)
            case .failed: Terminal.styled("✕ failed", .red)
            }
        return "\(Terminal.styled(name, .bold))  \(word)"
    }

    private func now(_ width: Int) -> String {
        if let reason = status.reason { return Terminal.styled(fit(reason, width), .yellow) }
        guard let title = status.title?.text, !title.text.isEmpty else {
            return Terminal.styled("no title", .dim)
        }
        return Terminal.styled(fit(title.text, width), .cyan)
    }

    /// The titles before the present one, newest first.
    private func recent(_ width: Int) -> [String] {
        let heard = status.title?.position
        let past = titles.filter { mark in
            guard let heard else { return false }
            return mark.position < heard && !mark.text.text.isEmpty
        }
        return past.suffix(5).reversed().map { mark in
            Terminal.styled(fit("\(LocalTime.clock(mark.wall))  \(mark.text.text)", width), .dim)
        }
    }

    private func meter(_ width: Int) -> String {
        let cells = max(10, min(40, width - 12))
        // -48 dB to 0 dB over the cells.
        let peak = Double(max(meters.levels.peak.x, meters.levels.peak.y))
        let level = peak > 0 ? max(0, min(1, (20 * log10(peak) + 48) / 48)) : 0
        let lit = Int(bounded: (level * Double(cells)).rounded())
        return Terminal.styled(String(repeating: "▮", count: lit), .green)
            + Terminal.styled(String(repeating: "▯", count: cells - lit), .dim)
    }

    private func facts(_ width: Int) -> String {
        var parts: [String] = []
        if let format = status.format { parts.append("\(format.codec.rawValue) \(format.sampleRate) Hz") }
        parts.append("buffer \((meters.buffered * 10).rounded() / 10) s")
        parts.append(status.isMuted ? "muted" : "volume \(status.volume)")
        if case .lost(let reason) = status.device { parts.append("no sound: \(reason)") }
        return Terminal.styled(fit(parts.joined(separator: " · "), width), .dim)
    }

    private func recordingText(_ recording: RecordingStatus) -> String {
        "● recording \(LocalRecording.clock(recording.facts.seconds)) \(recording.facts.fileName ?? "")"
    }

    private static let help = [
        "n  next station          p  previous station", "s  stop and play         m  mute",
        "+  louder                -  softer", "r  record, and end it    k  keep this song",
        "f  mark as favourite     /  search", "u  like what plays       d  dislike it, and leave",
        "?  these keys            q  leave",
    ]

    /// Escaped, and cut to so many columns.
    private func fit(_ text: String, _ width: Int) -> String {
        let safe = TerminalText.escaped(text)
        guard Terminal.displayWidth(safe) > width else { return safe }
        var cut = ""
        for character in safe {
            if Terminal.displayWidth(cut + String(character)) >= width { break }
            cut.append(character)
        }
        return cut + "…"
    }
}

/// Single keys from a terminal, without waiting for the end of a line.
final class Keyboard {
    private var saved = termios()
    private var isRaw = false

    func begin() {
        guard tcgetattr(0, &saved) == 0 else { return }
        var raw = saved
        raw.c_lflag &= ~UInt32(ICANON | ECHO)
        isRaw = tcsetattr(0, TCSANOW, &raw) == 0
    }

    func end() {
        if isRaw { tcsetattr(0, TCSANOW, &saved) }
        isRaw = false
    }

    /// The next key, waiting at most so many seconds. Escape sequences (arrows) are swallowed whole;
    /// the key itself is one byte.
    func next(within seconds: Double) -> Character? {
        var descriptor = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        guard poll(&descriptor, 1, Int32(seconds * 1000)) > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = read(0, &bytes, bytes.count)
        guard count > 0 else { return "q" }
        if bytes[0] == 0x1B { return count == 1 ? "\u{1B}" : nil }
        return String(decoding: bytes.prefix(count), as: UTF8.self).first
    }
}

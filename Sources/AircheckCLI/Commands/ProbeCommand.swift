internal import Ingest
internal import JSONText
internal import Platform

/// `aircheck probe`
enum ProbeCommand {
    static let spec = CommandSpec(
        "probe", "what a stream really is: asks, listens, reports",
        operands: [.required("URL", "address of a stream or playlist")],
        options: [.value("for", "DURATION", "listen for so long; 10s by default")]
    ) { try run($0) }

    /// `aircheck stations probe`
    static let stations = CommandSpec(
        "stations probe", "listen to stations of the catalogue and say which are to be heard",
        operands: [CommandSpec.Operand.station.repeated().orNothing()],
        options: [.value("for", "DURATION", "listen to each for so long; 4s by default")]
            + StationCommands.filters(limit: StationCommands.listLimit)
    ) { try runStations($0) }

    private static func runStations(_ invocation: Invocation) throws {
        let seconds = try invocation.duration("for") ?? 4
        let catalogue = try LocalCatalogue.open(invocation)
        let chosen =
            try invocation.operands.isEmpty
            ? catalogue.search(
                StationListing.query(
                    invocation, "", StationListing.limit(invocation, standard: StationCommands.listLimit)))
            : invocation.operands.map { try StationListing.resolve($0, invocation) }
        let alone = StandAlone(try SettingsFile.load(invocation).settings)
        defer { alone.stop() }
        var heard = 0
        for station in chosen {
            let report = Prober(engine: alone.engine).probe(station.station, seconds: seconds)
            if report.state == .audio { heard += 1 }
            if invocation.json {
                Terminal.print(["station": .string(station.id), "report": json(report)])
            } else {
                Terminal.print(TerminalText.escaped("\(station.id): \(line(report))"))
            }
            if Signals.next(within: 0) == .end { break }
        }
        if !invocation.quiet { Terminal.note("\(heard) of \(chosen.count) stations were heard") }
        if heard < chosen.count { throw CommandFailure(.unavailable, "not every station was heard") }
    }

    /// `audio, mp3 44100 Hz, 128 kbit/s`
    private static func line(_ report: ProbeReport) -> String {
        let parts = [
            report.state.rawValue, report.reason, report.codec,
            report.measuredKbps.map { "\(Int(bounded: $0.rounded())) kbit/s" }, report.titles.last?.text,
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    private static func run(_ invocation: Invocation) throws {
        let url = try invocation.required(0)
        let seconds = try invocation.duration("for") ?? 10
        let alone = StandAlone(try SettingsFile.load(invocation).settings)
        defer { alone.stop() }
        if !invocation.json {
            Terminal.progress("listening to \(TerminalText.escaped(url)) for \(DurationText.text(seconds))")
        }
        let report = Prober(engine: alone.engine).probe(url, seconds: seconds)
        Terminal.endProgress()
        if invocation.json { Terminal.print(json(report)) } else { show(report) }
        switch report.state {
        case .audio: return
        case .notAudio, .unsupported: throw CommandFailure(.noInput, report.reason ?? "there is no audio")
        case .noAudio, .refused, .unreachable:
            throw CommandFailure(.unavailable, report.reason ?? "there is no audio")
        }
    }

    private static func show(_ report: ProbeReport) {
        let bitrate =
            report.measuredKbps.map { "\(Int(bounded: $0.rounded())) kbit/s measured" }
            ?? report.bitrateKbps.map { "\($0) kbit/s told" }
        let format = [
            report.codec, report.sampleRate.map { "\($0) Hz" }, report.channels.map { "\($0) channels" },
            bitrate,
        ]
        let rows: [(String, String?)] = [
            ("state", [report.state.rawValue, report.reason].compactMap(\.self).joined(separator: ": ")),
            ("address", report.finalURL ?? report.url), ("protocol", report.protocolName),
            ("name", report.name),
            ("genre", report.genre), ("homepage", report.homepage),
            ("format", format.compactMap(\.self).joined(separator: ", ")),
            (
                "heard",
                "\(report.audioSeconds.rounded(toPlaces: 1)) s in \(report.frames) frames, \(report.junkBytes) junk bytes"
            ),
            ("titles every", report.metaint.map { "\($0) bytes" }),
        ]
        Terminal.table(rows.compactMap { row in row.1.flatMap { $0.isEmpty ? nil : [row.0, $0] } })
        for title in report.titles {
            Terminal.print(
                TerminalText.escaped(
                    "  \(title.atSeconds.rounded(toPlaces: 1)) s  \(title.kind)  \(title.text)"))
        }
        for gap in report.gaps {
            Terminal.print(
                "  \(gap.atSeconds.rounded(toPlaces: 1)) s  break: \(gap.cause), \(gap.lostSeconds) s missing"
            )
        }
        for attempt in report.attempts {
            Terminal.print(TerminalText.escaped("  tried \(attempt.url): \(attempt.result)"))
        }
    }

    /// The object of the manual; what is unknown is null.
    static func json(_ report: ProbeReport) -> JSONValue {
        let titles = report.titles.map { title -> JSONValue in
            [
                "at_seconds": .number(title.atSeconds), "text": .string(title.text),
                "artist": JSONValue(title.artist),
                "title": JSONValue(title.title), "class": .string(title.kind),
            ]
        }
        let gaps = report.gaps.map { gap -> JSONValue in
            [
                "at_seconds": .number(gap.atSeconds), "lost_seconds": .number(gap.lostSeconds),
                "cause": .string(gap.cause),
            ]
        }
        let attempts = report.attempts.map { attempt -> JSONValue in
            ["url": .string(attempt.url), "result": .string(attempt.result)]
        }
        return [
            "url": .string(report.url), "final_url": JSONValue(report.finalURL),
            "state": .string(report.state.rawValue), "reason": JSONValue(report.reason),
            "http_status": JSONValue(report.httpStatus), "protocol": JSONValue(report.protocolName),
            "name": JSONValue(report.name), "genre": JSONValue(report.genre),
            "description": JSONValue(report.description), "homepage": JSONValue(report.homepage),
            "bitrate_kbps": JSONValue(report.bitrateKbps), "measured_kbps": JSONValue(report.measuredKbps),
            "metaint": JSONValue(report.metaint), "codec": JSONValue(report.codec),
            "sample_rate": JSONValue(report.sampleRate), "channels": JSONValue(report.channels),
            "audio_seconds": .number(report.audioSeconds), "frames": .int(Int64(report.frames)),
            "junk_bytes": .int(Int64(report.junkBytes)), "titles": .array(titles), "gaps": .array(gaps),
            "attempts": .array(attempts),
        ]
    }
}

extension Double {
    /// For people: `9.8`.
    fileprivate func rounded(toPlaces places: Int) -> Double {
        var factor = 1.0
        for _ in 0..<places { factor *= 10 }
        return (self * factor).rounded() / factor
    }
}

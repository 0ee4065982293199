internal import JSONText
internal import Platform

/// `aircheck status`
enum StatusCommand {
    static func run(_ invocation: Invocation) throws {
        let status = try ServiceClient.require(invocation).get("/api/v1/status")
        if invocation.json { return Terminal.print(status) }
        if invocation.quiet { return }
        Terminal.print(
            "aircheck \(status["version"]?.string ?? "?") at \(status["address"]?.string ?? "?"), up "
                + DurationText.text(status["uptime_seconds"]?.double ?? 0))
        player(status)
        stations(status)
        recordings(status)
        loggers(status)
    }

    /// Those that do not run.
    private static func loggers(_ status: JSONValue) {
        for logger in status["loggers"]?.array ?? [] {
            guard let reason = logger["reason"]?.string else { continue }
            Terminal.print(
                TerminalText.escaped("not logged: \(logger["station"]?.string ?? ""): \(reason)"))
        }
    }

    /// Nothing where neither a station nor a recording is on.
    private static func player(_ status: JSONValue) {
        guard let player = status["player"],
            ["station", "recording"].contains(where: { player[$0]?.isNull == false })
        else { return }
        Terminal.print(TerminalText.escaped("player    \(PlayerCommands.line(player))"))
    }

    private static func stations(_ status: JSONValue) {
        let stations = status["stations"]?.array ?? []
        guard !stations.isEmpty else { return Terminal.print("no station is connected") }
        Terminal.print("")
        Terminal.table(
            [["STATION", "STATE", "CODEC", "READERS", "LISTENERS", "NOW"]]
                + stations.map { station in
                    [
                        station["id"]?.string ?? "", stateText(station), codecText(station),
                        String(station["readers"]?.array?.count ?? 0), String(station["listeners"]?.int ?? 0),
                        station["now"]?["text"]?.string ?? "",
                    ]
                })
    }

    /// `live`, `live (certificate: expired)`, or `waiting: connection refused`
    private static func stateText(_ station: JSONValue) -> String {
        let state = station["state"]?.string ?? ""
        guard state == "live" else { return state + (station["reason"]?.string.map { ": \($0)" } ?? "") }
        let forgiven = station["forgiven_faults"]?.array?.compactMap(\.string) ?? []
        return state + (forgiven.isEmpty ? "" : " (certificate: \(forgiven.joined(separator: ", ")))")
            + (station["notice"]?.string.map { ": \($0)" } ?? "")
    }

    private static func codecText(_ station: JSONValue) -> String {
        guard let codec = station["format"]?["codec"]?.string else { return "-" }
        return codec + (station["bitrate_kbps"]?.double.map { " \(Int(bounded: $0.rounded()))k" } ?? "")
    }

    private static func recordings(_ status: JSONValue) {
        let running = status["recordings"]?.array ?? []
        guard !running.isEmpty else { return }
        Terminal.print("")
        Terminal.table(
            [["RECORDING", "STATION", "LENGTH", "FILE"]]
                + running.map { recording in
                    [
                        recording["id"]?.string ?? "", recording["station"]?["name"]?.string ?? "",
                        DurationText.text(recording["seconds"]?.double ?? 0), recording["path"]?.string ?? "",
                    ]
                })
    }
}

internal import AircheckDaemon
internal import JSONText
internal import Platform

/// `aircheck relay`
enum RelayCommand {
    static let spec = CommandSpec(
        "relay", "relay stations to others, without a service",
        details:
            "Serves until it is ended. With --bind it is open to whoever reaches that address; it has no API.",
        operands: [.stationOrURL.repeated()],
        options: [
            .value("bind", "ADDRESS", "address to listen on; 127.0.0.1 by default"),
            .value("port", "PORT", "port to listen on; \(Product.defaultPort) by default"),
            .value("mount", "/PATH", "mount of the station, where there is only one; its id by default"),
        ]
    ) { try run($0) }

    private static func run(_ invocation: Invocation) throws {
        var stations = try invocation.operands.map {
            try StationReference.find($0, invocation, direct: true).station
        }
        if let mount = invocation.text("mount") {
            guard stations.count == 1 else { throw invocation.usage("--mount goes with one station") }
            let path = mount.hasPrefix("/") ? String(mount.dropFirst()) : mount
            guard !path.isEmpty, !path.contains("//") else {
                throw invocation.usage("--mount \(mount): write /NAME")
            }
            stations[0].id = path
        }
        let relay: StandAloneRelay
        do {
            relay = try StandAloneRelay(
                stations: stations, host: invocation.text("bind") ?? "127.0.0.1",
                port: UInt16(try invocation.integer("port", in: 0...65_535) ?? Int(Product.defaultPort)),
                settings: try SettingsFile.load(invocation).settings)
        } catch let failure as ServiceFailure {
            throw CommandFailure(.unavailable, failure.message, remedy: failure.remedy)
        }
        defer { relay.stop() }
        let addresses = stations.map { "\(relay.address)/\($0.id)" }
        if invocation.json {
            Terminal.print(["mounts": .array(addresses.map(JSONValue.string))])
        } else if !invocation.quiet {
            addresses.forEach { Terminal.print(TerminalText.escaped($0)) }
            Terminal.note("Ctrl-C ends it.")
        }
        while Signals.next(within: 3600) != .end {}
    }
}

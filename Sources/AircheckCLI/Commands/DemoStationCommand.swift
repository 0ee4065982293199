internal import DemoStation
internal import JSONText
internal import Platform

/// `aircheck demo-station`
enum DemoStationCommand {
    static let spec = CommandSpec(
        "demo-station", "run the station that aircheck carries inside, on loopback",
        details:
            "An endless ICY station with titles that change, to try things without a network. It runs until you end it.",
        options: [.value("port", "PORT", "port on 127.0.0.1; \(Product.demoPort) by default")]
    ) { try run($0) }

    private static func run(_ invocation: Invocation) throws {
        let port = UInt16(try invocation.integer("port", in: 0...65_535) ?? Int(Product.demoPort))
        let station: DemoStation
        do {
            station = try DemoStation(port: port)
        } catch {
            throw CommandFailure(
                .unavailable, "the demo station cannot use port \(port): \(error)",
                remedy: "Choose another one with --port.")
        }
        let url = "http://127.0.0.1:\(station.port)/"
        if invocation.json {
            Terminal.print(["url": .string(url), "port": .int(Int64(station.port))])
        } else {
            Terminal.print("the demo station is on the air at \(url)")
            Terminal.note("Ctrl-C ends it.")
        }
        while Signals.next(within: 3600) != .end {}
        station.stop()
    }
}

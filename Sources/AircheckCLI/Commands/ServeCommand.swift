internal import AircheckDaemon
internal import Configuration
internal import JSONText
internal import Platform
internal import Reactor

/// `aircheck serve`
enum ServeCommand {
    static let spec = CommandSpec(
        "serve", "run the service",
        details: """
            Without settings it listens on 127.0.0.1 port \(Product.defaultPort), keeps its database under \
            $XDG_DATA_HOME/aircheck and its recordings in the Music folder. Ctrl-C or SIGTERM end it properly; SIGHUP reads \
            the station files and the settings again, and drops nobody. SIGUSR2 gives the place to the program that was \
            installed meanwhile: ports and listeners stay.
            """,
        options: [
            .flag("demo", "carry the demo station, so that there is something to hear without a network"),
            .value("demo-port", "PORT", "port of the demo station on 127.0.0.1"),
            .value("listen", "ADDRESS:PORT", "where listeners reach it; the API stays on loopback"),
            .flag("open", "let everybody who reaches --listen listen without a token"),
            .value("data", "DIR", "folder of the database", completion: .folder),
            .value("recordings", "DIR", "folder of the recordings", completion: .folder),
        ]
    ) { try run($0) }

    private static func run(_ invocation: Invocation) throws {
        let loaded = try SettingsFile.load(invocation, flags: try flags(invocation))
        let folders = Folders(loaded.settings, environment: Environment.all)
        if invocation.verbosity == 0, !invocation.quiet { Log.level = level(loaded.settings.log.level) }
        ListeningSockets.inherit(from: Environment.all)
        let manager = ServiceManager(environment: Environment.all)
        // A program that took another one's place is watched from its first moment.
        let service = try manager.staying(aliveDuring: {
            try start(ServicePlan(configuration: loaded.settings, folders: folders))
        })
        announce(service, loaded.settings, invocation)
        manager.ready()
        while true {
            manager.alive()
            switch Signals.next(within: manager.lifeSignSeconds ?? 3600) {
            case .end:
                manager.ending()
                return end(service, invocation)
            case .reload:
                manager.reloading(at: SystemTime().now)
                reload(service, since: loaded, invocation)
                manager.ready()
            case .upgrade: throw failure(manager.staying(aliveDuring: { service.giveWay() }))
            case .resized, .woken, nil: break
            }
        }
    }

    /// SIGHUP. What is wrong is said, and everything stays as it was.
    private static func reload(_ service: Service, since before: LoadedSettings, _ invocation: Invocation) {
        do {
            let loaded = try SettingsFile.load(invocation, flags: try flags(invocation))
            if invocation.verbosity == 0, !invocation.quiet { Log.level = level(loaded.settings.log.level) }
            for name in loaded.needingRestart(since: before.settings) {
                Log.warning("service", "a setting takes a restart", ["setting": name])
            }
            try service.reload(loaded.settings)
        } catch {
            Log.error("service", "the settings stay as they were", ["error": "\(error)"])
            try? service.reload()
        }
    }

    private static func flags(_ invocation: Invocation) throws -> [(name: String, value: String)] {
        var flags: [(name: String, value: String)] = []
        if invocation.has("demo") { flags.append(("demo.enabled", "true")) }
        if let port = invocation.text("demo-port") { flags.append(("demo.port", port)) }
        if invocation.has("open") { flags.append(("server.listen_open", "true")) }
        if let folder = invocation.text("data") { flags.append(("paths.data", folder)) }
        if let folder = invocation.text("recordings") { flags.append(("paths.recordings", folder)) }
        guard let listen = invocation.text("listen") else { return flags }
        guard let colon = listen.lastIndex(of: ":"), let port = UInt16(listen[listen.index(after: colon)...])
        else {
            throw invocation.usage(
                "--listen \(listen): write ADDRESS:PORT, such as 0.0.0.0:\(Product.defaultPort)")
        }
        var host = String(listen[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        if host == "*" || host.isEmpty { host = "0.0.0.0" }
        // The control role moves with the port, and stays on loopback.
        return flags + [
            ("server.listen_bind", host), ("server.listen_port", "\(port)"), ("server.port", "\(port)"),
        ]
    }

    private static func start(_ plan: ServicePlan) throws -> Service {
        do {
            return try Service(plan)
        } catch let failure as ServiceFailure {
            throw self.failure(failure)
        }
    }

    private static func failure(_ failure: ServiceFailure) -> CommandFailure {
        let code: ExitCode =
            switch failure.kind {
            case .configuration: .configuration
            case .unavailable: .unavailable
            case .cannotCreate: .cannotCreate
            }
        return CommandFailure(code, failure.message, remedy: failure.remedy)
    }

    private static func announce(_ service: Service, _ settings: Settings, _ invocation: Invocation) {
        if invocation.json {
            return Terminal.print([
                "address": .string(service.address), "listen": .string(service.listenAddress),
                "stations": .int(Int64(service.stationCount)),
            ])
        }
        for problem in service.stationProblems { Terminal.note("warning: \(TerminalText.escaped(problem))") }
        if invocation.quiet { return }
        let stations = service.stationCount == 1 ? "1 station" : "\(service.stationCount) stations"
        Terminal.print(
            "aircheck \(Product.version) serves \(stations) at \(service.listenAddress)")
        if service.address != service.listenAddress { Terminal.print("the API is at \(service.address)") }
        if settings.demo.enabled {
            Terminal.note(
                """
                Try, in another terminal:
                  aircheck tune demo                      listen
                  aircheck record demo --for 20s          record
                  mpv \(service.listenAddress)/demo         let another player listen
                Ctrl-C ends the service.
                """)
        }
    }

    private static func end(_ service: Service, _ invocation: Invocation) {
        if !invocation.quiet { Terminal.note("ending: recordings are finished properly") }
        service.stop()
    }

    private static func level(_ level: Settings.Log.Level) -> Log.Level {
        switch level {
        case .debug: .debug
        case .info: .info
        case .warning: .warning
        case .error: .error
        }
    }
}

internal import Configuration
internal import Glibc
internal import HomeNetwork
internal import JSONText
internal import Platform
internal import Reactor

/// `aircheck avahi`
enum AvahiCommand {
    static let spec = CommandSpec(
        "avahi", "print the file by which Avahi tells the network where this service is",
        details:
            "Avahi reads it from /etc/avahi/services by itself; --install puts it there, --remove takes it away again.",
        options: [
            .flag("install", "write it where Avahi looks, and say where"),
            .flag("remove", "delete it from there"),
            .value("folder", "FOLDER", "where Avahi looks; /etc/avahi/services by default"),
        ]
    ) { try run($0) }

    private static func run(_ invocation: Invocation) throws {
        let settings = try SettingsFile.load(invocation).settings
        let (server, mpd) = (settings.server, settings.mpd)
        let isMPDOpen = mpd.port > 0 && !PeerAddress.isLoopback(text: mpd.bind)
        let text = AvahiServices.text(port: server.listenPort, mpdPort: isMPDOpen ? mpd.port : nil)
        let path = (invocation.text("folder") ?? AvahiServices.folder) + "/" + AvahiServices.fileName
        switch (invocation.has("install"), invocation.has("remove")) {
        case (true, true): throw invocation.usage("--install and --remove go one at a time")
        case (true, false): try install(text, at: path, server, invocation)
        case (false, true): try remove(path, invocation)
        case (false, false):
            if invocation.json { return Terminal.print(["path": .string(path), "text": .string(text)]) }
            Terminal.print(text)
        }
    }

    private static func install(
        _ text: String, at path: String, _ server: Settings.Server, _ invocation: Invocation
    ) throws {
        // An announcement of what nobody can reach would only mislead.
        guard !PeerAddress.isLoopback(text: server.listenBind) else {
            throw CommandFailure(
                .configuration, "the mounts are open to this machine alone, so there is nothing to announce",
                remedy: "Set server.listen_bind = \"0.0.0.0\" and server.listen_open = true first.")
        }
        do {
            try Files.replace(path, with: Array(text.utf8))
        } catch {
            throw CommandFailure(
                .cannotCreate, "cannot write \(path): \(error.reason)",
                remedy:
                    "Is avahi-daemon installed? The folder belongs to root: sudo aircheck avahi --install.")
        }
        report("installed", path, invocation)
    }

    private static func remove(_ path: String, _ invocation: Invocation) throws {
        guard Files.exists(path) else {
            throw CommandFailure(.noInput, "there is no \(path)", remedy: "Nothing is announced.")
        }
        guard unlink(path) == 0 else {
            throw CommandFailure(
                .cannotCreate, "cannot delete \(path): \(SystemError(while: path).reason)",
                remedy: "The folder belongs to root: use sudo.")
        }
        report("removed", path, invocation)
    }

    private static func report(_ what: String, _ path: String, _ invocation: Invocation) {
        if invocation.json { return Terminal.print(["\(what)": .string(path)]) }
        if !invocation.quiet { Terminal.print("\(what) \(path)") }
    }
}

internal import Platform
internal import StreamFormats

/// The XML that Icecast's administrative clients and exporters read.
struct AdminPages {
    let status: StatusPage

    private var snapshot: RelaySnapshot { status.snapshot }

    func stats() -> String {
        let facts: [(String, String)] = [
            ("admin", status.server.admin), ("client_connections", "\(snapshot.connections)"),
            ("clients", "\(snapshot.connected)"), ("connections", "\(snapshot.connections)"),
            ("file_connections", "0"), ("host", status.server.host),
            ("listener_connections", "\(snapshot.connections)"), ("listeners", "\(snapshot.listeners)"),
            ("location", status.server.location), ("server_id", status.server.id),
            ("server_start", IcecastDates.rfc2822(snapshot.startedAt)),
            ("server_start_iso8601", IcecastDates.iso8601(snapshot.startedAt)),
            ("source_client_connections", "0"), ("source_relay_connections", "\(snapshot.openMounts.count)"),
            ("source_total_connections", "\(snapshot.openMounts.count)"),
            ("sources", "\(snapshot.openMounts.count)"),
            ("stats", "0"), ("stats_connections", "0"),
        ]
        let sources = snapshot.openMounts.map(source).joined()
        return Self.document("icestats", facts.map { Self.element($0.0, $0.1) }.joined() + sources)
    }

    private func source(_ mount: RelaySnapshot.Mount) -> String {
        let more: [StatusPage.Field] = [
            .init("max_listeners", "unlimited"), .init("public", 0),
            .init("slow_listeners", mount.counts.dropped), .init("source_ip", mount.upstream ?? ""),
            .init("total_bytes_read", mount.receivedBytes), .init("total_bytes_sent", mount.counts.sentBytes),
        ]
        let fields = (status.fields(of: mount) + more).sorted { $0.name < $1.name }
        return Self.mounted(mount.name, fields.map { Self.element($0.name, $0.text) }.joined())
    }

    func listMounts() -> String {
        let sources = snapshot.openMounts.map { mount in
            let connected =
                mount.openedAt.map { Int(bounded: snapshot.now.secondsSince1970 - $0.secondsSince1970) } ?? 0
            return Self.mounted(
                mount.name,
                Self.element("fallback", mount.fallback.map { "/\($0)" } ?? "")
                    + Self.element("listeners", "\(mount.counts.listeners)")
                    + Self.element("Connected", "\(max(0, connected))")
                    + Self.element("content-type", mount.facts?.mediaType ?? ""))
        }
        return Self.document("icestats", sources.joined())
    }

    static func listClients(mount: String, _ listeners: [ListenerStatus]) -> String {
        let clients = listeners.map { listener in
            "<listener>" + element("IP", listener.facts.peer.text)
                + element("UserAgent", listener.facts.userAgent)
                + element("Connected", "\(Int(bounded: listener.connectedSeconds))")
                + element("ID", "\(listener.facts.id)")
                + "</listener>"
        }
        return document(
            "icestats", mounted(mount, element("Listeners", "\(listeners.count)") + clients.joined()))
    }

    /// - Parameter success: `return` is 1 for "done", 0 for "no".
    static func response(_ message: String, success: Bool) -> String {
        document("iceresponse", element("message", message) + element("return", success ? "1" : "0"))
    }

    // MARK: XML

    private static func document(_ root: String, _ content: String) -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<\(root)>\(content)</\(root)>\n"
    }

    private static func mounted(_ name: String, _ content: String) -> String {
        "<source mount=\"\(XMLText.escaped("/" + name))\">\(content)</source>"
    }

    private static func element(_ name: String, _ text: String) -> String {
        "<\(name)>\(XMLText.escaped(text))</\(name)>"
    }
}

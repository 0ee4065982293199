internal import CLinux
internal import HTTPServer
internal import Platform
internal import Relay

/// Figures in Prometheus' text format, version 0.0.4.
enum Metrics {
    static let type = "text/plain; version=0.0.4; charset=utf-8"

    static func text(_ rooms: Rooms) -> String {
        var page = MetricsPage()
        page.add(
            "aircheck_uptime_seconds", .gauge, "Seconds since the start.",
            rooms.time.now.seconds(since: rooms.startedAt))
        page.add(
            "process_cpu_seconds_total", .counter, "CPU time of this process.",
            Double(aircheck_process_cpu_nanoseconds()) / 1e9)
        if let server = rooms.server.withLock({ $0 }) { addServer(server.counts, &page) }
        addFeeds(rooms, &page)
        if let relay = rooms.relay.withLock({ $0 })?.snapshot { addRelay(relay, &page) }
        page.add(
            "aircheck_encoders", .gauge, "Stations that are being made into MP3.",
            Double(rooms.variants.mp3.places.count))
        page.add(
            "aircheck_delays", .gauge, "Different delays that are being heard.",
            Double(rooms.variants.delayed.count))
        addPushes(rooms.follower.pushes.statuses, &page)
        page.add("aircheck_recordings", .gauge, "Recordings that run.", Double(rooms.recorder.running.count))
        return page.text
    }

    private static func addServer(_ counts: ServerCounts, _ page: inout MetricsPage) {
        page.add(
            "aircheck_http_connections", .gauge, "Connections that the server itself holds.",
            Double(counts.open))
        page.add("aircheck_http_requests_total", .counter, "Requests read.", Double(counts.requests))
        page.declare(
            "aircheck_http_refused_total", .counter, "What was refused, by the limit or rule that did it.")
        for refusal in ServerCounts.Refusal.allCases {
            page.sample(
                "aircheck_http_refused_total", Double(counts.refusals[refusal] ?? 0),
                [("reason", refusal.rawValue)])
        }
    }

    private static func addFeeds(_ rooms: Rooms, _ page: inout MetricsPage) {
        let feeds = rooms.hub.allFeeds
        page.declare("aircheck_station_up", .gauge, "1 while audio of the station flows.")
        page.declare("aircheck_station_received_bytes_total", .counter, "Bytes received from the station.")
        page.declare("aircheck_station_reconnects_total", .counter, "Times the station was connected again.")
        for feed in feeds {
            let (status, labels) = (feed.status, [("station", feed.station.id)])
            page.sample("aircheck_station_up", status.state == .live ? 1 : 0, labels)
            page.sample("aircheck_station_received_bytes_total", Double(status.bytesReceived), labels)
            page.sample("aircheck_station_reconnects_total", Double(status.reconnects), labels)
        }
    }

    private static func addPushes(_ pushes: [PushStatus], _ page: inout MetricsPage) {
        page.declare("aircheck_push_up", .gauge, "Whether the station is being sent there.")
        page.declare("aircheck_push_sent_bytes_total", .counter, "Bytes sent there.")
        page.declare("aircheck_push_connections_total", .counter, "How often the server was reached.")
        page.declare(
            "aircheck_push_lost_bytes_total", .counter, "Bytes that the server did not take in time.")
        for push in pushes {
            let labels = [("station", push.station), ("to", push.place)]
            page.sample("aircheck_push_up", push.state == .sending ? 1 : 0, labels)
            page.sample("aircheck_push_sent_bytes_total", Double(push.sentBytes), labels)
            page.sample("aircheck_push_connections_total", Double(push.connections), labels)
            page.sample("aircheck_push_lost_bytes_total", Double(push.lostBytes), labels)
        }
    }

    private static func addRelay(_ relay: RelaySnapshot, _ page: inout MetricsPage) {
        page.declare("aircheck_listeners", .gauge, "Listeners of the mount.")
        page.declare("aircheck_listener_sent_bytes_total", .counter, "Bytes sent to listeners of the mount.")
        page.declare(
            "aircheck_listener_skips_total", .counter,
            "Listeners that lagged and were moved to the live edge.")
        page.declare(
            "aircheck_listener_dropped_total", .counter, "Listeners dropped because they lagged too far.")
        for mount in relay.mounts {
            let labels = [("mount", mount.name)]
            page.sample("aircheck_listeners", Double(mount.counts.connected), labels)
            page.sample("aircheck_listener_sent_bytes_total", Double(mount.counts.sentBytes), labels)
            page.sample("aircheck_listener_skips_total", Double(mount.counts.skips), labels)
            page.sample("aircheck_listener_dropped_total", Double(mount.counts.dropped), labels)
        }
        page.declare(
            "aircheck_listener_refused_total", .counter, "Listeners turned away, by the limit that did it.")
        for limit in RelayLimit.allCases {
            page.sample(
                "aircheck_listener_refused_total", Double(relay.refused[limit] ?? 0),
                [("limit", limit.rawValue)])
        }
    }
}

/// Builds the text; labels are escaped here.
struct MetricsPage {
    enum Kind: String { case counter, gauge }

    private(set) var text = ""

    mutating func declare(_ name: String, _ kind: Kind, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
        declare(name, kind, help)
        sample(name, value, [])
    }

    mutating func sample(_ name: String, _ value: Double, _ labels: [(String, String)]) {
        let list = labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
        text += name + (list.isEmpty ? "" : "{\(list)}") + " \(Self.number(value))\n"
    }

    private static func number(_ value: Double) -> String {
        Int64(exactly: value).map(String.init) ?? "\(value)"
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

internal import JSONText
internal import Platform
internal import Recording
internal import Relay

/// `GET /api/v1/status`
enum StatusJSON {
    static func object(_ rooms: Rooms) -> JSONValue {
        let addresses = rooms.addresses.withLock { $0 }
        let relay = rooms.relay.withLock { $0 }?.snapshot
        return [
            "version": .string(Product.version), "started": .string(LocalTime.iso(rooms.started)),
            "uptime_seconds": .number(rooms.time.now.seconds(since: rooms.startedAt)),
            "address": .string(addresses.control), "listen": .string(addresses.listen),
            "stations": .array(stations(rooms, relay)),
            "player": PlayerJSON.object(rooms.player.status, at: rooms.time.wall),
            "recordings": .array(rooms.recorder.running.map(RecordingJSON.running)),
            "loggers": .array(rooms.loggers.orders.map(logger)),
            "listeners": .int(Int64(relay?.connected ?? 0)),
            "mounts": .array((relay?.mounts ?? []).map(mount)),
            "pushes": .array(rooms.follower.pushes.statuses.map(push)),
            "catalogue": [
                "stations": .int(Int64(rooms.catalogue.snapshot.stations.count)),
                "problems": .array(rooms.catalogue.problems.map { .string($0.description) }),
            ],
        ]
    }

    private static func stations(_ rooms: Rooms, _ relay: RelaySnapshot?) -> [JSONValue] {
        let listeners = Dictionary(
            (relay?.mounts ?? []).map { ($0.station.id, $0.counts.connected) }, uniquingKeysWith: +)
        return rooms.hub.allFeeds.filter { $0.readerCount > 0 || $0.status.state != .idle }.map { feed in
            FeedJSON.full(feed, listeners: listeners[feed.station.id] ?? 0)
        }
    }

    private static func logger(_ order: Loggers.Order) -> JSONValue {
        [
            "station": .string(order.stationID ?? order.station), "slot": .int(Int64(order.log.slotSeconds)),
            "series": JSONValue(order.series?.text), "is_set": .bool(order.key == nil),
            "until": JSONValue(order.until.map(WallStamp.text)), "reason": JSONValue(order.trouble),
        ]
    }

    private static func push(_ push: PushStatus) -> JSONValue {
        [
            "station": .string(push.station), "to": .string(push.place),
            "state": .string(push.state.rawValue),
            "since": .string(LocalTime.iso(push.since)), "sent_bytes": .int(push.sentBytes),
            "connections": .int(push.connections), "titles": .int(push.titles),
            "lost_bytes": .int(push.lostBytes), "reason": push.reason.map(JSONValue.string) ?? .null,
        ]
    }

    private static func mount(_ mount: RelaySnapshot.Mount) -> JSONValue {
        [
            "name": .string(mount.name), "station": .string(mount.station.id), "open": .bool(mount.isOpen),
            "connected": .int(Int64(mount.counts.connected)),
            "listeners": .int(Int64(mount.counts.listeners)),
            "peak": .int(Int64(mount.counts.peak)), "connections": .int(mount.counts.connections),
            "sent_bytes": .int(mount.counts.sentBytes), "skips": .int(mount.counts.skips),
            "dropped": .int(mount.counts.dropped),
        ]
    }
}

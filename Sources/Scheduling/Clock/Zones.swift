internal import Glibc
internal import Platform

/// The time zone database of the machine, read as it is needed. Any thread.
///
/// Not `localtime_r` with TZ set: that is one setting for the whole process, and no two threads may change it.
package final class Zones: Sendable {
    private struct Known {
        var stamp: Files.Stamp?
        var zone: Zone
    }

    private let folder: String
    private let known = Lock<[String: Known]>([:])

    /// - Parameter folder: nil for the machine's own (TZDIR, or where Debian's tzdata lies).
    package init(folder: String? = nil) {
        self.folder = folder ?? Environment.value("TZDIR") ?? "/usr/share/zoneinfo"
    }

    /// The zone of a name such as `Europe/Berlin`. Reads a file the first time, and when it has changed.
    package func zone(_ name: String) throws(ScheduleMistake) -> Zone {
        guard Self.isName(name) else { throw .zone(name) }
        let path = folder + "/" + name
        let stamp = Files.stamp(path)
        if let kept = known.withLock({ $0[name] }), kept.stamp == stamp || stamp == nil { return kept.zone }
        guard let bytes = try? Files.read(path, limit: ZoneFile.limit),
            let zone = ZoneFile.zone(name, bytes)
        else { throw .zone(name) }
        known.withLock { $0[name] = Known(stamp: stamp, zone: zone) }
        return zone
    }

    /// Whether the database has been replaced under a zone that was read: what was planned must be planned again.
    package var hasChanged: Bool {
        known.withLock { $0 }.contains { name, kept in
            let stamp = Files.stamp(folder + "/" + name)
            return stamp != nil && stamp != kept.stamp
        }
    }

    /// Names that lead to no other folder. `right/…` counts leap seconds, as no clock here does.
    private static func isName(_ name: String) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return name.utf8.count <= 64 && (1...3).contains(parts.count) && parts.first != "right"
            && parts.allSatisfy { part in
                !part.isEmpty && !part.hasPrefix(".")
                    && part.utf8.allSatisfy { byte in
                        (48...57).contains(byte) || (65...90).contains(byte & 0xDF) || byte == 95
                            || byte == 43 || byte == 45
                    }
            }
    }

    /// The name of the zone that this machine's clock shows; `Etc/UTC` where nothing says.
    package static var local: String {
        if let named = Environment.value("TZ") {
            let name = named.hasPrefix(":") ? String(named.dropFirst()) : named
            if isName(name) { return name }
        }
        var buffer = [CChar](repeating: 0, count: 256)
        let length = readlink("/etc/localtime", &buffer, buffer.count)
        let target = String(
            decoding: buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let marker = "/zoneinfo/"
        for start in target.indices where target[start...].hasPrefix(marker) {
            return String(target[start...].dropFirst(marker.count))
        }
        return "Etc/UTC"
    }
}

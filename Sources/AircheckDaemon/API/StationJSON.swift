package import JSONText
package import StreamFormats

/// A station as the API writes it, and as a command reads it back.
package enum StationJSON {
    /// What everybody may see. Credentials in an address are left out, and so are the headers.
    package static func object(_ station: Station) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("id", .string(station.id)), .init("name", .string(station.name)),
            .init("urls", .array(station.urls.map { .string(withoutCredentials($0)) })),
        ]
        let texts: [(String, String?)] = [
            ("homepage", station.homepage), ("logo", station.logo), ("callsign", station.callsign),
            ("frequency", station.frequency), ("market", station.market), ("genre", station.genre),
            ("country", station.country), ("language", station.language), ("codec", station.codec),
            ("source", station.source),
        ]
        for (key, text) in texts { if let text { members.append(.init(key, .string(text))) } }
        if let bitrate = station.bitrate { members.append(.init("bitrate", .int(Int64(bitrate)))) }
        if !station.tags.isEmpty { members.append(.init("tags", .array(station.tags.map(JSONValue.string)))) }
        if !station.groups.isEmpty {
            members.append(.init("groups", .array(station.groups.map(JSONValue.string))))
        }
        return .object(members)
    }

    /// `{"id", "name"}`, where a station is only mentioned.
    package static func reference(_ station: Station) -> JSONValue {
        ["id": .string(station.id), "name": .string(station.name)]
    }

    /// The station of an answer; nil where the answer lacks id, name or address.
    package static func station(_ json: JSONValue) -> Station? {
        guard let id = json["id"]?.string, let name = json["name"]?.string else { return nil }
        var station = Station(id: id, name: name, urls: json["urls"]?.array?.compactMap(\.string) ?? [])
        station.homepage = json["homepage"]?.string
        station.genre = json["genre"]?.string
        station.country = json["country"]?.string
        station.language = json["language"]?.string
        station.codec = json["codec"]?.string
        station.bitrate = json["bitrate"]?.int.map { Int(min(max($0, 0), 100_000)) }
        return station
    }

    /// The address without `user:password@`.
    package static func withoutCredentials(_ url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return url }
        let rest = url[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard let at = authority.lastIndex(of: "@") else { return url }
        return String(url[..<scheme.upperBound]) + rest[rest.index(after: at)...]
    }
}

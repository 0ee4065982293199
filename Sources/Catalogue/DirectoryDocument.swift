internal import JSONText
internal import Platform
internal import StreamFormats

/// A station of one's own as the directory's clients read it: every key is there, and those that old clients take as text
/// are never null.
enum DirectoryDocument {
    /// - Parameter base: where listeners reach the service; its mount is the station's address.
    static func json(_ station: CatalogueStation, base: String) -> JSONValue {
        let uuid = station.entry.directoryID ?? uuid(station.id)
        let wire = station.station
        let address = JSONValue.string("\(base)/\(station.id)")
        let tags = ([wire.genre].compactMap { $0 } + wire.tags).map { $0.lowercased() }
        return [
            "changeuuid": .string(uuid), "stationuuid": .string(uuid), "serveruuid": .null,
            "name": .string(wire.name), "url": address, "url_resolved": address,
            "homepage": .string(wire.homepage ?? ""), "favicon": .string(wire.logo ?? ""),
            "tags": .string(tags.joined(separator: ",")),
            "country": .string(wire.country.flatMap { CountryNames.name(of: $0) } ?? ""),
            "countrycode": .string(wire.country ?? ""), "iso_3166_2": .null,
            "state": .string(wire.market ?? ""), "language": .string((wire.language ?? "").lowercased()),
            "languagecodes": "", "votes": 0, "lastchangetime": .string(never),
            "lastchangetime_iso8601": .null,
            "codec": .string(wire.codec?.uppercased() ?? "UNKNOWN"),
            "bitrate": .int(Int64(wire.bitrate ?? 0)),
            "hls": 0, "lastcheckok": 1, "lastchecktime": .string(never), "lastchecktime_iso8601": .null,
            "lastcheckoktime": .string(never), "lastcheckoktime_iso8601": .null,
            "lastlocalchecktime": .string(never), "lastlocalchecktime_iso8601": .null,
            "clicktimestamp": .string(never), "clicktimestamp_iso8601": .null, "clickcount": 0,
            "clicktrend": 0,
            "ssl_error": 0, "geo_lat": .null, "geo_long": .null, "has_extended_info": false,
        ]
    }

    private static let never = "1970-01-01 00:00:00"

    /// The same id always makes the same one; the version says that it is made by rules of our own (RFC 9562 §5.8).
    static func uuid(_ id: String) -> String {
        var second = FNV1a(basis: 0x8422_2325_CBF2_9CE4)
        for byte in id.utf8 { second.add(byte &+ 1) }
        let high = FNV1a.of(id) & 0xFFFF_FFFF_FFFF_0FFF | 0x8000
        let low = second.value & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let digits = hexadecimal(high) + hexadecimal(low)
        var text = ""
        for (place, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(place) { text += "-" }
            text.append(digit)
        }
        return text
    }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

internal import Platform
internal import StreamFormats
internal import TOMLText

/// One key of a station: how it is read from TOML, written back, cleared and explained.
///
/// Station files, `stations add` and `edit`, the overlay and the page of documentation all come from this table.
package struct StationField: Sendable {
    package let key: String
    /// `text`, `list of addresses`.
    package let kind: String
    package let documentation: String
    /// A value that shows how it is written.
    package let example: String
    let read: @Sendable (TOMLValue, inout StationEntry) throws(FieldRefusal) -> Void
    /// What the station says; nil where it says nothing.
    let value: @Sendable (StationEntry) -> TOMLValue.Content?
    let clear: @Sendable (inout StationEntry) -> Void

    /// What the station says as TOML.
    package func text(of entry: StationEntry) -> String? { value(entry).map { TOMLWriting.text($0) } }

    /// The field of that name.
    package static func named(_ key: String) -> StationField? { all.first { $0.key == key } }

    /// Every field, in the order in which files are written.
    package static let all: [StationField] = [
        StationField(
            key: "id", kind: "id",
            documentation:
                "Lower-case letters, digits and dashes. The mount is `/id`; it must not be one of the "
                + "service's own paths. Required.",
            example: "\"night-drive\"",
            read: { value, entry throws(FieldRefusal) in
                let id = try FieldText.line(value, longest: 200)
                if let refusal = StationID.refusal(id) { throw FieldRefusal(refusal) }
                entry.station.id = id
            }, value: { .string($0.station.id) }, clear: { _ in }),
        StationField(
            key: "name", kind: "text", documentation: "What people call it. Required.",
            example: "\"Night Drive FM\"",
            read: { value, entry throws(FieldRefusal) in
                let name = try FieldText.line(value, longest: 200)
                guard !name.isEmpty else { throw FieldRefusal("the name is empty") }
                entry.station.name = name
            }, value: { .string($0.station.name) }, clear: { _ in }),
        StationField(
            key: "urls", kind: "list of addresses",
            documentation:
                "Where it is heard, best first: streams or playlists, `http` or `https`. The next one is "
                + "tried when one fails. `source:/MOUNT` alone: a source client sends it to that mount of ours. "
                + "Required.",
            example: "[\"https://radio.example/live.mp3\"]",
            read: { value, entry throws(FieldRefusal) in
                let urls = try FieldText.list(value, most: 16) { item throws(FieldRefusal) in
                    try FieldText.streamAddress(item)
                }
                guard urls.count == 1 || !urls.contains(where: { $0.hasPrefix(Station.sourceScheme) }) else {
                    throw FieldRefusal("an address with \(Station.sourceScheme) stands alone")
                }
                guard !urls.isEmpty else {
                    throw FieldRefusal("the list is empty; write at least one address")
                }
                entry.station.urls = urls
            }, value: { .texts($0.station.urls) }, clear: { _ in }),
        .address("homepage", \.station.homepage, "Its web page.", "\"https://radio.example/\""),
        .address("logo", \.station.logo, "Its picture.", "\"https://radio.example/logo.png\""),
        .text("callsign", \.station.callsign, "Call sign.", "\"KXYZ\""),
        .text("frequency", \.station.frequency, "Frequency on air, as people say it.", "\"98.5 FM\""),
        .text("market", \.station.market, "City or region that it serves.", "\"Leipzig\""),
        .text("genre", \.station.genre, "What it plays, in a word or two.", "\"jazz\""),
        StationField(
            key: "country", kind: "country code", documentation: "ISO 3166-1, two letters.",
            example: "\"NO\"",
            read: { value, entry throws(FieldRefusal) in
                let code = try FieldText.line(value, longest: 40)
                guard code.utf8.count == 2, code.utf8.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }) else {
                    throw FieldRefusal("\"\(code)\" is not a country code; write two letters such as \"DE\"")
                }
                entry.station.country = code.uppercased()
            }, value: { $0.station.country.map { .string($0) } }, clear: { $0.station.country = nil }),
        .text("language", \.station.language, "Language of its speech.", "\"norwegian\""),
        .text("codec", \.station.codec, "Told, never trusted: what is sent decides.", "\"mp3\""),
        StationField(
            key: "bitrate", kind: "whole number", documentation: "kbit/s, told.", example: "128",
            read: { value, entry throws(FieldRefusal) in
                entry.station.bitrate = try FieldText.whole(value, 1...100_000)
            }, value: { $0.station.bitrate.map { .integer(Int64($0)) } }, clear: { $0.station.bitrate = nil }),
        .text(
            "charset", \.station.charset,
            "Charset of its titles where the guess needs help.", "\"windows-1251\""),
        StationField(
            key: "titles", kind: "list of texts",
            documentation: "Rules for its titles: [how they are written](titles.md#rules-of-a-station).",
            example: "[\"advert *sponsored by*\", \"swap\"]",
            read: { value, entry throws(FieldRefusal) in
                let lines = try FieldText.list(value, most: TitleRules.mostLines) {
                    item throws(FieldRefusal) in
                    try FieldText.line(item, longest: 300)
                }
                do throws(TitleRules.Mistake) {
                    entry.station.titles = try TitleRules(lines: lines)
                } catch {
                    throw FieldRefusal(error.description)
                }
            },
            value: { $0.station.titles.lines.isEmpty ? nil : .texts($0.station.titles.lines) },
            clear: { $0.station.titles = TitleRules() }),
        StationField(
            key: "headers", kind: "table of texts",
            documentation: "Request headers for this station alone.",
            example: "{ Referer = \"https://radio.example/\" }",
            read: { value, entry throws(FieldRefusal) in entry.station.headers = try FieldText.headers(value)
            },
            value: { FieldText.table($0.station.headers) }, clear: { $0.station.headers = [] }),
        StationField(
            key: "window", kind: "duration",
            documentation: "Arms the station: it stays connected and this much of its past is kept on disk.",
            example: "\"6h\"",
            read: { value, entry throws(FieldRefusal) in
                let seconds = value.string.flatMap(DurationText.seconds)
                guard let seconds, seconds >= 60, seconds <= 31 * 86_400 else {
                    throw FieldRefusal("write a duration from \"1m\" to \"31d\", such as \"6h\"")
                }
                entry.station.windowSeconds = Int(seconds)
            }, value: { $0.station.windowSeconds.map { .string(DurationText.text(Double($0))) } },
            clear: { $0.station.windowSeconds = nil }),
        StationField(
            key: "gain", kind: "number",
            documentation: "dB added by the player; recordings and listeners never hear it.", example: "-3.5",
            read: { value, entry throws(FieldRefusal) in
                guard let gain = value.real, (-40...40).contains(gain) else {
                    throw FieldRefusal("write a number of dB from -40 to 40")
                }
                entry.station.gain = gain
            }, value: { $0.station.gain.map { .real($0) } }, clear: { $0.station.gain = nil }),
        .text(
            "programme", \.station.programme,
            "A word that it shares with stations that send the same programme in another quality. Without it, names are "
                + "compared, apart from words such as `128k` and `AAC`.", "\"groove-salad\""),
        .text("source", \.station.source, "Where the entry was taken from.", "\"goodvibes 0.7.6 (Debian)\""),
        .words("tags", \.station.tags, "Words to search by.", "[\"late night\", \"vinyl\"]"),
        .words("groups", \.station.groups, "Lists that it belongs to.", "[\"Kitchen\"]"),
        .words("aliases", \.station.aliases, "More names of its mount.", "[\"main.mp3\", \"old/name\"]"),
        .text(
            "fallback", \.station.fallback,
            "Id of the station that its listeners hear while it is away. It must send the same type of audio.",
            "\"night-drive\""),
        .truth(
            "always_on", \.station.isAlwaysOn, "Stays connected whether or not anybody listens.", "true"),
        .truth("verified", \.isVerified, "Somebody, or `aircheck stations probe`, has heard it.", "true"),
        .truth(
            "local", \.station.isLocal,
            "Its addresses may be on this machine or in private ranges; otherwise they are refused.", "true"),
        StationField(
            key: "forgive", kind: "list of faults",
            documentation:
                "Faults of its server's certificate that do not keep us from it: `expired`, `self-signed`, "
                + "`unknown-issuer`, `other-name`. Holds for the hosts of `urls` alone; `status` says so.",
            example: "[\"expired\"]",
            read: { value, entry throws(FieldRefusal) in
                entry.station.forgivenFaults = try FieldText.list(
                    value, most: CertificateFault.allCases.count
                ) {
                    item throws(FieldRefusal) in
                    let word = try FieldText.line(item, longest: 40)
                    guard let fault = CertificateFault(rawValue: word) else {
                        let known = CertificateFault.allCases.map(\.rawValue).joined(separator: ", ")
                        throw FieldRefusal("\"\(word)\" is no fault of a certificate; write some of \(known)")
                    }
                    return fault
                }
            },
            value: {
                $0.station.forgivenFaults.isEmpty ? nil : .texts($0.station.forgivenFaults.map(\.rawValue))
            },
            clear: { $0.station.forgivenFaults = [] }),
        StationField(
            key: "radio_browser", kind: "text",
            documentation: "Its `stationuuid` in the Radio Browser directory.",
            example: "\"960d4a3d-0601-11e8-ae97-52543be04c81\"",
            read: { value, entry throws(FieldRefusal) in
                entry.directoryID = try FieldText.line(value, longest: 64)
            },
            value: { $0.directoryID.map { .string($0) } }, clear: { $0.directoryID = nil }),
    ]

    // MARK: Kinds

    private static func text(
        _ key: String, _ path: any WritableKeyPath<StationEntry, String?> & Sendable, _ documentation: String,
        _ example: String
    ) -> StationField {
        StationField(
            key: key, kind: "text", documentation: documentation, example: example,
            read: { value, entry throws(FieldRefusal) in
                entry[keyPath: path] = try FieldText.line(value, longest: 500)
            },
            value: { $0[keyPath: path].map { .string($0) } }, clear: { $0[keyPath: path] = nil })
    }

    private static func address(
        _ key: String, _ path: any WritableKeyPath<StationEntry, String?> & Sendable, _ documentation: String,
        _ example: String
    ) -> StationField {
        StationField(
            key: key, kind: "address", documentation: documentation, example: example,
            read: { value, entry throws(FieldRefusal) in entry[keyPath: path] = try FieldText.address(value)
            },
            value: { $0[keyPath: path].map { .string($0) } }, clear: { $0[keyPath: path] = nil })
    }

    private static func words(
        _ key: String, _ path: any WritableKeyPath<StationEntry, [String]> & Sendable,
        _ documentation: String,
        _ example: String
    ) -> StationField {
        StationField(
            key: key, kind: "list of texts", documentation: documentation, example: example,
            read: { value, entry throws(FieldRefusal) in
                entry[keyPath: path] = try FieldText.list(value, most: 64) { item throws(FieldRefusal) in
                    try FieldText.line(item, longest: 100)
                }
            }, value: { $0[keyPath: path].isEmpty ? nil : .texts($0[keyPath: path]) },
            clear: { $0[keyPath: path] = [] })
    }

    private static func truth(
        _ key: String, _ path: any WritableKeyPath<StationEntry, Bool> & Sendable, _ documentation: String,
        _ example: String
    ) -> StationField {
        StationField(
            key: key, kind: "true or false", documentation: documentation, example: example,
            read: { value, entry throws(FieldRefusal) in
                guard let truth = value.boolean else {
                    throw FieldRefusal("this is \(value.kind); write true or false")
                }
                entry[keyPath: path] = truth
            }, value: { $0[keyPath: path] ? .boolean(true) : nil }, clear: { $0[keyPath: path] = false })
    }
}

internal import JSONText
internal import Platform
internal import StreamFormats

/// One station of the Radio Browser directory, as its API gives it.
package struct DirectoryStation: Sendable, Hashable {
    package var uuid: String
    package var name: String
    package var url: String
    /// What the directory found behind `url` at its last check.
    package var resolvedURL: String
    package var homepage: String
    package var favicon: String
    package var tags: [String]
    package var country: String
    package var countryCode: String
    package var state: String
    package var language: String
    package var codec: String
    /// kbit/s; 0 where unknown.
    package var bitrate: Int
    package var votes: Int
    package var clicks: Int
    package var isHLS: Bool
    /// The directory could play it at its last check.
    package var wasPlayable: Bool
    /// `lastchangetime_iso8601`.
    package var changed: String

    private static let longestText = 400
    private static let longestAddress = 2048
    private static let mostTags = 30

    /// Reads one element of an answer; nil where it has no uuid, name or address that we would follow.
    init?(_ json: JSONValue) {
        func text(_ key: String, longest: Int = Self.longestText) -> String {
            TextLimits.clean(json[key]?.string ?? "", longest: longest)
        }
        func whole(_ key: String) -> Int { Int(clamping: max(json[key]?.int ?? 0, 0)) }
        uuid = text("stationuuid", longest: 64)
        name = text("name")
        url = text("url", longest: Self.longestAddress)
        resolvedURL = text("url_resolved", longest: Self.longestAddress)
        homepage = text("homepage", longest: Self.longestAddress)
        favicon = text("favicon", longest: Self.longestAddress)
        tags = text("tags", longest: 2000).split(separator: ",").prefix(Self.mostTags)
            .map { TextLimits.clean(String($0), longest: 60) }.filter { !$0.isEmpty }
        country = text("country")
        countryCode = text("countrycode", longest: 2).uppercased()
        state = text("state")
        language = text("language")
        codec = text("codec", longest: 30)
        bitrate = min(whole("bitrate"), 100_000)
        votes = whole("votes")
        clicks = whole("clickcount")
        isHLS = whole("hls") == 1
        wasPlayable = json["lastcheckok"]?.int ?? 1 == 1
        changed = text("lastchangetime_iso8601", longest: 40)
        guard Self.isUUID(uuid), !name.isEmpty, FieldText.isAddress(url) || FieldText.isAddress(resolvedURL)
        else {
            return nil
        }
    }

    /// `960d4a3d-0601-11e8-ae97-52543be04c81`: it becomes part of an id and of addresses.
    static func isUUID(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == [8, 4, 4, 4, 12]
            && parts.allSatisfy {
                $0.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
            }
    }

    /// Its id while nobody has taken it over: `rb-` and the uuid.
    package var id: String { Self.prefix + uuid }
    static let prefix = "rb-"

    /// As a station of ours. The directory's own check comes first: it has followed playlists and redirects.
    package func entry(id: String) -> StationEntry {
        var station = Station(
            id: id, name: name,
            urls: [url, resolvedURL].filter(FieldText.isAddress).reduce(into: []) { urls, url in
                if !urls.contains(url) { urls.append(url) }
            })
        station.homepage = FieldText.isAddress(homepage) ? homepage : nil
        station.logo = FieldText.isAddress(favicon) ? favicon : nil
        station.market = state.isEmpty ? nil : state
        station.genre = tags.first
        station.country = countryCode.utf8.count == 2 ? countryCode : nil
        station.language = language.isEmpty ? nil : language
        station.codec = codec.isEmpty || codec == "UNKNOWN" ? nil : codec.lowercased()
        station.bitrate = bitrate == 0 ? nil : bitrate
        station.source = "Radio Browser"
        station.tags = Array(tags.dropFirst())
        var entry = StationEntry(station)
        entry.directoryID = uuid
        return entry
    }

    /// Changes when something changes that a listener would notice; counts do not count.
    var fingerprint: Int64 {
        let parts = [name, url, resolvedURL, codec, "\(bitrate)", country, language, wasPlayable ? "1" : "0"]
        var hash = FNV1a()
        for part in parts {
            hash.add(part)
            // No byte of UTF-8: no part runs into the next.
            hash.add(0xFF)
        }
        return Int64(bitPattern: hash.value)
    }
}

/// Makes a stranger's text fit for lists: one line, no control characters, cut at a whole character.
enum TextLimits {
    static func clean(_ text: String, longest: Int) -> String {
        var clean = ""
        var length = 0
        for scalar in text.unicodeScalars {
            let size = UTF8.width(scalar)
            if length + size > longest { break }
            if isControl(scalar) { continue }
            clean.unicodeScalars.append(scalar)
            length += size
        }
        return trimmed(clean)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: false
        }
    }

    private static func trimmed(_ text: String) -> String {
        let start = text.firstIndex { $0 != " " } ?? text.endIndex
        let end = text.lastIndex { $0 != " " } ?? text.startIndex
        return start < text.endIndex ? String(text[start...end]) : ""
    }
}

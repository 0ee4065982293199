/// First segments of the service's own paths. A station with such an id would hide behind them.
package enum ReservedNames {
    package static let pathSegments: Set<String> = [
        "7", "7.html", "about", "admin", "admin.cgi", "all", "all.m3u", "api", "apple-touch-icon.png",
        "assets",
        "calendar", "control", "dlna", "docs", "events", "favicon.ico", "favourites", "favourites.m3u",
        "feed",
        "feeds",
        "guide", "healthz", "help", "hls", "icons", "index", "index.html", "iptv", "library", "listen",
        "listen.m3u",
        "listen.pls", "live", "log", "login", "logo", "logos", "logout", "manifest.webmanifest", "media",
        "metrics",
        "openapi", "openapi.json", "player", "rb", "readyz", "recordings", "robots.txt", "schedule", "search",
        "settings", "setup", "setupapp", "source", "static", "station", "stations", "statistics", "stats",
        "status",
        "status-json.xsl", "status.xsl", "stream", "streams", "sw.js", "version", "watch", "well-known",
    ]

    package static func contains(_ id: String) -> Bool { pathSegments.contains(id.lowercased()) }
}

/// What a station's id may look like: it is the first segment of its mount and a name people type.
package enum StationID {
    package static let longest = 64

    /// Nil for a sound id, else what is wrong with it and what to write.
    package static func refusal(_ id: String) -> String? {
        guard !id.isEmpty else { return "it is empty; write lower-case letters, digits and dashes" }
        guard id.utf8.count <= longest else { return "it is longer than \(longest) letters; shorten it" }
        guard id.utf8.allSatisfy(isAllowed), id.first != "-", id.last != "-" else {
            return "\"\(id)\" must be lower-case letters, digits and dashes inside; try \"\(made(from: id))\""
        }
        guard !ReservedNames.contains(id) else {
            return "\"\(id)\" is a path of the service itself; try \"\(id)-radio\""
        }
        return nil
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// An id out of a name: folded to ASCII, everything else becomes a dash. Where nothing is left, `fallback`.
    package static func made(from name: String, fallback: String = "radio") -> String {
        var id = ""
        for scalar in LatinFolding.folded(name).unicodeScalars.prefix(400) {
            if scalar.isASCII, isAllowed(UInt8(scalar.value)), scalar != "-" {
                id.unicodeScalars.append(scalar)
            } else if !id.isEmpty, id.last != "-", scalar != "'" {
                id += "-"
            }
        }
        id = String(id.prefix(longest - 8))
        while id.last == "-" { id.removeLast() }
        if id.isEmpty { id = fallback }
        return ReservedNames.contains(id) ? id + "-radio" : id
    }

    /// The same, made different from all that are taken by a number at its end.
    package static func made(from name: String, fallback: String = "radio", taken: (String) -> Bool)
        -> String
    {
        let first = made(from: name, fallback: fallback)
        guard taken(first) else { return first }
        for number in 2..<100_000 where !taken("\(first)-\(number)") { return "\(first)-\(number)" }
        return first
    }
}

/// Gives ids to many stations, each a different one. Looks at a number once, however many stations have one name.
struct StationIDs {
    private var taken: Set<String>
    /// The next number to be tried behind an id.
    private var next: [String: Int] = [:]

    init(taken: some Sequence<String> = []) { self.taken = Set(taken) }

    /// The one that is wanted where it is sound and free, else one made from the name.
    mutating func take(_ wanted: String, name: String) -> String {
        let isFree = StationID.refusal(wanted) == nil && !taken.contains(wanted)
        let id = isFree ? wanted : made(from: StationID.made(from: name))
        taken.insert(id)
        return id
    }

    private mutating func made(from first: String) -> String {
        guard taken.contains(first) else { return first }
        var number = next[first] ?? 2
        while taken.contains("\(first)-\(number)") { number += 1 }
        next[first] = number + 1
        return "\(first)-\(number)"
    }
}

/// Letters without their marks, for ids and for comparing names; Latin only, everything else stays as it is.
package enum LatinFolding {
    private static let table: [Unicode.Scalar: String] = {
        let rows: [(String, String)] = [
            ("a", "àáâãäåāăą"), ("c", "çćĉċč"), ("d", "ďđð"), ("e", "èéêëēĕėęě"), ("g", "ĝğġģ"), ("h", "ĥħ"),
            ("i", "ìíîïĩīĭįı"), ("j", "ĵ"), ("k", "ķĸ"), ("l", "ĺļľŀł"), ("n", "ñńņňŉŋ"), ("o", "òóôõöøōŏő"),
            ("r", "ŕŗř"), ("s", "śŝşšșſ"), ("t", "ţťŧț"), ("u", "ùúûüũūŭůűų"), ("w", "ŵ"), ("y", "ýÿŷ"),
            ("z", "źżž"), ("ss", "ß"), ("ae", "æ"), ("oe", "œ"), ("th", "þ"),
        ]
        var table: [Unicode.Scalar: String] = [:]
        for (plain, letters) in rows {
            for scalar in letters.unicodeScalars { table[scalar] = plain }
        }
        return table
    }()

    /// Lower case, without marks.
    package static func folded(_ text: String) -> String {
        var folded = ""
        for scalar in text.lowercased().unicodeScalars {
            // A mark that stands alone belongs to the letter before.
            if (0x0300...0x036F).contains(scalar.value) { continue }
            if let plain = table[scalar] { folded += plain } else { folded.unicodeScalars.append(scalar) }
        }
        return folded
    }
}

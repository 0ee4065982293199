/// A question to a Radio Browser server, as path and query (api.radio-browser.info, version 1).
package enum DirectoryRequest: Sendable, Hashable {
    /// Which servers there are.
    case servers
    /// Every station, broken ones too: they may be somebody's favourite.
    case all
    case search(StationQuery)
    case stations([String])
    /// Counts one listener and answers with the address.
    case click(String)

    /// The path and query behind a server's base address.
    package var target: String {
        switch self {
        case .servers: "/json/servers"
        case .all: "/json/stations?hidebroken=false"
        case .search(let query): "/json/stations/search?" + Self.parameters(query)
        case .stations(let uuids): "/json/stations/byuuid?uuids=" + Self.encoded(uuids.joined(separator: ","))
        case .click(let uuid): "/json/url/" + Self.encoded(uuid)
        }
    }

    /// Most bytes of an answer that are read.
    package var limit: Int {
        switch self {
        case .all: 256 << 20
        case .search, .stations: 8 << 20
        case .servers, .click: 256 << 10
        }
    }

    /// Tags and languages are kept in lower case there and compared as they are.
    private static func parameters(_ query: StationQuery) -> String {
        var pairs: [(String, String)] = []
        func add(_ name: String, _ value: String?) {
            if let value, !value.isEmpty { pairs.append((name, value)) }
        }
        add("name", query.text)
        add("tag", (query.tag ?? query.genre)?.lowercased())
        add("language", query.language?.lowercased())
        if let country = query.country {
            add(
                country.utf8.count == 2 ? "countrycode" : "country",
                country.utf8.count == 2 ? country.uppercased() : country)
        }
        add("codec", query.codec?.uppercased())
        add("bitrateMin", query.minimumBitrate.map { "\($0)" })
        add("offset", "\(query.offset)")
        add("limit", "\(min(query.limit, StationQuery.largestLimit))")
        add("order", "votes")
        add("reverse", "true")
        add("hidebroken", "true")
        return pairs.map { "\($0)=\(encoded($1))" }.joined(separator: "&")
    }

    /// RFC 3986: everything but unreserved characters is escaped.
    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return text.utf8.prefix(4000).reduce(into: "") { encoded, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default: encoded += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
    }
}

internal import StreamFormats

/// What a control point looks for: one `M-SEARCH` (UPnP Device Architecture 1.0, §1.2.2). Pure.
struct SsdpSearch: Equatable {
    /// `ssdp:all`, `upnp:rootdevice`, a uuid, or a type of device or service.
    let target: String
    /// Seconds over which answers are to be spread, 0…5.
    let spread: Int

    private static let longest = 2048
    private static let longestSpread = 5

    /// Nil for a datagram that is anything else.
    init?(_ datagram: [UInt8]) {
        guard datagram.count <= Self.longest else { return nil }
        let lines = String(decoding: datagram, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard let first = lines.first, first.hasPrefix("M-SEARCH * HTTP/1.") else { return nil }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...]
            fields[line[..<colon].lowercased()] = String(
                value.drop { $0 == " " || $0 == "\t" }.prefix { $0 != "\r" })
        }
        guard fields["man"]?.contains("ssdp:discover") == true, let target = fields["st"], !target.isEmpty
        else {
            return nil
        }
        self.target = target
        spread = min(max(fields["mx"].flatMap { Int($0) } ?? 0, 0), Self.longestSpread)
    }
}

/// What the media server says of itself by SSDP. Pure.
struct SsdpMessages {
    /// Without its prefix.
    let uuid: String
    /// `Linux UPnP/1.0 aircheck/1.0`
    let server: String

    static let group = "239.255.255.250"
    static let port: UInt16 = 1900
    /// Seconds for which an announcement holds.
    static let maxAge = 1800

    /// Everything it can be found as: what is looked for, and the name under which it answers.
    private var names: [(target: String, name: String)] {
        let own = "uuid:\(uuid)"
        let types = [
            "upnp:rootdevice", DeviceDescription.type, ContentDirectory.type, ConnectionManager.type,
        ]
        return [(own, own)] + types.map { ($0, "\(own)::\($0)") }
    }

    /// The answers to a search; none when something else is looked for.
    /// - Parameter location: where this asker reads the description.
    func answers(to search: SsdpSearch, location: String, date: String) -> [String] {
        names.filter { search.target == "ssdp:all" || search.target == $0.target }.map { target, name in
            """
            HTTP/1.1 200 OK\r
            CACHE-CONTROL: max-age=\(Self.maxAge)\r
            DATE: \(date)\r
            EXT:\r
            LOCATION: \(location)\r
            SERVER: \(server)\r
            ST: \(target)\r
            USN: \(name)\r
            \r

            """
        }
    }

    /// It is there, and will be for a while.
    func alive(location: String) -> [String] {
        names.map { target, name in
            """
            NOTIFY * HTTP/1.1\r
            HOST: \(Self.group):\(Self.port)\r
            CACHE-CONTROL: max-age=\(Self.maxAge)\r
            LOCATION: \(location)\r
            NT: \(target)\r
            NTS: ssdp:alive\r
            SERVER: \(server)\r
            USN: \(name)\r
            \r

            """
        }
    }

    /// It leaves.
    func goodbye() -> [String] {
        names.map { target, name in
            """
            NOTIFY * HTTP/1.1\r
            HOST: \(Self.group):\(Self.port)\r
            NT: \(target)\r
            NTS: ssdp:byebye\r
            USN: \(name)\r
            \r

            """
        }
    }
}

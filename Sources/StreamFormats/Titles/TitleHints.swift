/// What stands beside the title in its carrier: the link and the keys of ad servers.
struct TitleHints: Sendable {
    var artist: String?
    var title: String?
    var album: String?
    var duration: Duration?
    var artwork: String?
    var link: String?

    init(_ raw: RawTitle, decision: CharsetDecision) {
        if let url = raw.url { read(url: url, decision: decision) }
        guard raw.isAdvert, !raw.block.isEmpty else { return }
        duration = IcyFields(block: raw.block)["durationMilliseconds"].flatMap(TitleTime.milliseconds)
    }

    /// A link, a picture, or a query of fields with or without an address before it; it may be cut short anywhere.
    private mutating func read(url: [UInt8], decision: CharsetDecision) {
        let url = Array(url.prefix(4096))
        var fields = URLQuery.fields(url)
        artist = fields.removeValue(forKey: "artist").map(decision.plain)
        title = fields.removeValue(forKey: "title").map(decision.plain)
        album = fields.removeValue(forKey: "album").map(decision.plain)
        duration = fields.removeValue(forKey: "duration").flatMap(TitleTime.milliseconds)
        guard artist == nil, title == nil else { return }
        let address = WebAddress.checked(HTMLEntities.decoded(String(decoding: url, as: UTF8.self)))
        guard let address else { return }
        if WebAddress.isPicture(address) { artwork = address } else { link = address }
    }
}

extension CharsetDecision {
    fileprivate func plain(_ bytes: [UInt8]) -> String {
        TitleCleaner.cleaned(HTMLEntities.decoded(decode(bytes)))
    }
}

/// Lengths of time as titles write them.
enum TitleTime {
    /// Nothing on air is announced to be longer.
    private static let longest = 86_400_000

    /// `30024`.
    static func milliseconds(_ bytes: [UInt8]) -> Duration? {
        guard let number = ASCII.number(bytes), (1...longest).contains(number) else { return nil }
        return .milliseconds(number)
    }

    /// `00:03:24`, `3:24`, `00:00:29.960`.
    static func clock(_ text: some StringProtocol) -> Duration? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let last = parts.last else { return nil }
        let seconds = last.split(separator: ".", omittingEmptySubsequences: false)
        guard seconds.count <= 2, let whole = seconds.first.flatMap({ ASCII.number(Array($0.utf8)) }) else {
            return nil
        }
        var total = 0
        for part in parts.dropLast() {
            guard part.utf8.count <= 2, let number = ASCII.number(Array(part.utf8)) else { return nil }
            total = total * 60 + number
        }
        guard whole < 60 else { return nil }
        let fraction = seconds.count == 2 ? thousandths(seconds[1]) : 0
        let result = (total * 60 + whole) * 1000 + fraction
        return result > 0 ? .milliseconds(result) : nil
    }

    private static func thousandths(_ digits: some StringProtocol) -> Int {
        ASCII.number(Array((digits + "000").utf8.prefix(3))) ?? 0
    }
}

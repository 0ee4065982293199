/// Walks over Ogg pages to find where the last whole one ends (RFC 3533 §6).
struct OggPages {
    private static let headLength = 27

    /// One past the last whole page.
    private(set) var end: Int64 = 0
    /// Bytes between pages that are none.
    private(set) var strayBytes: Int64 = 0
    private var pending: [UInt8] = []
    private var skipped: Int64 = 0

    mutating func push(_ bytes: [UInt8]) {
        pending += bytes
        var place = 0
        while let step = step(at: place) {
            if step.isPage {
                strayBytes += skipped
                end += skipped + Int64(step.length)
                skipped = 0
            } else {
                skipped += Int64(step.length)
            }
            place += step.length
        }
        pending.removeFirst(place)
    }

    /// The page at a place, or one byte that is none; nil where more bytes are needed to tell.
    private func step(at place: Int) -> (length: Int, isPage: Bool)? {
        guard pending.count - place >= Self.headLength else { return nil }
        guard pending[place..<place + 4].elementsEqual("OggS".utf8) else { return (1, false) }
        let segments = Int(pending[place + 26])
        guard pending.count - place >= Self.headLength + segments else { return nil }
        let lacing = pending[place + Self.headLength..<place + Self.headLength + segments]
        let length = Self.headLength + segments + lacing.reduce(0) { $0 + Int($1) }
        return pending.count - place >= length ? (length, true) : nil
    }
}

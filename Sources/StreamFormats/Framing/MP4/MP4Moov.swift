/// The index of a finished MP4 file (ISO 14496-12 §8.2) for small changes: chapters at other places, a picture among the
/// tags. Whatever is not changed stays byte for byte.
package struct MP4Moov: Sendable {
    /// The whole box, its head included.
    package private(set) var bytes: [UInt8]

    /// Boxes that are looked into.
    private static let containers: Set<UInt32> = Set(
        ["moov", "trak", "mdia", "minf", "stbl", "udta", "meta"].map(MP4Box.code))
    /// Chapters' places in `chpl` count so many a second.
    private static let placesPerSecond = 10_000_000.0

    /// Nil where the bytes are no such box.
    package init?(_ bytes: [UInt8]) {
        guard let box = MP4Box.all(in: bytes[...]).first, box.has("moov") else { return nil }
        self.bytes = bytes
    }

    // MARK: Chapters

    /// Gives every chapter another place; titles and the end of the last one stay.
    /// - Parameter starts: seconds, one for each chapter of the file, ascending.
    /// - Returns: false, and nothing is changed, where the file holds another number of them.
    package mutating func move(chapters starts: [Double]) -> Bool {
        var isRight = true
        var tracks = 0
        let changed = Self.rewritten(bytes[...], below: []) { path, body in
            switch path {
            case ["moov", "trak"]:
                guard Self.handler(of: body) == MP4Box.code("text") else { return nil }
                guard let track = Self.track(body, starts) else { isRight = false; return nil }
                tracks += 1
                return track
            case ["moov", "udta", "chpl"]: return Self.list(body, starts)
            default: return nil
            }
        }
        guard isRight, tracks == 1 else { return false }
        bytes = changed
        return true
    }

    private static func handler(of track: ArraySlice<UInt8>) -> UInt32? {
        let media = MP4Box.all(in: track).first { $0.has("mdia") }
        return (media?.child("hdlr")?.body).map { UInt32(truncatingIfNeeded: MP4Fields.number($0, 8, 4)) }
    }

    /// The chapters' track: how long each of its samples lasts.
    private static func track(_ body: ArraySlice<UInt8>, _ starts: [Double]) -> [UInt8]? {
        guard let media = MP4Box.all(in: body).first(where: { $0.has("mdia") }),
            let table = media.find("minf", "stbl"), let sizes = table.child("stsz")?.body,
            MP4Fields.number(sizes, 8, 4) == starts.count,
            let (scale, length) = media.child("mdhd").flatMap({ time($0.body) })
        else { return nil }
        let places = starts.map { Int(($0 * Double(scale)).rounded()) } + [length]
        let lengths = zip(places, places.dropFirst()).map { max(0, $1 - $0) }
        let entries = lengths.flatMap { big(1, 4) + big($0, 4) }
        return rewritten(body, below: []) { path, _ in
            path == ["mdia", "minf", "stbl", "stts"] ? big(0, 4) + big(lengths.count, 4) + entries : nil
        }
    }

    /// Units a second, and the length in them (§8.4.2).
    private static func time(_ body: ArraySlice<UInt8>) -> (scale: Int, length: Int)? {
        let isLong = body.first == 1
        let scale = MP4Fields.number(body, isLong ? 20 : 12, 4)
        let length = MP4Fields.number(body, isLong ? 28 : 16, 4)
        return scale > 0 ? (scale, length) : nil
    }

    /// The list that other players read: at most 255 of them, each a place and a title.
    private static func list(_ body: ArraySlice<UInt8>, _ starts: [Double]) -> [UInt8] {
        var bytes = Array(body)
        var place = 9
        for start in starts.prefix(MP4Fields.number(body, 8, 1)) {
            guard place + 9 <= bytes.count else { break }
            bytes.replaceSubrange(
                place..<place + 8, with: big(Int((start * placesPerSecond).rounded()), 8))
            place += 9 + Int(bytes[place + 8])
        }
        return bytes
    }

    // MARK: A picture

    /// Puts a picture among the tags, in the place of one that is there.
    /// - Parameter mediaType: `image/jpeg` or `image/png`; others are none for this form of file.
    /// - Returns: false where the file has no tags, or none of this form.
    package mutating func put(picture: [UInt8], mediaType: String) -> Bool {
        guard let kind = ["image/jpeg": 13, "image/png": 14][mediaType] else { return false }
        let data = Self.box("data", Self.big(kind, 4) + Self.big(0, 4) + picture)
        var isPut = false
        let changed = Self.rewritten(bytes[...], below: []) { path, body in
            guard path == ["moov", "udta", "meta", "ilst"] else { return nil }
            isPut = true
            return Self.without("covr", body) + Self.box("covr", data)
        }
        if isPut { bytes = changed }
        return isPut
    }

    private static func without(_ type: String, _ bytes: ArraySlice<UInt8>) -> [UInt8] {
        MP4Box.all(in: bytes).filter { $0.type != MP4Box.code(type) }.flatMap {
            box($0.type, Array($0.body))
        }
    }

    // MARK: Boxes

    /// The boxes again, with what `change` gives in the place of bodies. It is asked from outside to inside.
    private static func rewritten(
        _ bytes: ArraySlice<UInt8>, below path: [String],
        _ change: ([String], ArraySlice<UInt8>) -> [UInt8]?
    ) -> [UInt8] {
        var made: [UInt8] = []
        var rest = bytes
        for box in MP4Box.all(in: bytes) {
            let whole = rest.prefix(box.body.endIndex - rest.startIndex)
            let inner = path + [name(box.type)]
            if let body = change(inner, box.body) {
                made += self.box(box.type, body)
            } else if containers.contains(box.type) {
                // The head of `meta` has four bytes more than others.
                let head = box.has("meta") ? 4 : 0
                made += self.box(
                    box.type,
                    Array(box.body.prefix(head)) + rewritten(box.body.dropFirst(head), below: inner, change))
            } else {
                made += whole
            }
            rest = rest.dropFirst(whole.count)
        }
        return made + rest
    }

    private static func name(_ type: UInt32) -> String {
        String(decoding: big(Int(type), 4), as: UTF8.self)
    }

    private static func box(_ type: String, _ body: [UInt8]) -> [UInt8] { box(MP4Box.code(type), body) }

    private static func box(_ type: UInt32, _ body: [UInt8]) -> [UInt8] {
        big(body.count + 8, 4) + big(Int(type), 4) + body
    }

    private static func big(_ value: Int, _ bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: value >> ((bytes - 1 - $0) * 8)) }
    }
}

/// Walks the frames of an ID3v2 tag, unsynchronisation undone.
struct ID3Frames: Sequence, IteratorProtocol {
    struct Frame {
        var name: String
        var body: ArraySlice<UInt8>
    }

    private let version: UInt8
    private let isUnsynchronised: Bool
    private var rest: ArraySlice<UInt8>

    /// `tag` begins with a header that has been found to be one.
    init(tag: ArraySlice<UInt8>) {
        let start = tag.startIndex
        version = tag[start + 3]
        let flags = tag[start + 5]
        isUnsynchronised = flags & 0x80 != 0
        let size = tag[start + 6..<start + 10].reduce(0) { $0 << 7 | Int($1) }
        let body = tag.dropFirst(ID3Tag.headerLength).prefix(size)
        // Up to 2.3 the whole body was treated, sizes included; since 2.4 each frame was.
        rest = version < 4 && isUnsynchronised ? Self.resynchronised(body) : body
        if version > 2, flags & 0x40 != 0 { skipExtendedHeader() }
    }

    mutating func next() -> Frame? {
        version == 2 ? nextOld() : nextNew()
    }

    /// Three letters, three bytes of size.
    private mutating func nextOld() -> Frame? {
        guard rest.count > 6, let name = Self.name(rest.prefix(3)) else { return nil }
        return taken(name, header: 6, size: Self.number(rest.dropFirst(3).prefix(3)), flags: 0)
    }

    /// Four letters, four bytes of size, two of flags.
    private mutating func nextNew() -> Frame? {
        guard rest.count > 10, let name = Self.name(rest.prefix(4)) else { return nil }
        let flags = rest[rest.startIndex + 9]
        return taken(name, header: 10, size: frameSize(), flags: flags)
    }

    private mutating func taken(_ name: String, header: Int, size: Int, flags: UInt8) -> Frame? {
        let body = rest.dropFirst(header).prefix(size)
        rest = rest.dropFirst(header + size)
        return Frame(name: name, body: plain(body, flags: flags))
    }

    /// Sync-safe since 2.4, though some write a plain number there: the one after which a frame or padding stands wins.
    private func frameSize() -> Int {
        let field = rest.dropFirst(4).prefix(4)
        let plain = Self.number(field)
        guard version == 4, field.allSatisfy({ $0 < 0x80 }) else { return plain }
        let safe = field.reduce(0) { $0 << 7 | Int($1) }
        return safe != plain && !isBoundary(10 + safe) && isBoundary(10 + plain) ? plain : safe
    }

    private func isBoundary(_ length: Int) -> Bool {
        if length == rest.count { return true }
        let after = rest.dropFirst(length)
        return !after.isEmpty && (after.first == 0 || (after.count > 10 && Self.name(after.prefix(4)) != nil))
    }

    /// The body without what its flags put in front of it; empty where it is packed or encrypted.
    private func plain(_ body: ArraySlice<UInt8>, flags: UInt8) -> ArraySlice<UInt8> {
        switch version {
        case 3:
            if flags & 0xC0 != 0 { return [] }
            return flags & 0x20 != 0 ? body.dropFirst() : body
        case 4:
            if flags & 0x0C != 0 { return [] }
            let bare = body.dropFirst((flags & 0x40 != 0 ? 1 : 0) + (flags & 0x01 != 0 ? 4 : 0))
            return flags & 0x02 != 0 || isUnsynchronised ? Self.resynchronised(bare) : bare
        default:
            return body
        }
    }

    private mutating func skipExtendedHeader() {
        let field = rest.prefix(4)
        let size = version == 4 ? field.reduce(0) { $0 << 7 | Int($1 & 0x7F) } : 4 + Self.number(field)
        rest = rest.dropFirst(size)
    }

    /// A zero after FF was put in to break false sync words.
    private static func resynchronised(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count)
        var last: UInt8 = 0
        for byte in bytes {
            if !(last == 0xFF && byte == 0) { plain.append(byte) }
            last = byte
        }
        return plain[...]
    }

    private static func number(_ field: ArraySlice<UInt8>) -> Int {
        field.reduce(0) { $0 << 8 | Int($1) }
    }

    private static func name(_ bytes: ArraySlice<UInt8>) -> String? {
        guard bytes.allSatisfy({ 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 }) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}

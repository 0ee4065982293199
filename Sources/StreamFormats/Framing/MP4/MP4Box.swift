/// One box of MP4 (ISO 14496-12 §4.2) inside bytes that are held whole.
struct MP4Box {
    let type: UInt32
    let body: ArraySlice<UInt8>

    /// Boxes one after another, up to the first that is not sound.
    static func all(in bytes: ArraySlice<UInt8>) -> [MP4Box] {
        var boxes: [MP4Box] = []
        var rest = bytes
        while let (length, header) = MP4Fields.boxLength(rest), length <= rest.count {
            boxes.append(
                MP4Box(
                    type: UInt32(MP4Fields.number(rest, 4, 4)), body: rest.prefix(length).dropFirst(header)))
            rest = rest.dropFirst(length)
        }
        return boxes
    }

    var children: [MP4Box] { Self.all(in: body) }

    func child(_ type: StaticString) -> MP4Box? {
        children.first { $0.type == Self.code(type) }
    }

    /// The box that a path of types leads to.
    func find(_ path: StaticString...) -> MP4Box? {
        path.reduce(Optional(self)) { $0?.child($1) }
    }

    func has(_ type: StaticString) -> Bool { self.type == Self.code(type) }

    static func code(_ type: StaticString) -> UInt32 { code(type.description) }

    static func code(_ type: String) -> UInt32 { type.utf8.reduce(0) { $0 << 8 | UInt32($1) } }
}

/// Numbers of MP4: big-endian, and 0 where the bytes end before.
enum MP4Fields {
    static func number(_ bytes: ArraySlice<UInt8>, _ offset: Int, _ length: Int) -> Int {
        guard offset >= 0, bytes.count >= offset + length else { return 0 }
        return bytes.dropFirst(offset).prefix(length).reduce(0) { $0 << 8 | Int($1) }
    }

    /// Length of the box at the front and of its header; nil where it cannot be one.
    static func boxLength(_ bytes: ArraySlice<UInt8>) -> (length: Int, header: Int)? {
        guard bytes.count >= 8 else { return nil }
        let short = number(bytes, 0, 4)
        if short == 0 { return (bytes.count, 8) }
        if short == 1 {
            let high = number(bytes, 8, 4)
            let length = number(bytes, 12, 4)
            return bytes.count >= 16 && high == 0 && length >= 16 ? (length, 16) : nil
        }
        return short >= 8 ? (short, 8) : nil
    }
}

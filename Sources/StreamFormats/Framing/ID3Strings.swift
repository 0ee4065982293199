/// Texts of an ID3v2 frame, one after another, ended by zero in one of four encodings.
struct ID3Strings {
    private let encoding: UInt8
    private var rest: ArraySlice<UInt8>

    /// The encoding is the first byte of `body`.
    init(_ body: ArraySlice<UInt8>) {
        self.init(encoding: body.first ?? 0, body.dropFirst())
    }

    init(encoding: UInt8, _ rest: ArraySlice<UInt8>) {
        self.encoding = encoding
        self.rest = rest
    }

    /// All texts that are not empty, in one (2.4 lists several artists so); nil where the frame has none.
    func joined(by separator: StaticString) -> ID3Tag.Text? {
        var strings = self
        var bytes: [UInt8] = []
        while let text = strings.next() {
            guard !text.bytes.isEmpty else { continue }
            if !bytes.isEmpty { bytes += Array(separator.description.utf8) }
            bytes += text.bytes
        }
        return bytes.isEmpty ? nil : ID3Tag.Text(bytes: bytes, encoding: resultEncoding)
    }

    func pair() -> ID3Tag.UserField? {
        var strings = self
        guard let description = strings.next() else { return nil }
        let value = strings.next() ?? ID3Tag.Text(bytes: [], encoding: resultEncoding)
        return ID3Tag.UserField(description: description, value: value)
    }

    /// A description in the frame's encoding, then a link in Latin-1.
    func link() -> ID3Tag.UserField? {
        var strings = self
        guard let description = strings.next() else { return nil }
        var link = ID3Strings(encoding: 0, strings.rest)
        return link.next().map { ID3Tag.UserField(description: description, value: $0) }
    }

    /// What stands behind the first text.
    func skippingOne() -> ArraySlice<UInt8> {
        var strings = self
        _ = strings.next()
        return strings.rest
    }

    private var isWide: Bool { encoding == 1 || encoding == 2 }
    private var resultEncoding: RawTitle.Encoding { encoding == 0 ? .latin1 : .utf8 }

    private mutating func next() -> ID3Tag.Text? {
        guard !rest.isEmpty else { return nil }
        let raw = isWide ? takeWide() : takeNarrow()
        return ID3Tag.Text(bytes: isWide ? utf8(raw) : Array(raw), encoding: resultEncoding)
    }

    private mutating func takeNarrow() -> ArraySlice<UInt8> {
        let end = rest.firstIndex(of: 0) ?? rest.endIndex
        defer { rest = rest[end...].dropFirst() }
        return rest[..<end]
    }

    private mutating func takeWide() -> ArraySlice<UInt8> {
        var end = rest.startIndex
        while end + 1 < rest.endIndex, rest[end] != 0 || rest[end + 1] != 0 { end += 2 }
        defer { rest = rest[end...].dropFirst(2) }
        return rest[..<end]
    }

    /// Encoding 1 has a byte order mark (without one we take the order of Intel, as its writers run there), 2 has none.
    private func utf8(_ raw: ArraySlice<UInt8>) -> [UInt8] {
        var pairs = raw
        var isLittle = encoding == 1
        if raw.starts(with: [0xFE, 0xFF]) || raw.starts(with: [0xFF, 0xFE]) {
            isLittle = raw.first == 0xFF
            pairs = raw.dropFirst(2)
        }
        var units: [UInt16] = []
        var index = pairs.startIndex
        while index + 1 < pairs.endIndex {
            let (first, second) = (UInt16(pairs[index]), UInt16(pairs[index + 1]))
            units.append(isLittle ? second << 8 | first : first << 8 | second)
            index += 2
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}

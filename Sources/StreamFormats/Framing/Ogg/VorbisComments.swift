/// The comments of Vorbis, Opus and FLAC: `NAME=value`, UTF-8, the name's case of no meaning.
package struct VorbisComments: Sendable, Hashable {
    /// Names under which artwork hides.
    static let pictureNames = ["METADATA_BLOCK_PICTURE", "COVERART"]
    /// Bytes of comments that are kept with a title.
    private static let longestBlock = 16 * 1024
    /// Comments beyond these are not read.
    private static let mostFields = 1024

    package private(set) var vendor: [UInt8] = []
    /// As they came, name in upper case.
    package private(set) var fields: [(name: String, value: ArraySlice<UInt8>)] = []

    package init() {}

    /// Reads as far as `bytes` are sound: vendor, count, then length and text of each.
    package init(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        guard let vendor = Self.text(&rest), let count = Self.number(&rest) else { return }
        self.vendor = Array(vendor)
        for _ in 0..<min(count, Self.mostFields) {
            guard let text = Self.text(&rest) else { return }
            guard let equals = text.firstIndex(of: 0x3D) else { continue }
            let name = text[..<equals].map { 0x61...0x7A ~= $0 ? $0 - 0x20 : $0 }
            fields.append((String(decoding: name, as: UTF8.self), text[(equals + 1)...]))
        }
    }

    /// Adds one behind the others.
    package mutating func add(_ name: String, _ value: String) {
        fields.append((name.uppercased(), Array(value.utf8)[...]))
    }

    /// The same without those whose names are so.
    func without(_ isSo: (String) -> Bool) -> VorbisComments {
        var kept = self
        kept.fields.removeAll { isSo($0.name) }
        return kept
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.bytes() == right.bytes()
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(bytes())
    }

    /// All values of a name.
    package func values(_ name: String) -> [ArraySlice<UInt8>] {
        fields.filter { $0.name == name }.map(\.value)
    }

    /// The title that these comments announce; its text is empty where they name none.
    package func title(source: RawTitle.Source) -> RawTitle {
        let title = Array((values("TITLE").first ?? []).prefix(RawTitle.longestText))
        let names = values("ARTIST").filter { !$0.isEmpty }.joined(separator: Array(", ".utf8))
        let artists = Array(names.prefix(RawTitle.longestText))
        let block = bytes(without: Self.pictureNames, limit: Self.longestBlock)
        return RawTitle(
            source: source, encoding: .utf8, text: title,
            artist: title.isEmpty || artists.isEmpty ? nil : artists,
            url: (values("URL").first ?? values("CONTACT").first).map {
                Array($0.prefix(RawTitle.longestText))
            }, block: block)
    }

    /// The comments again, without those of some names, and without the rest once `limit` bytes are full.
    package func bytes(without names: [String] = [], limit: Int = .max) -> [UInt8] {
        var kept: [[UInt8]] = []
        var length = 8 + vendor.count
        for field in fields where !names.contains(field.name) {
            let text = Array(field.name.utf8) + [0x3D] + field.value
            guard length + 4 + text.count <= limit else { break }
            length += 4 + text.count
            kept.append(text)
        }
        let head = Self.little(vendor.count) + vendor + Self.little(kept.count)
        return kept.reduce(into: head) { $0 += Self.little($1.count) + $1 }
    }

    private static func little(_ value: Int) -> [UInt8] {
        [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func number(_ rest: inout ArraySlice<UInt8>) -> Int? {
        guard rest.count >= 4 else { return nil }
        defer { rest = rest.dropFirst(4) }
        return rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private static func text(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let length = number(&rest), length <= rest.count else { return nil }
        defer { rest = rest.dropFirst(length) }
        return rest.prefix(length)
    }
}

/// Reads title blocks (`StreamTitle='…';StreamUrl='…';`) of one connection, one after the other.
///
/// It remembers the block before, because some servers leave bytes of it behind the new one, and because a block may
/// change the link alone.
package struct IcyBlockReader: Sendable {
    private var before: [UInt8] = []
    private var last: RawTitle?

    package init() {}

    /// The title in a block, with or without its padding; nil when it holds no `Key=` at all.
    package mutating func read(_ block: [UInt8]) -> RawTitle? {
        if block == before, let last { return last }
        let text = Array(Self.withoutPadding(block))
        let fields = IcyFields(block: text, before: before)
        guard !fields.all.isEmpty else { return nil }
        before = block
        let title = RawTitle(
            source: .icy, encoding: fields.encoding, text: fields["StreamTitle"] ?? last?.text ?? [],
            url: fields["StreamUrl"], isAdvert: fields.isAdvert, block: text)
        last = title
        return title
    }

    /// True for bytes that somebody may have written as text, whatever its form: no controls, and mostly ASCII or UTF-8.
    static func isText(_ block: [UInt8]) -> Bool {
        let text = withoutPadding(block)
        guard text.allSatisfy({ $0 >= 0x20 || ASCII.isBlank($0) }) else { return false }
        return text.count { $0 < 0x7F } * 4 >= text.count * 3 || UTF8Text.strict(text) != nil
    }

    private static func withoutPadding(_ block: [UInt8]) -> ArraySlice<UInt8> {
        block[..<(block.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0)]
    }
}

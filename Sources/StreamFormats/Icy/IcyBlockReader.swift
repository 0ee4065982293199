/// Reads title blocks (`StreamTitle='…';StreamUrl='…';`) of one connection, one after the other.
///
/// It remembers the block before, because some servers leave bytes of it behind the new one, and because a block may
/// change the link alone.
package struct IcyBlockReader: Sendable {
    private var before: [UInt8] = []
    private var text: [UInt8] = []

    package init() {}

    /// The title in a block, with or without its padding; nil when it holds no `Key=` at all.
    package mutating func read(_ block: [UInt8]) -> RawTitle? {
        let end = block.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
        let fields = IcyFields(block: Array(block[..<end]), before: before)
        guard !fields.all.isEmpty else { return nil }
        before = block
        if let title = fields["StreamTitle"] { text = title }
        return RawTitle(
            source: .icy, encoding: fields.encoding, text: text, url: fields["StreamUrl"],
            isAdvert: fields.isAdvert, block: Array(block[..<end]))
    }
}

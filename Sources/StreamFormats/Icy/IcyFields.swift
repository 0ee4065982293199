/// The `Key='value';` pairs of a title block.
///
/// There is no escaping in this format, so where a value ends is a matter of what follows: a value ends at `';` when
/// then comes the end, a NUL or another `Key='`; never at a quote alone.
package struct IcyFields: Sendable {
    package struct Field: Sendable, Hashable {
        package var key: String
        package var value: [UInt8]
    }

    package private(set) var all: [Field] = []

    /// - Parameters:
    ///   - block: a block without its padding.
    ///   - before: the block before it, padding and all, to know stale bytes by.
    package init(block: [UInt8], before: [UInt8] = []) {
        var start = Self.firstKey(in: block)
        while let key = start, let (name, valueStart) = Self.key(in: block, at: key) {
            let (value, next) = Self.value(in: block, from: valueStart, before: before)
            all.append(Field(key: name, value: value))
            start = next
        }
    }

    /// The value of the first such key, case aside.
    package subscript(key: String) -> [UInt8]? {
        all.first { ASCII.equal($0.key.utf8, key.utf8) }?.value
    }

    /// A byte order mark at the start of the title says UTF-16.
    var encoding: RawTitle.Encoding {
        guard let title = self["StreamTitle"] else { return .unknown }
        return Self.hasUTF16Mark(title[...]) ? .utf16 : .unknown
    }

    /// An ad server's marks: `adw_ad='true'`, or a kind of insertion.
    var isAdvert: Bool {
        if let mark = self["adw_ad"], ASCII.equal(mark, "true") || mark == [0x31] { return true }
        return self["insertionType"].map { !$0.isEmpty } ?? false
    }
}

/// Reads what people write when they mean XML: tags in any case, `&` without a name, tags that nobody closes.
///
/// There is no document type, no entity beyond the five of XML and numbers, no nesting to keep, and so nothing that
/// could grow: the tokens are never more than the text.
package struct XMLTokens: Sendable {
    package enum Token: Sendable, Hashable {
        /// Name and attributes, names in lower case and without their prefix.
        case open(String, [String: String])
        case close(String)
        /// The text between two tags, blanks at its ends included; CDATA too.
        case text(String)
    }

    package enum Refusal: Error, Sendable, Hashable {
        /// `<!DOCTYPE` or `<!ENTITY`: the door of every attack on XML readers, and needed by no playlist.
        case documentType
    }

    package private(set) var all: [Token] = []
    /// Set when the text was refused; there are no tokens then.
    package private(set) var refusal: Refusal?
    /// There was more than was read.
    package private(set) var isCut = false

    /// - Parameters:
    ///   - text: UTF-8; other bytes are replaced.
    ///   - most: so many tokens are read.
    package init(_ text: [UInt8], most: Int = 20_000) {
        if ASCII.firstIndex(of: "<!doctype", in: text[...]) != nil
            || ASCII.firstIndex(of: "<!entity", in: text[...]) != nil
        {
            refusal = .documentType
            return
        }
        var index = 0
        while index < text.count, all.count < most { index = read(text, from: index) }
        isCut = index < text.count
    }

    private mutating func read(_ text: [UInt8], from start: Int) -> Int {
        guard text[start] == UInt8(ascii: "<"), start + 1 < text.count else {
            let end = text[(start + 1)...].firstIndex(of: UInt8(ascii: "<")) ?? text.count
            all.append(.text(HTMLEntities.decoded(String(decoding: text[start..<end], as: UTF8.self))))
            return end
        }
        let rest = text[(start + 1)...]
        if rest.starts(with: "!--".utf8) { return Self.behind("-->", in: text, from: start + 4) }
        if rest.starts(with: "![CDATA[".utf8) { return readCDATA(text, from: start + 9) }
        let end = Self.tagEnd(text, from: start + 1)
        if let first = rest.first, first != UInt8(ascii: "!"), first != UInt8(ascii: "?") {
            readTag(text[(start + 1)..<end])
        }
        return min(end + 1, text.count)
    }

    private mutating func readCDATA(_ text: [UInt8], from start: Int) -> Int {
        let next = Self.behind("]]>", in: text, from: start)
        let hasEnd = next >= start + 3 && text[(next - 3)..<next].elementsEqual("]]>".utf8)
        all.append(.text(String(decoding: text[start..<(hasEnd ? next - 3 : next)], as: UTF8.self)))
        return next
    }

    private static func behind(_ mark: String, in text: [UInt8], from start: Int) -> Int {
        guard start < text.count else { return text.count }
        return ASCII.firstIndex(of: mark, in: text[start...]).map { $0 + mark.utf8.count } ?? text.count
    }

    /// The `>` that ends a tag; one inside quotes does not.
    private static func tagEnd(_ text: [UInt8], from start: Int) -> Int {
        var quote: UInt8?
        for index in start..<text.count {
            let byte = text[index]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return index
            }
        }
        // A quote that never closes would swallow the rest: then the first `>` has to do.
        return text[start...].firstIndex(of: UInt8(ascii: ">")) ?? text.count
    }

    private mutating func readTag(_ tag: ArraySlice<UInt8>) {
        let isClose = tag.first == UInt8(ascii: "/")
        let body = isClose ? tag.dropFirst() : tag
        let nameEnd = body.firstIndex { ASCII.isBlank($0) || $0 == UInt8(ascii: "/") } ?? body.endIndex
        let name = Self.localName(body[..<nameEnd])
        guard !name.isEmpty else { return }
        if isClose {
            all.append(.close(name))
        } else {
            all.append(.open(name, Self.attributes(body[nameEnd...])))
            if body.last == UInt8(ascii: "/") { all.append(.close(name)) }
        }
    }

    private static func localName(_ name: ArraySlice<UInt8>) -> String {
        let start = name.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? name.startIndex
        return String(decoding: ASCII.lowered(name[start...]), as: UTF8.self)
    }

    /// `name = "value"`, `name='value'` or `name=value`; the first of a name counts.
    private static func attributes(_ text: ArraySlice<UInt8>) -> [String: String] {
        var found: [String: String] = [:]
        var rest = text
        while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
            let name = localName(
                ASCII.trimmed(rest[..<equals]).split(whereSeparator: ASCII.isBlank).last ?? [])
            var value = rest[(equals + 1)...].drop(while: ASCII.isBlank)
            let quote = value.first
            if let quote, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                value = value.dropFirst()
                let end = value.firstIndex(of: quote) ?? value.endIndex
                rest = end < value.endIndex ? value[(end + 1)...] : []
                value = value[..<end]
            } else {
                let end = value.firstIndex(where: ASCII.isBlank) ?? value.endIndex
                rest = value[end...]
                value = value[..<end]
            }
            if found[name] == nil {
                found[name] = HTMLEntities.decoded(String(decoding: value, as: UTF8.self))
            }
        }
        return found
    }
}

/// Makes the title blocks that our own listeners get. A block is made once a title and shared by all of them.
package enum IcyBlockWriter {
    /// 255 units of 16 bytes: what one length byte can say.
    package static let longest = 4080

    /// The block that says "unchanged".
    package static let unchanged: [UInt8] = [0]

    /// The length byte, `StreamTitle='…';`, the link where it fits, and the padding.
    ///
    /// The text is UTF-8. Controls go, and an apostrophe before a semicolon becomes U+2019, because readers take `';`
    /// for the end and there is no escaping. A title that is too long is cut between characters.
    /// - Parameter url: written only when it is http or https and holds neither quote nor control.
    package static func block(title: String, url: String? = nil) -> [UInt8] {
        let link = url.flatMap(linkField) ?? []
        let open = Array("StreamTitle='".utf8)
        let close = Array("';".utf8)
        let room = longest - open.count - close.count
        let text = UTF8Text.prefix(of: defused(title), bytes: room)
        var body = open + Array(text.utf8) + close
        if body.count + link.count <= longest { body += link }
        let units = (body.count + 15) / 16
        body += [UInt8](repeating: 0, count: units * 16 - body.count)
        return [UInt8(units)] + body
    }

    private static func defused(_ title: String) -> String {
        var text = ""
        var apostrophe = false
        for scalar in title.unicodeScalars where !UTF8Text.isControl(scalar) {
            if apostrophe { text.unicodeScalars.append(scalar == ";" ? "\u{2019}" : "'") }
            apostrophe = scalar == "'"
            if !apostrophe { text.unicodeScalars.append(scalar) }
        }
        return apostrophe ? text + "'" : text
    }

    private static func linkField(_ url: String) -> [UInt8]? {
        guard ASCII.hasPrefix(url.utf8, "http://") || ASCII.hasPrefix(url.utf8, "https://"),
            url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "'") })
        else { return nil }
        return Array("StreamUrl='\(url)';".utf8)
    }
}

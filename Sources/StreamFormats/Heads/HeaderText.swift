/// Text on its way into a header of ours.
package enum HeaderText {
    /// The longest value that is sent.
    package static let longest = 256

    /// One line: C0, DEL and C1 removed, line breaks too, at most 256 bytes of UTF-8 cut between characters.
    package static func cleaned(_ text: String) -> String {
        var kept = String.UnicodeScalarView()
        kept.append(contentsOf: text.unicodeScalars.lazy.filter { !UTF8Text.isControl($0) })
        return UTF8Text.prefix(of: String(kept), bytes: longest)
    }
}

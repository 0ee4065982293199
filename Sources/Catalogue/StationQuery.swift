/// What somebody looks for. Everything that is set must fit; text is matched by the beginnings of words.
package struct StationQuery: Sendable, Hashable {
    /// Words in the name, genre, tags, country, language or place.
    package var text = ""
    package var genre: String?
    /// A code or a name: `DE`, `germany`.
    package var country: String?
    package var language: String?
    package var tag: String?
    package var codec: String?
    /// kbit/s.
    package var minimumBitrate: Int?
    package var group: String?
    package var favouritesOnly = false
    package var includesHidden = false
    package var offset = 0
    package var limit = 50

    package init(_ text: String = "") { self.text = text }

    /// The most that one answer holds.
    package static let largestLimit = 1000
    /// Words of the text that are looked at, and bytes of it.
    static let mostWords = 12
    static let longestText = 400
}

/// Full-text queries out of what people type. Everything they type is data: each word is a quoted term.
enum SearchText {
    /// FTS5 for "every word, as the beginning of a word"; nil where there is no word.
    static func match(_ text: String, column: String? = nil) -> String? {
        let terms = words(text).map { "\"\($0)\"*" }
        guard !terms.isEmpty else { return nil }
        let all = terms.joined(separator: " AND ")
        return column.map { "{\($0)} : (\(all))" } ?? all
    }

    /// Runs of letters and digits, folded; the same cut as the tokenizer's, so that no term is a phrase.
    static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word = ""
        for scalar in LatinFolding.folded(String(text.prefix(StationQuery.longestText))).unicodeScalars {
            if isWordScalar(scalar) {
                word.unicodeScalars.append(scalar)
            } else if !word.isEmpty {
                words.append(word)
                word = ""
            }
        }
        if !word.isEmpty { words.append(word) }
        return Array(words.prefix(StationQuery.mostWords))
    }

    /// What unicode61 keeps: letters, numbers and private use; and marks, which it folds away with their letter.
    private static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber,
            .letterNumber, .otherNumber, .privateUse, .nonspacingMark, .spacingMark, .enclosingMark:
            true
        default: false
        }
    }
}

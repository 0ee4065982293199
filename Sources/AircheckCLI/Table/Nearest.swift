/// Finds the word that somebody probably meant.
enum Nearest {
    /// The candidate with the fewest edits, if it is close enough to be a slip of the finger.
    static func word(to typed: String, among candidates: [String]) -> String? {
        let allowed = max(1, typed.count / 3)
        let near = candidates.map { (word: $0, edits: edits(Array(typed), Array($0))) }.min {
            $0.edits < $1.edits
        }
        guard let near, near.edits <= allowed else { return nil }
        return near.word
    }

    /// Levenshtein's distance, one row at a time.
    private static func edits(_ left: [Character], _ right: [Character]) -> Int {
        var row = Array(0...right.count)
        for (i, a) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, b) in right.enumerated() {
                let cost = a == b ? diagonal : diagonal + 1
                diagonal = row[j + 1]
                row[j + 1] = min(cost, diagonal + 1, row[j] + 1)
            }
        }
        return row[right.count]
    }
}

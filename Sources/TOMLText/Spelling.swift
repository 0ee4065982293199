/// Finds what somebody meant to write.
package enum Spelling {
    /// Words longer than this are not compared; no name of ours is.
    private static let lengthLimit = 64

    /// `; did you mean x?`, or nothing where no candidate is near.
    package static func hint(for word: String, among candidates: [String], show: (String) -> String) -> String
    {
        guard let best = nearest(to: word, among: candidates) else { return "" }
        return "; did you mean \(show(best))?"
    }

    /// The candidate that takes the fewest changes, if that is at most a third of its length.
    package static func nearest(to word: String, among candidates: [String]) -> String? {
        guard word.utf8.count <= lengthLimit else { return nil }
        let ranked = candidates.map { ($0, distance(word.lowercased(), $0.lowercased())) }
        guard let best = ranked.min(by: { $0.1 < $1.1 }) else { return nil }
        return best.1 <= max(1, best.0.count / 3) ? best.0 : nil
    }

    /// Letters put in, taken out, changed or swapped with their neighbour to get from one word to the other.
    private static func distance(_ left: String, _ right: String) -> Int {
        let a = Array(left.unicodeScalars)
        let b = Array(right.unicodeScalars)
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for i in 0..<a.count {
            var row = [i + 1]
            for j in 0..<b.count {
                var cost = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    cost = min(cost, beforeLast[j - 1] + 1)
                }
                row.append(cost)
            }
            beforeLast = last
            last = row
        }
        return last[b.count]
    }
}

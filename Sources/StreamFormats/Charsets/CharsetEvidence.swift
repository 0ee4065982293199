/// What the titles of a station say of their charset by themselves: the shape of their words and their letters.
///
/// It is careful: what might as well be Windows-1252 is Windows-1252. It knows the single-byte charsets; for the others
/// it says that it is none of its own.
package enum CharsetEvidence {
    package enum Verdict: Sendable, Hashable {
        /// A name for `CharsetDecision`.
        case charset(String)
        /// No letters to go by.
        case nothing
        /// Letters that fit no table of ours well enough.
        case unknown
    }

    /// Fewer letters beyond ASCII than this tell nothing but Windows-1252.
    private static let fewest = 3
    /// From this share of letters in words wholly beyond ASCII on, the script is not Latin.
    private static let foreign = 0.7

    /// - Parameters:
    ///   - samples: raw titles that are neither ASCII nor UTF-8.
    ///   - country: of the station, ISO 3166-1 alpha-2; tells central Europe, Turkey and the Baltic from the west where
    ///     the letters do not.
    package static func judge(_ samples: [[UInt8]], country: String? = nil) -> Verdict {
        let high = samples.reduce(0) { $0 + $1.count { $0 >= 0x80 } }
        guard high > 0 else { return .nothing }
        if foreignShare(samples) >= foreign, high >= fewest {
            return ForeignScript.best(samples).map { .charset($0.name) } ?? .unknown
        }
        return LatinScript.best(samples, country: country).map { .charset($0.name) } ?? .unknown
    }

    /// Of the letters in words of two and more that hold any beyond ASCII: the share in words of nothing else.
    private static func foreignShare(_ samples: [[UInt8]]) -> Double {
        var inside = 0
        var all = 0
        for word in samples.flatMap(words) where word.count > 1 && word.contains(where: { $0 >= 0x80 }) {
            all += word.count
            if word.allSatisfy({ $0 >= 0x80 }) { inside += word.count }
        }
        return all == 0 ? 0 : Double(inside) / Double(all)
    }

    /// Runs of ASCII letters and bytes beyond ASCII.
    private static func words(_ sample: [UInt8]) -> [ArraySlice<UInt8>] {
        sample.split { $0 < 0x80 && !ASCII.isLetter($0) }
    }
}

/// Scripts that are not Latin: the table under which the letters are used as they should be.
private enum ForeignScript {
    /// What a letter is worth if all were used alike.
    private static let even = -3.5
    /// Average gain over that, per letter, from which on a table is believed.
    private static let believable = -0.1
    /// The best has to be ahead of the next by so much in all: a table of another script, or of the same.
    private static let clear = 3.0
    private static let clearAmongRelatives = 1.0

    private struct Candidate {
        var charset: SingleByteCharset
        var script: Int
        var score: Score
    }

    static func best(_ samples: [[UInt8]]) -> SingleByteCharset? {
        var candidates: [Candidate] = []
        for (script, model) in AlphabetModel.all.enumerated() {
            for table in model.tables {
                var score = score(samples, as: table.charset, by: model)
                guard score.letters >= table.fewest, score.average >= believable else { continue }
                score.total -= table.doubt
                candidates.append(Candidate(charset: table.charset, script: script, score: score))
            }
        }
        candidates.sort { $0.score.total > $1.score.total }
        guard let first = candidates.first else { return nil }
        // Tables that read these titles alike are no rivals.
        let rival = candidates.first { $0.charset.decodeAll(samples) != first.charset.decodeAll(samples) }
        guard let rival else { return first.charset }
        let ahead = first.score.total - rival.score.total
        return ahead >= (rival.script == first.script ? clearAmongRelatives : clear) ? first.charset : nil
    }

    private struct Score {
        var total = 0.0
        var letters = 0
        var average: Double { letters == 0 ? -.infinity : total / Double(letters) }
    }

    private static func score(_ samples: [[UInt8]], as charset: SingleByteCharset, by model: AlphabetModel)
        -> Score
    {
        var score = Score()
        for sample in samples {
            let text = sample.map { (byte: $0, scalar: charset.scalar($0)) }
            for (index, item) in text.enumerated() where item.byte >= 0x80 {
                let previous = index > 0 ? text[index - 1].scalar : " "
                if let share = model.share(item.scalar) {
                    score.letters += 1
                    score.total += share - even - casePenalty(previous, item.scalar)
                } else {
                    score.total -= isPunctuation(item.scalar) && !previous.properties.isAlphabetic ? 0.5 : 4
                }
            }
        }
        return score
    }

    /// A capital behind a small letter is what a wrong table of the same script looks like.
    private static func casePenalty(_ previous: Unicode.Scalar, _ scalar: Unicode.Scalar) -> Double {
        previous.properties.isLowercase && scalar.properties.isUppercase ? 3 : 0
    }

    private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .initialPunctuation, .finalPunctuation, .dashPunctuation, .otherPunctuation, .openPunctuation,
            .spaceSeparator, .decimalNumber, .format:
            true
        default: scalar == "№" || scalar == "°" || scalar == "®" || scalar == "™" || scalar == "©"
        }
    }
}

/// Latin letters: the table under which each title is in some language that exists.
private enum LatinScript {
    /// Another table than Windows-1252 has to explain so many letters more…
    private static let convincing = 3
    /// …and nearly all of them.
    private static let complete = 0.95

    static func best(_ samples: [[UInt8]], country: String?) -> SingleByteCharset? {
        let letters = samples.map { sample in sample.count { $0 >= 0x80 } }.reduce(0, +)
        let western = explained(samples, by: .windows1252)
        let usual = LatinLanguage.usual(in: country)
        let others = [
            SingleByteCharset.windows1250, .iso88592, .windows1254, .windows1257, .iso885913, .iso885915,
        ]
        .map { (charset: $0, letters: explained(samples, by: $0)) }
        guard let best = others.max(by: { rank($0, usual) < rank($1, usual) }) else { return nil }
        let needed = best.charset.name == usual?.name ? 0 : convincing
        if best.letters >= western + needed, Double(best.letters) >= complete * Double(letters) {
            return best.charset
        }
        // Half of it makes no sense here either: perhaps it is not Latin at all.
        return western * 2 >= letters || letters < convincing ? .windows1252 : nil
    }

    /// More letters first; of equals the country's own, then the order above.
    private static func rank(
        _ candidate: (charset: SingleByteCharset, letters: Int), _ usual: SingleByteCharset?
    ) -> (Int, Int) {
        (candidate.letters, candidate.charset.name == usual?.name ? 1 : 0)
    }

    /// Letters beyond ASCII in those titles whose letters all belong to one language of the charset.
    private static func explained(_ samples: [[UInt8]], by charset: SingleByteCharset) -> Int {
        let languages = LatinLanguage.all.filter { $0.charsets.contains { $0.name == charset.name } }
        return samples.reduce(0) { sum, sample in
            let text = sample.map(charset.scalar)
            let beyond = text.indices.filter { sample[$0] >= 0x80 && !isMark(text, at: $0) }
            let fits = languages.contains { language in beyond.allSatisfy { language.has(text[$0]) } }
            return sum + (fits ? sample.count { $0 >= 0x80 } : 0)
        }
    }

    /// A sign that is at home in every charset, where it may stand.
    private static func isMark(_ text: [Unicode.Scalar], at index: Int) -> Bool {
        let scalar = text[index]
        if scalar == "’" || scalar == "´" || scalar == "‘" { return true }
        let before = index > 0 ? text[index - 1] : " "
        let behind = index + 1 < text.count ? text[index + 1] : " "
        let isBehindLetter = before.properties.isAlphabetic
        let isBeforeLetter = behind.properties.isAlphabetic
        if scalar == "ª" || scalar == "º" {
            return !isBeforeLetter && (!isBehindLetter || before == "n" || before == "N")
        }
        guard !scalar.properties.isAlphabetic, scalar.value >= 0xA0, scalar != "\u{FFFD}" else {
            return false
        }
        // Letters of other tables (`s¹` for `są`) stand next to letters; a sign with a meaning of its own does not.
        let isRare = "¹³±¶¼½¾¬¦¤¨¸¢¥×÷¯".unicodeScalars.contains(scalar)
        return isRare ? !isBehindLetter && !isBeforeLetter : !(isBehindLetter && isBeforeLetter)
    }
}

extension SingleByteCharset {
    fileprivate func decodeAll(_ samples: [[UInt8]]) -> [String] { samples.map { decode($0) } }
}

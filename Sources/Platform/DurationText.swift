/// Durations as people write them: `90`, `30s`, `1h30m`, `6h`, `2d`.
package enum DurationText {
    /// Seconds, or nil where the text is not a duration. A bare number is seconds; units go from large to small.
    package static func seconds(_ text: String) -> Double? {
        var total = 0.0
        var digits = ""
        var smallest = Double.infinity
        for character in text {
            if character.isASCII, character.isNumber || character == "." {
                digits.append(character)
                continue
            }
            guard let unit = unit(character), unit < smallest, let number = Double(digits) else { return nil }
            total += number * unit
            smallest = unit
            digits = ""
        }
        if !digits.isEmpty {
            guard smallest == .infinity, let number = Double(digits) else { return nil }
            total = number
        } else if smallest == .infinity {
            return nil
        }
        return total.isFinite && total < 1e9 ? total : nil
    }

    /// `1h30m`, `45s`; the way back from `seconds`, without fractions.
    package static func text(_ seconds: Double) -> String {
        var rest = max(Int(bounded: seconds.rounded()), 0)
        if rest == 0 { return "0s" }
        var text = ""
        for (letter, size) in [("d", 86_400), ("h", 3600), ("m", 60), ("s", 1)] where rest >= size {
            text += "\(rest / size)\(letter)"
            rest %= size
        }
        return text
    }

    private static func unit(_ letter: Character) -> Double? {
        switch letter {
        case "d": 86_400
        case "h": 3600
        case "m": 60
        case "s": 1
        default: nil
        }
    }
}

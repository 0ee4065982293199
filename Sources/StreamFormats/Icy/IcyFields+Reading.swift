extension IcyFields {
    /// Stale bytes fill the padding, which is never longer than this.
    private static let longestStaleTail = 15
    /// Rubbish between the closing quote and the semicolon has been seen in this length at most.
    private static let longestRubbish = 8

    private static let quote = UInt8(ascii: "'")
    private static let semicolon = UInt8(ascii: ";")

    static func hasUTF16Mark(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    }

    /// Where the first key stands: at the start, blanks aside, or else where `StreamTitle=` is found.
    static func firstKey(in block: [UInt8]) -> Int? {
        let start = block.firstIndex { !ASCII.isBlank($0) } ?? block.count
        if key(in: block, at: start) != nil { return start }
        return ASCII.firstIndex(of: "StreamTitle=", in: block[...])
    }

    /// A key at this place, and where its value starts, opening quote included in what was passed over.
    static func key(in block: [UInt8], at start: Int) -> (name: String, value: Int)? {
        var end = start
        while end < block.count, ASCII.isLetter(block[end]) || ASCII.isDigit(block[end]) || block[end] == 0x5F
        {
            end += 1
        }
        guard end > start, end < block.count, block[end] == UInt8(ascii: "="), !ASCII.isDigit(block[start])
        else {
            return nil
        }
        return (String(decoding: block[start..<end], as: UTF8.self), end + 1)
    }

    /// The value from here, and where the next key starts.
    static func value(in block: [UInt8], from start: Int, before: [UInt8]) -> (value: [UInt8], next: Int?) {
        guard start < block.count, block[start] == quote else { return unquoted(in: block, from: start) }
        let (end, next) = end(in: block, from: start + 1, before: before)
        return (withoutRubbish(block[(start + 1)..<end]), next)
    }

    /// `Key=value;`: no quotes, so the first semicolon before a key or the end closes it.
    private static func unquoted(in block: [UInt8], from start: Int) -> (value: [UInt8], next: Int?) {
        var index = start
        while index < block.count, block[index] != 0 {
            if block[index] == semicolon, let next = follower(in: block, at: index + 1) {
                return (withoutDoubleQuotes(block[start..<index]), next < block.count ? next : nil)
            }
            index += 1
        }
        return (withoutDoubleQuotes(block[start..<index]), nil)
    }

    private static func withoutDoubleQuotes(_ value: ArraySlice<UInt8>) -> [UInt8] {
        let mark = UInt8(ascii: "\"")
        return Array(
            value.count > 1 && value.first == mark && value.last == mark
                ? value.dropFirst().dropLast() : value)
    }

    /// What may stand behind a value: the end or a NUL (`block.count`), or the start of the next key.
    private static func follower(in block: [UInt8], at start: Int) -> Int? {
        var index = start
        while index < block.count, ASCII.isBlank(block[index]) { index += 1 }
        if index == block.count || block[index] == 0 { return block.count }
        guard let (_, value) = key(in: block, at: index), value < block.count, block[value] == quote else {
            return nil
        }
        return index
    }

    /// The end of a quoted value (its closing quote) and the next key, if there is one.
    private static func end(in block: [UInt8], from start: Int, before: [UInt8]) -> (end: Int, next: Int?) {
        var last: Int?
        var index = start
        while index + 1 < block.count {
            if block[index] == quote, block[index + 1] == semicolon {
                if let next = follower(in: block, at: index + 2) {
                    return (index, next < block.count ? next : nil)
                }
                if isStale(block, from: index + 2, before: before) { return (index, nil) }
                last = index
            }
            index += 1
        }
        // What follows the last `';` is neither key nor closed: rubbish, unless the block was too small for the title.
        if let last, block.count < IcyBlockWriter.longest { return (last, nil) }
        return (open(in: block, from: start), nil)
    }

    /// Bytes that stood at the same place in the block before are left over from it.
    private static func isStale(_ block: [UInt8], from tail: Int, before: [UInt8]) -> Bool {
        block.count - tail <= longestStaleTail && before.count >= block.count && !before.starts(with: block)
            && block[tail...].elementsEqual(before[tail..<block.count])
    }

    /// The end of a value that nobody closed: the first NUL, or the end, a last quote left out.
    private static func open(in block: [UInt8], from start: Int) -> Int {
        if hasUTF16Mark(block[start...]) { return block.count }
        let end = block[start...].firstIndex(of: 0) ?? block.count
        return end > start && block[end - 1] == quote ? end - 1 : end
    }

    /// Some servers put bytes between the closing quote and the semicolon (mpv issue 2754). No text goes on after an
    /// apostrophe with a control or with a byte of 80–BF, which is no letter in Latin-1 and starts nothing in UTF-8.
    private static func withoutRubbish(_ value: ArraySlice<UInt8>) -> [UInt8] {
        guard !hasUTF16Mark(value) else { return Array(value) }
        for index in value.indices.suffix(longestRubbish + 1)
        where value[index] == quote && index + 1 < value.endIndex {
            let next = value[index + 1]
            if next < 0x20 || (0x7F..<0xC0).contains(next) { return Array(value[..<index]) }
        }
        return Array(value)
    }
}

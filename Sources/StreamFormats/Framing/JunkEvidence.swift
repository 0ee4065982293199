/// Tells a whole frame in front of junk from one that the junk has cut, as far as the bytes allow.
///
/// MPEG audio has no check over its sound, so what is asked is what the junk is made of: text, or a few byte values over
/// and over. A frame whose last byte cannot be such junk was whole. Random junk says nothing, and the frame is given up.
enum JunkEvidence {
    /// Bytes of junk that are looked at.
    static let longestSample = 1024
    private static let shortestSample = 64
    /// So few different values are a pattern.
    private static let fewValues = 4

    /// `frame` bytes stand at the front of the window, junk from there to `junkEnd`.
    static func isWhole(_ window: borrowing ByteWindow, frame: Int, junkEnd: Int) -> Bool {
        let sample = frame..<min(junkEnd, frame + longestSample)
        guard sample.count >= shortestSample else { return false }
        let last = window[frame - 1]
        var seen = [Bool](repeating: false, count: 256)
        for index in sample { seen[Int(window[index])] = true }
        guard !seen[Int(last)] else { return false }
        if seen.reduce(0, { $0 + ($1 ? 1 : 0) }) <= fewValues { return true }
        let isText = !seen.indices.contains { seen[$0] && !mayBeText(UInt8($0)) }
        return isText && !mayBeText(last)
    }

    /// ASCII that is printed, line ends and tabs, and what UTF-8 and the 8-bit charsets add.
    private static func mayBeText(_ byte: UInt8) -> Bool {
        byte >= 0x80 || 0x20...0x7E ~= byte || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}

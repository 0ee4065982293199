/// Cuts what a client sends into lines. Pure; a client that sends no end of line is refused.
struct MPDLines {
    /// Longest line, in bytes, its end not counted.
    static let longest = 4096

    private var rest: [UInt8] = []

    /// The complete lines in what has come so far, without their ends.
    /// - Throws: `MPDLineTooLong`; nothing more is to be read then.
    mutating func take(_ bytes: some Collection<UInt8>) throws(MPDLineTooLong) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
                lines.append(rest)
                rest.removeAll(keepingCapacity: true)
            } else {
                guard rest.count < Self.longest else { throw MPDLineTooLong() }
                rest.append(byte)
            }
        }
        return lines
    }
}

/// A line beyond `MPDLines.longest`.
struct MPDLineTooLong: Error {}

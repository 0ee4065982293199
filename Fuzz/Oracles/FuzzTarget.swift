/// One parser of strangers' bytes, and what has to hold of it whatever the bytes are. The name is also that of its seeds
/// and its dictionary.
package enum FuzzTarget: String, CaseIterable, Sendable {
    case chunks, heads, hls, icy, playlists, requests, titles
    case flac, frames, id3, mp4, ogg, transport
    case helper

    /// What is wrong with the parser's answer to this input, in words; nil when nothing is.
    package func fault(in input: [UInt8]) -> String? {
        var input = FuzzInput(input)
        do {
            switch self {
            case .chunks: try judgeChunks(&input)
            case .heads: try judgeHeads(&input)
            case .hls: try judgeHLS(&input)
            case .icy: try judgeIcy(&input)
            case .playlists: try judgePlaylists(&input)
            case .requests: try judgeRequests(&input)
            case .titles: try judgeTitles(&input)
            case .flac, .frames, .mp4, .transport: try judgeStream(&input)
            case .id3: try judgeID3(&input)
            case .ogg: try judgeOgg(&input)
            case .helper: try judgeHelper(&input)
            }
            return nil
        } catch {
            return "\(rawValue): \(error.words)"
        }
    }
}

/// Something that should hold does not.
struct Fault: Error {
    var words: String
}

/// - Throws: `Fault` with these words when the condition does not hold.
func hold(_ condition: Bool, _ words: @autoclosure () -> String) throws(Fault) {
    if !condition { throw Fault(words: words()) }
}

/// The input: a few bytes from the end steer the oracle, what is left goes to the parser. From the end, so that seeds are
/// plain files.
struct FuzzInput {
    private(set) var bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// A number below `limit`; 0 when the input has run out.
    mutating func choice(_ limit: Int) -> Int { Int(bytes.popLast() ?? 0) % limit }

    /// The rest in pieces of changing size.
    mutating func pieces() -> [[UInt8]] {
        let sizes = (0..<4).map { _ in choice(64) + 1 }
        var pieces: [[UInt8]] = []
        var start = 0
        while start < bytes.count {
            let end = min(start + sizes[pieces.count % 4], bytes.count)
            pieces.append(Array(bytes[start..<end]))
            start = end
        }
        return pieces
    }
}

/// Text that may be shown, sent in a header or put on a line.
func holdIsLine(_ text: String, longest: Int) throws(Fault) {
    try hold(text.utf8.count <= longest, "text of \(text.utf8.count) bytes")
    try hold(
        !text.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) },
        "control in \(text)")
}

/// An address that may be handed to the transfers.
func holdIsWebAddress(_ url: String) throws(Fault) {
    try hold(url.hasPrefix("http://") || url.hasPrefix("https://"), "address \(url)")
    try hold(url.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }, "address with a blank or control: \(url)")
}

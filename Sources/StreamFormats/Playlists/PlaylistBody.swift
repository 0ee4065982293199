/// The body of an answer, looked at from outside: is it text, and of what family?
struct PlaylistBody {
    /// UTF-8, without its byte order mark and the blanks in front.
    let bytes: [UInt8]

    /// So far into the text a mark of a web page is looked for.
    private static let window = 1024

    init(_ raw: [UInt8]) {
        var text = raw
        if raw.starts(with: [0xFF, 0xFE]) || raw.starts(with: [0xFE, 0xFF]) {
            text = Array(UTF16Text.decode(raw).utf8)
        }
        if text.starts(with: UTF8Text.mark) { text.removeFirst(3) }
        bytes = Array(text.drop(while: ASCII.isBlank))
    }

    /// Why this cannot be a list; nil when it may be one.
    var refusal: PlaylistReading.Reason? {
        if bytes.isEmpty { return .empty }
        if Self.startsLikeAudio(bytes) { return .audio }
        let start = bytes.prefix(Self.window)
        if start.contains(where: { $0 < 0x20 && !ASCII.isBlank($0) && $0 != 0x1A }) { return .binary }
        let pageMarks = ["<!doctype html", "<html", "<head>", "<body", "<script"]
        return pageMarks.contains { ASCII.firstIndex(of: $0, in: start) != nil } ? .webPage : nil
    }

    private static func startsLikeAudio(_ bytes: [UInt8]) -> Bool {
        if ["ID3", "OggS", "fLaC", "RIFF", "FLV\u{1}"].contains(where: { bytes.starts(with: $0.utf8) }) {
            return true
        }
        return bytes.count > 1 && bytes[0] == 0xFF && bytes[1] & 0xE0 == 0xE0
    }

    /// As UTF-8, whatever single-byte charset of the west it is in. Double encoding is not undone here: addresses are in it.
    var utf8: [UInt8] {
        UTF8Text.strict(bytes) == nil ? Array(SingleByteCharset.windows1252.decode(bytes).utf8) : bytes
    }

    var isXML: Bool { bytes.first == UInt8(ascii: "<") }

    /// Any of these lines decides; the media type is the same for lists of stations.
    var isHLS: Bool {
        lines.contains { line in
            ["#EXT-X-TARGETDURATION", "#EXT-X-STREAM-INF", "#EXT-X-MEDIA-SEQUENCE"].contains {
                line.starts(with: $0.utf8)
            }
        }
    }

    /// Lines without their ends and the blanks around them; CRLF, LF and CR end one.
    var lines: [ArraySlice<UInt8>] { Self.lines(of: bytes) }

    static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        bytes.split { $0 == 0x0A || $0 == 0x0D }.map { ASCII.trimmed($0) }.filter { !$0.isEmpty }
    }

    /// A line that people read: UTF-8 or Windows-1252.
    static func text(_ line: ArraySlice<UInt8>) -> String { CharsetDecision().decode(Array(line)) }

    /// A line that is an address. Its bytes are the server's own, so what is not UTF-8 is written with percent signs
    /// rather than decoded.
    static func address(_ line: ArraySlice<UInt8>) -> String {
        if let text = UTF8Text.strict(line) { return text }
        return line.reduce(into: "") { text, byte in
            if byte < 0x80 {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}

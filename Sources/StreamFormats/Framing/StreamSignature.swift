/// First bytes of things that are no stream of ours.
enum StreamSignature {
    private static let media: [(mark: [UInt8], offset: Int, name: String)] = [
        (Array("FLV\u{1}".utf8), 0, "FLV"),
        ([0x1A, 0x45, 0xDF, 0xA3], 0, "Matroska or WebM"),
        ([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], 0, "Windows Media"),
        (Array("WAVE".utf8), 8, "WAV"),
        (Array("AVI ".utf8), 8, "AVI"),
        (Array("AIFF".utf8), 8, "AIFF"),
        (Array("caff".utf8), 0, "CAF"),
        (Array("ADIF".utf8), 0, "AAC in ADIF"),
        (Array("NSVf".utf8), 0, "NSV"),
        (Array("NSVs".utf8), 0, "NSV"),
        (Array(".RMF".utf8), 0, "RealMedia"),
        (Array("MThd".utf8), 0, "MIDI"),
        (Array("#!AMR".utf8), 0, "AMR"),
        (Array("MAC ".utf8), 0, "Monkey's Audio"),
        (Array("wvpk".utf8), 0, "WavPack"),
        ([0x00, 0x00, 0x01, 0xBA], 0, "MPEG program stream"),
    ]

    private static let images: [[UInt8]] = [
        [0x89] + "PNG".utf8, [0xFF, 0xD8, 0xFF, 0xE0], [0xFF, 0xD8, 0xFF, 0xE1], [0xFF, 0xD8, 0xFF, 0xDB],
        Array("GIF8".utf8), [0, 0, 1, 0, 1, 0],
    ]

    private static let archives: [[UInt8]] = [
        [0x50, 0x4B, 3, 4], [0x1F, 0x8B, 8], Array("Rar!".utf8),
        Array("7z\u{BC}".unicodeScalars.map { UInt8($0.value) }),
        Array("%PDF".utf8), [0x42, 0x5A, 0x68], [0xFD] + "7zXZ".utf8,
    ]

    /// A container or codec that we name and do not read.
    static func unsupported(_ bytes: ArraySlice<UInt8>) -> String? {
        if let found = media.first(where: { bytes.dropFirst($0.offset).starts(with: $0.mark) }) {
            return found.name
        }
        return isLATM(bytes) ? "AAC in LATM" : nil
    }

    /// The same by what the head or the address says.
    static func unsupported(_ hint: ContentHint) -> String? {
        let type = hint.mediaType?.split { $0 == ";" || $0 == "," }.first?.lowercased()
        return announced.first {
            $0.mediaType == type || $0.pathExtension == hint.pathExtension?.lowercased()
        }?.name
    }

    private static let announced: [(mediaType: String, pathExtension: String, name: String)] = [
        ("audio/x-ms-wma", "wma", "Windows Media"), ("audio/vnd.rn-realaudio", "ra", "RealAudio"),
        ("audio/ac3", "ac3", "AC-3"), ("audio/x-ape", "ape", "Monkey's Audio"), ("audio/dsd", "dsf", "DSD"),
    ]

    /// Needs the first few hundred bytes, or all where there are fewer.
    static func notAudio(_ bytes: ArraySlice<UInt8>) -> StreamVerdict.NotAudio? {
        if images.contains(where: { bytes.starts(with: $0) }) { return .image }
        if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) { return .image }
        if archives.contains(where: { bytes.starts(with: $0) }) { return .archive }
        return text(bytes)
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> StreamVerdict.NotAudio? {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let body = (bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes).drop { $0 <= 0x20 }
        let lower = body.map { 0x41...0x5A ~= $0 ? $0 + 0x20 : $0 }
        func begins(_ text: String) -> Bool { lower.starts(with: text.utf8) }
        if begins("#extm3u") || begins("[playlist]") || begins("<asx") || begins("[reference]") {
            return .playlist
        }
        if begins("<!doctype html") || begins("<html") || begins("<head") || begins("<body") {
            return .webPage
        }
        if begins("<?xml") || begins("<!doctype") { return has("<html", in: lower) ? .webPage : .xml }
        if begins("<") { return .webPage }
        if begins("{") || begins("[{") || begins("[\"") { return .json }
        if begins("http://") || begins("https://") { return .playlist }
        return !lower.isEmpty && lower.allSatisfy(isText) ? .text : nil
    }

    private static func has(_ text: String, in bytes: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: text.utf8) }
    }

    private static func isText(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte >= 0x20 && byte != 0x7F || 0x09...0x0D ~= byte
    }

    /// Three of its headers in a row: 11 bits of sync and 13 of length (ISO 14496-3 §1.7.2).
    private static func isLATM(_ bytes: ArraySlice<UInt8>) -> Bool {
        var place = bytes.startIndex
        for link in 0..<3 {
            guard place + 2 < bytes.endIndex, bytes[place] == 0x56, bytes[place + 1] & 0xE0 == 0xE0 else {
                return link == 2 && place + 2 >= bytes.endIndex && bytes.count == 512
            }
            place += 3 + (Int(bytes[place + 1] & 0x1F) << 8 | Int(bytes[place + 2]))
        }
        return true
    }
}

/// What a head says of the stream behind it. Nothing here is an error: what cannot be read is nil.
extension ResponseHead {
    /// The value of the first field of that name, case aside; nil when there is none or it is empty.
    package func value(_ name: String) -> [UInt8]? { values(name).first { !$0.isEmpty } }

    /// Every value of that name, in order, empty ones too.
    package func values(_ name: String) -> [[UInt8]] {
        fields.filter { ASCII.equal($0.name.utf8, name.utf8) }.map(\.value)
    }

    /// A value as text: UTF-8, or else the charset given, or Windows-1252. Controls removed, blanks joined.
    package func text(_ name: String, charset: String? = nil) -> String? {
        guard let value = value(name) else { return nil }
        let text = TitleCleaner.cleaned(CharsetDecision(setting: charset).decode(value))
        return text.isEmpty ? nil : text
    }

    /// `icy-name`, or `ice-name` where only that is sent.
    package var name: String? { text("icy-name") ?? text("ice-name") }
    package var genre: String? { text("icy-genre") ?? text("ice-genre") }
    package var description: String? { text("icy-description") ?? text("ice-description") }
    /// As the station writes it; often without a scheme.
    package var homepage: String? { text("icy-url") ?? text("ice-url") }

    /// True when any `icy-` or `ice-` field is there: a stream, not a file, whatever `Content-Length` says.
    package var isStream: Bool {
        wire == .icy
            || fields.contains {
                ASCII.hasPrefix($0.name.utf8, "icy-") || ASCII.hasPrefix($0.name.utf8, "ice-")
            }
    }

    /// Type and subtype in lower case, without parameters: `audio/mpeg`.
    package var mediaType: String? {
        guard let value = value("Content-Type") else { return nil }
        let end = value.firstIndex { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",") } ?? value.count
        let type = ASCII.lowered(ASCII.trimmed(value[..<end]))
        return type.isEmpty ? nil : String(decoding: type, as: UTF8.self)
    }

    /// kbit/s as told by `icy-br` or `ice-audio-info`.
    package var bitrate: Int? {
        values("icy-br").lazy.compactMap(Self.bitrate).first
            ?? audioInfo("bitrate").flatMap(Self.bitrate) ?? value("ice-bitrate").flatMap(Self.bitrate)
    }

    /// Hz as told by `icy-sr` or `ice-audio-info`.
    package var sampleRate: Int? {
        let told = value("icy-sr").flatMap(ASCII.number) ?? audioInfo("samplerate").flatMap(ASCII.number)
        return told.flatMap { (1...768_000).contains($0) ? $0 : nil }
    }

    package var channels: Int? {
        audioInfo("channels").flatMap(ASCII.number).flatMap { (1...255).contains($0) ? $0 : nil }
    }

    /// True when the station says `icy-pub: 1`.
    package var isPublic: Bool { value("icy-pub").map { $0 == [UInt8(ascii: "1")] } ?? false }

    /// `192`, `128,128`, `192kbps`; from 8000 on it is bit/s (nobody sends 8 Mbit/s of audio).
    private static func bitrate(_ value: [UInt8]) -> Int? {
        guard let number = ASCII.number(value.prefix(while: ASCII.isDigit)), number > 0 else { return nil }
        let kilobits = number >= 8000 ? number / 1000 : number
        return kilobits < 100_000 ? kilobits : nil
    }

    /// A value of `ice-audio-info: ice-samplerate=44100;bitrate=128`; the prefix `ice-` means nothing.
    private func audioInfo(_ key: String) -> [UInt8]? {
        for info in values("ice-audio-info") {
            for pair in info.split(separator: UInt8(ascii: ";")) {
                guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
                let name = ASCII.trimmed(pair[..<equals])
                guard ASCII.equal(name, key.utf8) || ASCII.equal(name, "ice-\(key)".utf8) else { continue }
                return Array(ASCII.trimmed(pair[(equals + 1)...]))
            }
        }
        return nil
    }
}

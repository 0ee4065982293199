/// Collects the entries of one list: makes each address absolute, refuses what is not to be followed, keeps the limits.
struct PlaylistEntries {
    private let base: String?
    private let limits: Playlist.Limits
    private(set) var playlist: Playlist
    private var seen: Set<String> = []

    /// Other names for http that players have invented.
    private static let likeHTTP = ["icy", "icyx", "shout", "sc", "unsv"]

    init(format: Playlist.Format, base: String?, _ limits: Playlist.Limits) {
        self.base = base
        self.limits = limits
        playlist = Playlist(format: format)
    }

    /// The list went on behind what was read of it.
    mutating func cut() { playlist.isCut = true }

    mutating func setTitle(_ title: String) { playlist.title = playlist.title ?? Self.line(title) }

    mutating func add(_ written: String, title: String?) {
        let text = Self.trimmed(written)
        guard !text.isEmpty else { return }
        guard playlist.entries.count < limits.entries else {
            playlist.isCut = true
            return
        }
        switch Self.address(text, base: base) {
        case .success(let url):
            guard seen.insert(url).inserted else { return refuse(text, .duplicate) }
            playlist.entries.append(Playlist.Entry(url: url, title: title.flatMap(Self.line)))
        case .failure(let reason):
            refuse(text, reason)
        }
    }

    private mutating func refuse(_ text: String, _ reason: Playlist.Refused.Reason) {
        guard playlist.refused.count < limits.entries else { return }
        playlist.refused.append(Playlist.Refused(text: TitleCleaner.cleaned(text), reason: reason))
    }

    private static func line(_ title: String) -> String? {
        let title = TitleCleaner.cleaned(title)
        return title.isEmpty ? nil : title
    }

    /// Blanks and quotes around an address are habits of those who write lists by hand.
    private static func trimmed(_ text: String) -> String {
        var bytes = ASCII.trimmed(Array(text.utf8))
        if bytes.count > 1, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") {
            bytes = ASCII.trimmed(bytes.dropFirst().dropLast())
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func address(_ text: String, base: String?) -> Result<String, Playlist.Refused.Reason> {
        if isLocal(text) { return .failure(.localFile) }
        guard text.unicodeScalars.allSatisfy(isWritable) else { return .failure(.malformed) }
        let written = URLReference.withoutBlanks(withScheme(text))
        guard let url = URLReference.resolve(written, against: base) else { return .failure(.malformed) }
        switch URLReference.scheme(of: url) {
        case "http", "https": return URLReference.hasHost(url) ? .success(url) : .failure(.malformed)
        case "file": return .failure(.localFile)
        default: return .failure(.scheme)
        }
    }

    /// No control, and nothing that XML could not carry to our listeners.
    private static func isWritable(_ scalar: Unicode.Scalar) -> Bool {
        !UTF8Text.isControl(scalar) && XMLText.isAllowed(scalar)
    }

    /// `C:\x.mp3`, `..\x.mp3`, `\\server\x.mp3`: what a list made for one machine names.
    private static func isLocal(_ text: String) -> Bool {
        let bytes = Array(text.utf8.prefix(3))
        if bytes.count == 3, ASCII.isLetter(bytes[0]), bytes[1] == UInt8(ascii: ":"),
            bytes[2] != UInt8(ascii: "/")
        {
            return true
        }
        return text.contains("\\") && URLReference.scheme(of: text) == nil
    }

    /// `icyx://host` is http, and so is `host.example:8000/x`, whose host looks like a scheme.
    private static func withScheme(_ text: String) -> String {
        guard let scheme = URLReference.scheme(of: text) else { return text }
        let rest = text.dropFirst(scheme.count + 1)
        if likeHTTP.contains(scheme) { return "http:" + rest }
        return scheme.contains(".") && rest.first.map(\.isNumber) ?? false ? "http://" + text : text
    }
}

extension Playlist.Refused.Reason: Error {}

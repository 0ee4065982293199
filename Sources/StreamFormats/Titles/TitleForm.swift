/// The fields of a title that came as a document or as a list of attributes.
struct TitleFields: Sendable, Equatable {
    var artist: String?
    var title: String?
    var album: String?
    var duration: Duration?
    var artwork: String?
    var told: TitleClass?
}

/// Which of the forms that stations use a decoded title has.
enum TitleForm {
    case nothing
    case plain(String)
    case fields(TitleFields)

    init(_ decoded: String) {
        let text = Self.withoutTrailer(decoded)
        guard let first = text.unicodeScalars.first(where: { !$0.properties.isWhitespace && $0 != "\0" })
        else {
            self = .nothing
            return
        }
        switch first {
        case "<" where TitleDocument.isXML(text):
            self = TitleDocument.xml(text).map(TitleForm.fields) ?? .nothing
        case "{" where TitleDocument.isJSON(text), "[" where TitleDocument.isJSON(text):
            self = TitleDocument.json(text).map(TitleForm.fields) ?? .nothing
        default:
            self = (TitleAttributes(text)?.fields ?? Self.tildes(text)).map(TitleForm.fields) ?? .plain(text)
        }
    }

    /// The last chunk of a web answer, pushed as title together with its text: `\r\n0\r\n\r\n`.
    private static func withoutTrailer(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.firstIndex(where: { $0 == "\r" || $0 == "\n" }) else { return text }
        let rest = scalars[end...].filter { !$0.properties.isWhitespace && $0 != "\0" }
        return String(rest) == "0" ? String(scalars[..<end]) : text
    }

    /// `ARTIST~TITLE~~~~date~…`: a playout program's fields, of which the first two are known.
    private static func tildes(_ text: String) -> TitleFields? {
        let parts = text.split(separator: "~", maxSplits: 16, omittingEmptySubsequences: false)
        guard parts.count >= 5, !TitleCleaner.cleaned(String(parts[0])).isEmpty else { return nil }
        return TitleFields(artist: String(parts[0]), title: String(parts[1]))
    }
}

package import JSONText
internal import Platform

/// The airplay log for spreadsheets and scripts.
package enum AirplayExport {
    package static let columns = ["time", "station", "class", "artist", "title", "text"]

    /// RFC 4180 with a head line. A field that a spreadsheet would run as a formula gets an apostrophe in front: titles
    /// are strangers' texts.
    package static func csv(_ airings: [Airing]) -> String {
        var text = columns.joined(separator: ",") + "\r\n"
        for airing in airings {
            let fields = [
                LocalTime.iso(airing.at), airing.station, airing.title.kind.rawValue,
                airing.title.artist ?? "",
                airing.title.title ?? "", airing.title.text,
            ]
            text += fields.map(field).joined(separator: ",") + "\r\n"
        }
        return text
    }

    private static func field(_ text: String) -> String {
        let isFormula = text.first.map { "=+-@\t\r".contains($0) } ?? false
        let safe = isFormula ? "'" + text : text
        return "\"" + safe.replacing("\"", with: "\"\"") + "\""
    }

    package static func json(_ airing: Airing) -> JSONValue {
        .object([
            .init("id", .int(airing.id)), .init("time", .string(LocalTime.iso(airing.at))),
            .init("station", .string(airing.station)), .init("class", .string(airing.title.kind.rawValue)),
            .init("artist", JSONValue(airing.title.artist)), .init("title", JSONValue(airing.title.title)),
            .init("text", .string(airing.title.text)),
        ])
    }
}

internal import HTTPWire
internal import Platform

/// Moments as Icecast's pages write them.
enum IcecastDates {
    /// `Sun, 06 Nov 1994 08:49:37 +0000`.
    static func rfc2822(_ time: WallTime) -> String {
        HTTPDate.text(secondsSince1970: Int64(time.secondsSince1970)).replacing("GMT", with: "+0000")
    }

    /// `1994-11-06T08:49:37+0000`: without a colon in the offset, which is how exporters parse it.
    static func iso8601(_ time: WallTime) -> String {
        let words = rfc2822(time).split(separator: " ")
        guard words.count == 6, let month = Self.months.firstIndex(of: String(words[2])) else { return "" }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        return "\(words[3])-\(number)-\(words[1])T\(words[4])+0000"
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}

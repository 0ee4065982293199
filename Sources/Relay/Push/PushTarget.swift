package import Transfers

/// One station that is sent to another server, as an Icecast takes a source.
package struct PushTarget: Sendable, Hashable {
    /// The station's id.
    package let station: String
    /// Server, mount and credentials: `http://source:hackme@icecast.example:8000/live.mp3`.
    package let url: URLText

    /// What is wrong with a target, and what to write.
    package struct Mistake: Error, Sendable, Hashable, CustomStringConvertible {
        package let description: String
    }

    /// Reads `STATION http://user:password@host:port/mount`.
    package init(_ text: String) throws(Mistake) {
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2 else {
            throw Mistake(description: "a push is a station's id, a blank and an address")
        }
        do {
            url = try URLText(String(words[1]))
        } catch {
            throw Mistake(
                description:
                    "the push of \(words[0]) has no address like http://source:PASSWORD@host:8000/mount")
        }
        guard url.path.utf8.count > 1, url.query == nil else {
            throw Mistake(
                description: "the push of \(words[0]) to \(url.host) names no mount; add /live.mp3 to it")
        }
        station = String(words[0])
    }

    /// Without credentials, as logs and pages show it.
    package var place: String { url.text }
}

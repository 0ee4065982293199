package import HTTPWire

/// What a source client says of its stream: in the head of `PUT` and `SOURCE`, or after Shoutcast's password.
package struct SourceHello: Sendable, Hashable {
    package var mediaType: String?
    package var name: String?
    package var genre: String?
    package var about: String?
    package var homepage: String?
    /// kbit/s.
    package var bitrate: Int?
    package var userAgent: String?

    package init(_ headers: HeaderFields) {
        func value(_ names: String...) -> String? {
            let text = names.lazy.compactMap { headers[$0] }.first
            return text.map { HeaderText.cleaned($0, limit: HeaderText.stationLimit) }.flatMap {
                $0.isEmpty ? nil : $0
            }
        }
        mediaType = value("content-type")
        name = value("ice-name", "icy-name")
        genre = value("ice-genre", "icy-genre")
        about = value("ice-description", "icy-description")
        homepage = value("ice-url", "icy-url")
        bitrate = value("ice-bitrate", "icy-br").flatMap { Digits.parse($0, maxDigits: 6) }.map(Int.init)
        userAgent = value("user-agent")
    }
}

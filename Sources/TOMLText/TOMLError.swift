/// What is wrong in a TOML file, where, and what to write instead: `stations/jazz.toml:12:1: …`.
package struct TOMLError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file as it was named to us.
    package var file: String
    package var position: TOMLPosition?
    /// The key it is about: `station.bitrate`, `server.port`.
    package var key: String?
    /// What is wrong and the remedy.
    package var message: String

    package init(file: String, position: TOMLPosition? = nil, key: String? = nil, message: String) {
        self.file = file
        self.position = position
        self.key = key
        self.message = message
    }

    package var description: String {
        let place = position.map { ":\($0.line):\($0.column)" } ?? ""
        return "\(file)\(place): \(key.map { "\($0): " } ?? "")\(message)"
    }
}

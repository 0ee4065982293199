/// What this program calls itself.
package enum Product {
    package static let name = "aircheck"
    package static let version = "0.1.0"
    /// Sent with every outgoing request. Never a browser's name: Shoutcast serves its web page to those.
    package static let userAgent = "\(name)/\(version)"
    /// Port of both listening roles while both are on loopback.
    package static let defaultPort: UInt16 = 2472
    /// Port of the demo station.
    package static let demoPort: UInt16 = 2473
}

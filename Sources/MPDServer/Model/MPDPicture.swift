/// A picture that clients ask for piece by piece.
package struct MPDPicture: Sendable, Hashable {
    package var bytes: [UInt8]
    /// `image/png`
    package var type: String

    package init(bytes: [UInt8], type: String) {
        self.bytes = bytes
        self.type = type
    }
}

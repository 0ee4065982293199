/// What the response head and the address say of a stream. Hints only: the bytes decide what it is.
package struct ContentHint: Sendable, Hashable {
    /// The media type as it was sent, parameters included: `audio/aacp;charset=UTF-8`.
    package var mediaType: String?
    /// The last path component's extension, without the dot: `mp3`.
    package var pathExtension: String?

    package init(mediaType: String? = nil, pathExtension: String? = nil) {
        self.mediaType = mediaType
        self.pathExtension = pathExtension
    }
}

/// What the bytes of a stream have turned out to be so far.
package enum StreamVerdict: Sendable, Hashable {
    /// Not enough bytes yet.
    case undecided
    /// Frames of this codec come out.
    case audio(Codec)
    /// No audio so far, and the bytes look like something else. Audio that follows turns this into `audio`.
    case notAudio(NotAudio)
    /// Audio or video in a coding or container that we do not read; the name is for people: `FLV`, `AC-3 in MPEG-TS`.
    case unsupported(String)

    /// What came instead of audio. The raw value is for people.
    package enum NotAudio: String, Sendable, Hashable {
        case webPage = "a web page"
        case playlist = "a playlist"
        case xml = "an XML document"
        case json = "a JSON document"
        case image = "an image"
        case archive = "an archive"
        case text = "plain text"
        /// 64 KiB or the whole body without three chained frames.
        case noFrames = "no audio frames"
    }
}

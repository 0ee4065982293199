/// What a stream really is, after having listened to it: what `probe` prints.
package struct ProbeReport: Sendable, Hashable {
    package enum State: String, Sendable, Hashable {
        case audio
        /// Connected, and nothing came.
        case noAudio = "no_audio"
        /// A page, an image, a document.
        case notAudio = "not_audio"
        /// A codec or container that we lack.
        case unsupported
        /// The server said no.
        case refused
        case unreachable
    }

    package struct Title: Sendable, Hashable {
        /// Seconds of audio from the first frame.
        package var atSeconds: Double
        package var text: String
        package var artist: String?
        package var title: String?
        /// `track advert ident talk none`.
        package var kind: String
    }

    package struct Break: Sendable, Hashable {
        package var atSeconds: Double
        package var lostSeconds: Double
        package var cause: String
    }

    package struct Attempt: Sendable, Hashable {
        package var url: String
        /// For people: `connection refused`.
        package var result: String
    }

    package var url: String
    /// After redirects and playlists; without credentials.
    package var finalURL: String?
    package var state = State.unreachable
    /// Why there is no audio; nil where there is.
    package var reason: String?
    package var httpStatus: Int?
    /// `icy`, `http/1.0`, `http/1.1`, `http/2`, `hls`.
    package var protocolName: String?
    package var name: String?
    package var genre: String?
    package var description: String?
    package var homepage: String?
    package var bitrateKbps: Int?
    package var measuredKbps: Double?
    package var metaint: Int?
    package var codec: String?
    package var sampleRate: Int?
    package var channels: Int?
    package var audioSeconds = 0.0
    package var frames = 0
    package var junkBytes = 0
    /// From the first request to the first frame.
    package var firstAudioMilliseconds: Int?
    /// One a change, cleaned and decoded.
    package var titles: [Title] = []
    /// One a break.
    package var gaps: [Break] = []
    /// One a request that failed.
    package var attempts: [Attempt] = []

    package init(url: String) { self.url = url }
}

package import Platform
package import StreamFormats

/// A place in a feed, counted from the feed's first frame. Both counts only grow, across reconnects too.
package struct StreamPosition: Sendable, Hashable, Comparable {
    /// Bytes of audio before this place; always a frame boundary.
    package var bytes: Int64
    /// Nanoseconds of audio before this place.
    package var nanoseconds: Int64

    package init(bytes: Int64 = 0, nanoseconds: Int64 = 0) {
        self.bytes = bytes
        self.nanoseconds = nanoseconds
    }

    /// Seconds of audio before this place.
    package var seconds: Double { Double(nanoseconds) / 1e9 }

    package static func < (left: Self, right: Self) -> Bool {
        (left.bytes, left.nanoseconds) < (right.bytes, right.nanoseconds)
    }
}

/// A title and the exact place from which it is valid.
package struct TitleMark: Sendable, Hashable {
    package var raw: RawTitle
    package var text: TitleText
    package var position: StreamPosition
    package var wall: WallTime

    package init(raw: RawTitle, text: TitleText, position: StreamPosition, wall: WallTime) {
        self.raw = raw
        self.text = text
        self.position = position
        self.wall = wall
    }
}

/// A break of the stream: at `position` something is missing, or was and has been healed by the overlap.
package struct Gap: Sendable, Hashable {
    package enum Cause: String, Sendable, Hashable {
        case closed, reset, stalled, refused, unreachable, suspended, junk, slowReader = "slow-reader"
        case diskFull = "disk-full", diskError = "disk-error", format, segment, unknown
    }

    package var position: StreamPosition
    /// When the last frame before and the first frame after the break came in.
    package var from: WallTime
    package var to: WallTime
    package var cause: Cause
    /// Seconds of audio known to be missing; 0 when the overlap healed the break.
    package var lostSeconds: Double

    package init(position: StreamPosition, from: WallTime, to: WallTime, cause: Cause, lostSeconds: Double) {
        self.position = position
        self.from = from
        self.to = to
        self.cause = cause
        self.lostSeconds = lostSeconds
    }
}

/// What a reader of a feed is told, in the order of the stream.
///
/// The rare cases are boxed: a window holds hundreds of events, and nearly all of them are one pointer.
package enum FeedEvent: Sendable {
    indirect case format(AudioFormat, at: StreamPosition)
    case audio(Chunk)
    indirect case title(TitleMark)
    indirect case gap(Gap)
    /// Titles told earlier read differently now that the station's charset is known; found by their `position`.
    case retitled([TitleMark])
}

/// How a station is doing, and why.
package struct FeedStatus: Sendable, Hashable {
    package enum State: String, Sendable, Hashable {
        /// Nobody reads; not connected.
        case idle
        case connecting
        /// Audio flows.
        case live
        /// Connected, and no audio for longer than the stall time.
        case stalled
        /// Waiting for the next try; `retryAt` says when.
        case waiting
        /// Given up: nothing but a person can help (no URL, unsupported codec).
        case failed
    }

    package var state: State
    /// Why it is in this state, for people: `connection refused by radio.example:8000`.
    package var reason: String?
    /// What a person should know though audio flows: that connections are dropped in a rhythm.
    package var notice: String?
    /// The address that is being read, after redirects and playlists, without credentials.
    package var url: String?
    package var since: WallTime
    package var retryAt: WallTime?
    /// What the station says of itself in its response head.
    package var stationName: String?
    package var genre: String?
    package var homepage: String?
    package var stationDescription: String?
    package var advertisedBitrate: Int?
    package var metaint: Int?
    package var protocolName: String?
    /// Seconds of audio that come at once: the target duration of an HLS playlist; nil for a stream.
    package var segmentSeconds: Double?
    /// Faults of certificates that are forgiven where it is read now; empty where nothing had to be.
    package var forgivenFaults: [CertificateFault] = []
    package var reconnects: Int
    package var bytesReceived: Int64

    package init(state: State, since: WallTime, reason: String? = nil) {
        self.state = state
        self.since = since
        self.reason = reason
        reconnects = 0
        bytesReceived = 0
    }
}

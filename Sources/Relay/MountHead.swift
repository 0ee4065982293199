internal import HTTPWire

/// What a mount says of itself in the head of its answers and in the status pages.
package struct MountFacts: Sendable, Hashable {
    package var mediaType: String
    package var name: String
    package var genre: String?
    package var homepage: String?
    package var about: String?
    /// kbit/s.
    package var bitrate: Int?
    package var sampleRate: Int
    package var channels: Int
    /// Titles can be sent between the frames: MPEG audio and ADTS, never Ogg or native FLAC.
    package var carriesTitles: Bool

    package init(
        mediaType: String, name: String, genre: String? = nil, homepage: String? = nil, about: String? = nil,
        bitrate: Int? = nil, sampleRate: Int, channels: Int, carriesTitles: Bool
    ) {
        self.mediaType = mediaType
        self.name = name
        self.genre = genre
        self.homepage = homepage
        self.about = about
        self.bitrate = bitrate
        self.sampleRate = sampleRate
        self.channels = channels
        self.carriesTitles = carriesTitles
    }

    /// `bitrate=128;channels=2;samplerate=44100`, which Icecast's slaves read.
    package var audioInfo: String {
        (bitrate.map { "bitrate=\($0);" } ?? "") + "channels=\(channels);samplerate=\(sampleRate)"
    }
}

/// What every answer to a listener says of us.
struct ListenerIdentity: Sendable {
    /// The `Server` header.
    var server: String
    var crossOrigin: CrossOrigin
}

/// Writes the head of a mount's answer: HTTP/1.0 without a length, as Icecast does and hardware expects.
enum MountHead {
    /// - Parameter metaint: nil for a listener without titles.
    static func bytes(
        for facts: MountFacts, metaint: Int32?, range: RangeAnswer, by identity: ListenerIdentity
    ) -> [UInt8] {
        var head = ResponseHead(version: .http10, status: range == .whole ? 200 : 206)
        head.add("Content-Type", facts.mediaType)
        head.add("Server", identity.server)
        head.add("icy-name", facts.name, limit: HeaderText.stationLimit)
        if let genre = facts.genre { head.add("icy-genre", genre, limit: HeaderText.stationLimit) }
        if let homepage = facts.homepage { head.add("icy-url", homepage, limit: HeaderText.stationLimit) }
        if let about = facts.about { head.add("icy-description", about, limit: HeaderText.stationLimit) }
        if let bitrate = facts.bitrate { head.add("icy-br", bitrate) }
        head.add("icy-sr", facts.sampleRate)
        // A relay of somebody else's station is never listed as ours.
        head.add("icy-pub", "0")
        head.add("ice-audio-info", facts.audioInfo)
        if let metaint, facts.carriesTitles { head.add("icy-metaint", metaint) }
        addRange(range, to: &head)
        head.add("Cache-Control", "no-cache, no-store")
        head.add("Pragma", "no-cache")
        head.add("Expires", "Mon, 26 Jul 1997 05:00:00 GMT")
        identity.crossOrigin.add(to: &head)
        head.add("X-Accel-Buffering", "no")
        head.add("Connection", "Close")
        return head.bytes
    }

    private static func addRange(_ range: RangeAnswer, to head: inout ResponseHead) {
        switch range {
        case .whole: break
        case .probe(let count):
            head.add("Content-Length", count)
            head.add("Content-Range", "bytes 0-\(count - 1)/\(RangeAnswer.total)")
        case .partial:
            head.add("Content-Range", "bytes 0-\(RangeAnswer.total - 1)/\(RangeAnswer.total)")
        }
    }
}

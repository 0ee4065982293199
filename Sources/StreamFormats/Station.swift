/// One station as the catalogue knows it and ingest needs it.
package struct Station: Sendable, Hashable {
    /// Lower-case letters, digits and dashes; also the first segment of its mount.
    package var id: String
    package var name: String
    /// Where it is heard, best first. Each may be a stream or a playlist.
    package var urls: [String]
    package var homepage: String?
    package var logo: String?
    package var callsign: String?
    package var frequency: String?
    package var market: String?
    package var genre: String?
    /// ISO 3166-1 alpha-2, upper case.
    package var country: String?
    package var language: String?
    /// Told by whoever listed the station; what is really sent decides.
    package var codec: String?
    /// kbit/s, told.
    package var bitrate: Int?
    /// Charset of its titles where the guess needs help: `windows-1251`.
    package var charset: String?
    /// How its titles are read where they need help.
    package var titles: TitleRules
    /// Request headers of this station alone, in order.
    package var headers: [Header]
    /// Seconds of audio kept on disk; nil for the service's default. A station that has one of its own is armed.
    package var windowSeconds: Int?
    /// dB added by the monitor, never by recorder or relay.
    package var gain: Double?
    /// A word that it shares with stations that send the same programme in another quality.
    package var programme: String?
    /// Where the entry was taken from.
    package var source: String?
    package var tags: [String]
    package var groups: [String]
    /// More names of its mount, without the slash.
    package var aliases: [String]
    /// Id of the station that its listeners hear while its own is away; of the same type of audio.
    package var fallback: String?
    /// Stays connected whether or not anybody listens.
    package var isAlwaysOn: Bool
    /// Its addresses may be in private ranges or on this machine: typed by the owner, or the demo station.
    package var isLocal: Bool
    /// Faults of its own servers' certificates that are forgiven; of no other server's.
    package var forgivenFaults: [CertificateFault]

    package struct Header: Sendable, Hashable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package init(id: String, name: String, urls: [String]) {
        self.id = id
        self.name = name
        self.urls = urls
        titles = TitleRules()
        headers = []
        tags = []
        groups = []
        aliases = []
        isAlwaysOn = false
        isLocal = false
        forgivenFaults = []
    }

    /// What the address of a station begins with whose stream a source client sends us: `source:/live.mp3`.
    package static let sourceScheme = "source:/"

    /// The mount, without the slash, that a source client feeds; nil for a station that is pulled.
    package var sourceMount: String? {
        urls.first.flatMap { url in
            url.hasPrefix(Self.sourceScheme) ? String(url.dropFirst(Self.sourceScheme.count)) : nil
        }
    }

    /// True where `other` is reached and read the same way: nothing has to be connected anew.
    package func isPulled(like other: Station) -> Bool {
        urls == other.urls && headers == other.headers && isLocal == other.isLocal
            && charset == other.charset && titles == other.titles && forgivenFaults == other.forgivenFaults
    }
}

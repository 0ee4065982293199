package import Feed
package import StreamFormats

/// Where the relay's mounts come from: the catalogue and ingest in the service, one address in `aircheck relay URL`.
///
/// Any thread; must not block.
package protocol MountSource: Sendable {
    /// The station of a mount's name: its id, one of its aliases, or the mount that a source client feeds.
    func station(named name: String) -> Station?
    /// All stations that may be listened to, in the order they are listed.
    func stations() -> [Station]
    func favourites() -> [Station]
    /// The station's hub; nil when the station is gone.
    func feed(of station: Station) -> Feed?
    /// The station is itself another one some time late: a name of the settings.
    func isLate(_ station: Station) -> Bool
    /// A station from some moment of its past on. `done` is called once, on any thread; looking may take a disk's time.
    /// - Parameter wish: nil for a station that is late by itself.
    func late(
        _ station: Station, _ wish: PastWish?, _ done: @escaping @Sendable (LateAnswer) -> Void)
}

/// One listener's request, as far as a mount looks at it.
package struct ListenerRequest: Sendable {
    package enum Kind: Sendable, Hashable {
        /// Head and stream, until one of them ends.
        case stream
        /// The head alone (HEAD).
        case head
        /// A listener of the process whose place we took: it goes on where it was.
        case resumed(HandedListener)
    }

    package var kind: Kind
    package var wantsTitles: Bool
    package var range: RangeAnswer
    package var userAgent: String
    package var dlna: DLNAWish

    package init(
        kind: Kind = .stream, wantsTitles: Bool = false, range: RangeAnswer = .whole, userAgent: String = "",
        dlna: DLNAWish = []
    ) {
        self.kind = kind
        self.wantsTitles = wantsTitles
        self.range = range
        self.userAgent = userAgent
        self.dlna = dlna
    }
}

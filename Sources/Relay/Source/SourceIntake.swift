internal import Feed
internal import HTTPWire
internal import Platform
internal import StreamFormats

/// From the bytes of a source client to the feed of its station: frames found, titles read, status kept.
struct SourceIntake {
    /// Why a stream is not taken on.
    enum Refusal: String, Error {
        case notAudio = "not audio that we know"
        case otherType = "another type than its listeners were promised"
    }

    /// Bytes without a single frame after which it is not audio.
    private static let probeLimit = 64 << 10

    let feed: Feed
    private var reader: ElementaryReader
    private var found: [StreamElement] = []
    private var byteCount: Int64 = 0
    private var hasFrames = false
    private let time: any TimeSource
    /// Since when the mount has been silent; nil for the first source it has.
    private let silentSince: WallTime?

    init(feed: Feed, hello: SourceHello, time: any TimeSource) {
        self.feed = feed
        self.time = time
        silentSince = feed.format == nil ? nil : feed.status.since
        reader = ElementaryReader(hint: ContentHint(mediaType: hello.mediaType))
        feed.updateStatus { status in
            status.state = .connecting
            status.reason = nil
            status.protocolName = "source"
            status.stationName = hello.name
            status.genre = hello.genre
            status.homepage = hello.homepage
            status.stationDescription = hello.about
            status.advertisedBitrate = hello.bitrate
        }
    }

    mutating func take(_ bytes: [UInt8]) throws(Refusal) {
        byteCount += Int64(bytes.count)
        reader.push(bytes.span, into: &found)
        try publish()
        if !hasFrames, byteCount > Self.probeLimit { throw .notAudio }
    }

    /// The stream is over: publishes what is left of it.
    mutating func finish() {
        reader.finish(into: &found)
        do { try publish() } catch { found = [] }
    }

    /// Says that the mount is silent now.
    func tellEnd(_ reason: String) {
        feed.updateStatus { status in
            status.state = .waiting
            status.reason = reason
        }
    }

    private mutating func publish() throws(Refusal) {
        let elements = found
        found = []
        for element in elements { try publish(element) }
        let received = byteCount
        if !elements.isEmpty {
            let isLive = hasFrames
            feed.updateStatus { status in
                status.bytesReceived = received
                if isLive { status.state = .live }
            }
        }
    }

    private mutating func publish(_ element: StreamElement) throws(Refusal) {
        switch element {
        case .format(let format):
            // A wrong type would end everybody who listens; the source may come back as what it was.
            if !hasFrames, let before = feed.format, before.mediaType != format.mediaType,
                feed.readerCount > 0
            {
                throw .otherType
            }
            feed.publish(format: format)
        case .frames(let run):
            if !hasFrames { tellGap() }
            hasFrames = true
            feed.publish(frames: run)
        case .title(let raw): feed.publish(title: raw, reading: Self.read(raw, for: feed.station))
        case .junk: break
        }
    }

    private func tellGap() {
        guard let silentSince else { return }
        let now = time.wall
        let lost = max(0, now.secondsSince1970 - silentSince.secondsSince1970)
        feed.publish(gap: .closed, from: silentSince, to: now, lostSeconds: lost)
    }

    /// A title as people read it: the charset the source named, else UTF-8 where it is valid, else Latin-1.
    static func read(_ raw: RawTitle, for station: Station) -> TitleText {
        TitleReader(charset: station.charset, names: [station.name]).read(raw)
    }
}

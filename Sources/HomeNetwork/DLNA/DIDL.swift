internal import Platform
internal import StreamFormats

/// Objects of the tree as DIDL-Lite, the XML that media servers describe them in (ContentDirectory:1, §2.8).
struct DIDL {
    let address: HomeAddress
    /// Some players show tracks alone, no broadcasts.
    let broadcastsAsTracks: Bool

    func text(_ objects: some Sequence<ContentTree.Object>) -> String {
        var text = """
            <DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" \
            xmlns:dc="http://purl.org/dc/elements/1.1/" \
            xmlns:upnp="urn:schemas-upnp-org:metadata-1-0/upnp/" \
            xmlns:dlna="urn:schemas-dlna-org:metadata-1-0/">
            """
        for object in objects { text += element(object) }
        return text + "</DIDL-Lite>"
    }

    private func element(_ object: ContentTree.Object) -> String {
        switch object {
        case .container(let id, let parent, let title, let children):
            "<container id=\"\(Self.text(id))\" parentID=\"\(Self.text(parent))\" restricted=\"1\""
                + " searchable=\"0\" childCount=\"\(children)\">"
                + "<dc:title>\(Self.text(title))</dc:title>"
                + "<upnp:class>object.container.storageFolder</upnp:class></container>"
        case .station(let id, let parent, let station): item(id, parent, station)
        case .recording(let id, let parent, let recording): item(id, parent, recording)
        }
    }

    private func item(_ id: String, _ parent: String, _ station: HomeStation) -> String {
        let kind = broadcastsAsTracks ? "musicTrack" : "audioBroadcast"
        var text = Self.open(id, parent, station.name, "object.item.audioItem.\(kind)")
        if let genre = station.genre { text += "<upnp:genre>\(Self.text(genre))</upnp:genre>" }
        if let about = station.about { text += "<dc:description>\(Self.text(about))</dc:description>" }
        if !broadcastsAsTracks {
            text += "<upnp:channelName>\(Self.text(station.name))</upnp:channelName>"
        }
        if let logo = station.logo { text += "<upnp:albumArtURI>\(Self.text(logo))</upnp:albumArtURI>" }
        // The first is what most renderers take: MP3 where there is one.
        if station.needsMP3 {
            text += Self.resource(
                address.mount(station.id + ".mp3"), ProtocolInfo.live("audio/mpeg"), "")
        }
        if !station.needsMP3 || station.codec != nil {
            let rate = station.bitrate.map { " bitrate=\"\($0 * 1000 / 8)\"" } ?? ""
            text += Self.resource(address.mount(station.id), ProtocolInfo.live(station.mediaType), rate)
        }
        return text + "</item>"
    }

    private func item(_ id: String, _ parent: String, _ recording: HomeRecording) -> String {
        var text = Self.open(id, parent, recording.title, "object.item.audioItem.musicTrack")
        text += "<upnp:album>\(Self.text(recording.stationName))</upnp:album>"
        text += "<dc:creator>\(Self.text(recording.stationName))</dc:creator>"
        text += "<dc:date>\(LocalTime.text(recording.started, pattern: "%Y-%m-%dT%H:%M:%S"))</dc:date>"
        let facts = " size=\"\(recording.bytes)\" duration=\"\(Self.duration(recording.seconds))\""
        text += Self.resource(
            address.recording(recording), ProtocolInfo.stored(recording.mediaType), facts)
        return text + "</item>"
    }

    private static func open(_ id: String, _ parent: String, _ title: String, _ kind: String) -> String {
        "<item id=\"\(text(id))\" parentID=\"\(text(parent))\" restricted=\"1\">"
            + "<dc:title>\(text(title))</dc:title><upnp:class>\(kind)</upnp:class>"
    }

    private static func resource(_ url: String, _ protocolInfo: String, _ facts: String) -> String {
        "<res protocolInfo=\"\(text(protocolInfo))\"\(facts)>\(text(url))</res>"
    }

    /// `1:02:03.450`
    static func duration(_ seconds: Double) -> String {
        let all = Int64(bounded: min(max(seconds, 0), 1e9) * 1000)
        func padded(_ value: Int64, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(all / 3_600_000):\(padded(all / 60_000 % 60, 2)):\(padded(all / 1000 % 60, 2))"
            + ".\(padded(all % 1000, 3))"
    }

    private static func text(_ text: String) -> String { XMLText.escaped(TitleCleaner.cleaned(text)) }
}

/// The fourth column of DLNA: what a device may do with a stream (DLNA guidelines, 7.3.30).
package enum ProtocolInfo {
    /// Sender-paced, grows at both ends, streaming, background and connection stall allowed, version 1.5.
    package static let liveFlags = "8D100000000000000000000000000000"
    /// Streaming, background, connection stall, version 1.5.
    package static let storedFlags = "01700000000000000000000000000000"

    static func live(_ type: String) -> String { "http-get:*:\(type):" + liveFeatures(type) }

    static func stored(_ type: String) -> String { "http-get:*:\(type):" + storedFeatures(type) }

    /// The same without its first three columns: `contentFeatures.dlna.org`.
    package static func liveFeatures(_ type: String) -> String {
        profile(type) + "DLNA.ORG_OP=00;DLNA.ORG_CI=0;DLNA.ORG_FLAGS=\(liveFlags)"
    }

    static func storedFeatures(_ type: String) -> String {
        profile(type) + "DLNA.ORG_OP=01;DLNA.ORG_CI=0;DLNA.ORG_FLAGS=\(storedFlags)"
    }

    private static func profile(_ type: String) -> String {
        type == "audio/mpeg" ? "DLNA.ORG_PN=MP3;" : ""
    }

    /// What the server can send: the answer of `GetProtocolInfo`.
    static let sources = ["audio/mpeg", "audio/aac", "audio/ogg", "audio/flac", "audio/mp4"].map {
        "http-get:*:\($0):*"
    }.joined(separator: ",")
}

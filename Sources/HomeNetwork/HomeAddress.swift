internal import HTTPWire

/// Addresses of mounts and files as one device is told them: `http://192.168.1.5:2472`, and what stands behind.
struct HomeAddress: Sendable {
    /// Without a slash at its end.
    let base: String

    func mount(_ id: String) -> String { base + "/" + PercentCoding.encode(id) }

    /// The mount that nearly every device can play.
    func playable(_ station: HomeStation) -> String {
        station.needsMP3 ? mount(station.id + ".mp3") : mount(station.id)
    }

    func recording(_ recording: HomeRecording) -> String { base + recording.path }
}

extension HomeStation {
    /// Its name in guides, where a channel must look like a host.
    var channel: String { id + ".aircheck" }

    /// It sends, or may send, what a simple device cannot play, and there is something better.
    var needsMP3: Bool { hasMP3 && codec?.lowercased() != "mp3" }

    /// `audio/mpeg`, of what it sends itself.
    var mediaType: String {
        switch codec?.lowercased() {
        case "mp1", "mp2", "mp3": "audio/mpeg"
        case "aac", "he-aac", "he-aac-v2", "aac+", "aacp": "audio/aac"
        case "flac": "audio/flac"
        case "ogg", "opus", "vorbis": "audio/ogg"
        default: "audio/mpeg"
        }
    }
}

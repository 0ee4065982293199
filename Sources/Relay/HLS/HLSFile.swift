internal import HTTPServer
internal import HTTPWire
internal import StreamFormats

/// What may be asked for under `/hls/MOUNT/`.
enum HLSFile: Sendable, Hashable {
    /// The playlist of what suits the format best: fragments for AAC, packed frames for MPEG audio.
    case live
    /// The playlist of packed frames, for players that know no fragments.
    case packed
    case initialisation(generation: Int64)
    case segment(sequence: Int64, HLSWindow.Packing)

    init?(_ name: String) {
        switch name {
        case "live.m3u8": self = .live
        case "packed.m3u8": self = .packed
        default:
            guard let dot = name.lastIndex(of: ".") else { return nil }
            let (stem, ending) = (String(name[..<dot]), String(name[name.index(after: dot)...]))
            if stem.hasPrefix("init-"), ending == "mp4", let number = Digits.parse(String(stem.dropFirst(5)))
            {
                self = .initialisation(generation: number)
            } else if let number = Digits.parse(stem), ["m4s", "mp1", "mp2", "mp3", "aac"].contains(ending) {
                self = .segment(sequence: number, ending == "m4s" ? .fragments : .packed)
            } else {
                return nil
            }
        }
    }

    var isPlaylist: Bool { self == .live || self == .packed }

    /// A segment never changes under its name, so anybody may keep it; the playlist is new with every segment.
    private static let forever = "public, max-age=86400, immutable"
    private static let moment = "public, max-age=1"

    func response(from window: HLSWindow) -> HTTPResponse {
        switch self {
        case .live, .packed: playlist(window)
        case .initialisation(let generation):
            Self.found(
                window.segments.first { $0.generation == generation }.flatMap(FragmentedMP4.initialisation),
                type: "audio/mp4")
        case .segment(let sequence, .fragments):
            Self.found(window[sequence].flatMap(FragmentedMP4.fragment), type: "audio/mp4")
        case .segment(let sequence, .packed):
            Self.found(
                window[sequence].map { HLSTag.bytes(for: $0, packed: true) + $0.frames.bytes },
                type: window[sequence]?.format.mediaType ?? "")
        }
    }

    private func playlist(_ window: HLSWindow) -> HTTPResponse {
        guard let format = window.segments.last?.format, format.codec.isSelfFraming else {
            return Self.notOffered
        }
        let isAAC = [.aac, .heAAC, .heAACv2].contains(format.codec)
        let text = window.playlist(self == .live && isAAC ? .fragments : .packed)
        return HTTPResponse(status: 200, type: "application/vnd.apple.mpegurl", body: Array(text.utf8))
            .adding("Cache-Control", Self.moment)
    }

    private static func found(_ bytes: [UInt8]?, type: String) -> HTTPResponse {
        guard let bytes else { return HTTPResponse.notFound.adding("Cache-Control", moment) }
        return HTTPResponse(status: 200, type: type, body: bytes).adding("Cache-Control", forever)
    }

    private static let notOffered = HTTPResponse.problem(
        404, code: "hls_codec", message: "This station's codec is not offered as HLS.",
        remedy: "Listen to the mount itself.")

    static let noAudio = HTTPResponse.problem(
        503, code: "no_audio", message: "There is no audio from this station at present."
    ).adding("Retry-After", "5")
}

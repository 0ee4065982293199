/// The audio track of an MP4 stream: how its samples are coded and what their defaults are.
struct MP4Track: Sendable {
    enum Coding: Sendable, Equatable {
        case aac(AudioSpecificConfig)
        case mpeg
        case opus
        case flac
    }

    let identifier: Int
    let coding: Coding
    /// Of Opus and FLAC; the others tell theirs frame by frame.
    let format: AudioFormat?
    /// Of `trex`.
    private(set) var defaultSize = 0

    /// The first audio track of `moov` that we read, and the name of one that we do not.
    static func choose(in moov: MP4Box) -> (track: MP4Track?, foreignName: String?) {
        var name: String?
        for trak in moov.children where trak.has("trak") {
            guard let handler = trak.find("mdia", "hdlr"),
                MP4Fields.number(handler.body, 8, 4) == soundHandler,
                let entry = trak.find("mdia", "minf", "stbl", "stsd").flatMap({
                    MP4Box.all(in: $0.body.dropFirst(8)).first
                })
            else { continue }
            let identifier = trak.child("tkhd").map(Self.identifier) ?? 0
            if let track = MP4Track(identifier, entry, moov) { return (track, nil) }
            name = name ?? foreignName(entry)
        }
        return (nil, name)
    }

    private init?(_ identifier: Int, _ entry: MP4Box, _ moov: MP4Box) {
        // Behind the entry's own 28 bytes stand its boxes.
        let boxes = MP4Box.all(in: entry.body.dropFirst(28))
        guard let (coding, format) = Self.coding(entry, boxes) else { return nil }
        self.identifier = identifier
        self.coding = coding
        self.format = format
        let extends = moov.child("mvex")?.children.first {
            $0.has("trex") && MP4Fields.number($0.body, 4, 4) == identifier
        }
        defaultSize = extends.map { MP4Fields.number($0.body, 16, 4) } ?? 0
    }

    private static let soundHandler = Int(MP4Box.code("soun"))

    private static func identifier(_ tkhd: MP4Box) -> Int {
        MP4Fields.number(tkhd.body, tkhd.body.first == 1 ? 20 : 12, 4)
    }

    private static func foreignName(_ entry: MP4Box) -> String {
        if entry.has("enca") { return "encrypted audio in MP4" }
        if entry.has("ac-3") || entry.has("ec-3") { return "AC-3 in MP4" }
        if entry.has("alac") { return "ALAC in MP4" }
        return "an unknown codec in MP4"
    }

    private static func coding(_ entry: MP4Box, _ boxes: [MP4Box]) -> (Coding, AudioFormat?)? {
        if entry.has("Opus"), let dops = boxes.first(where: { $0.has("dOps") }) { return opus(dops.body) }
        if entry.has("fLaC"), let dfla = boxes.first(where: { $0.has("dfLa") }) {
            return flac(dfla.body.dropFirst(4))
        }
        if entry.has(".mp3") { return (.mpeg, nil) }
        guard entry.has("mp4a"), let esds = boxes.first(where: { $0.has("esds") }) else { return nil }
        return MP4Descriptors.coding(esds.body.dropFirst(4)).map { ($0, nil) }
    }

    /// `dOps` is the identification header of Ogg with its numbers the other way round (RFC 7845 §5.1).
    private static func opus(_ body: ArraySlice<UInt8>) -> (Coding, AudioFormat?)? {
        let bytes = Array(body)
        guard bytes.count >= 11, bytes[1] > 0 else { return nil }
        let numbers = [bytes[3], bytes[2], bytes[7], bytes[6], bytes[5], bytes[4], bytes[9], bytes[8]]
        let head = "OpusHead".utf8 + [1, bytes[1]] + numbers + bytes[10...]
        let tags = "OpusTags".utf8 + VorbisComments().bytes()
        return (
            .opus,
            AudioFormat(
                codec: .opus, container: .ogg, sampleRate: OpusPacket.sampleRate, channels: Int(bytes[1]),
                setup: [Array(head), Array(tags)])
        )
    }

    private static func flac(_ blocks: ArraySlice<UInt8>) -> (Coding, AudioFormat?)? {
        guard let info = FLACStreamInfo(blocks.dropFirst(4)) else { return nil }
        return (
            .flac,
            AudioFormat(
                codec: .flac, container: .nativeFLAC, sampleRate: info.sampleRate, channels: info.channels,
                setup: [Array("fLaC".utf8) + blocks])
        )
    }
}

/// The descriptors of `esds` (ISO 14496-1 §7.2.6), down to the decoder's configuration.
enum MP4Descriptors {
    /// Nil where the object type is none that we read.
    static func coding(_ bytes: ArraySlice<UInt8>) -> MP4Track.Coding? {
        guard let stream = body(of: 3, in: bytes), stream.count >= 3 else { return nil }
        let flags = stream[stream.startIndex + 2]
        var rest = stream.dropFirst(3 + (flags & 0x80 != 0 ? 2 : 0))
        if flags & 0x40 != 0 { rest = rest.dropFirst(1 + Int(rest.first ?? 0)) }
        if flags & 0x20 != 0 { rest = rest.dropFirst(2) }
        guard let decoder = body(of: 4, in: rest), let type = decoder.first else { return nil }
        switch type {
        case 0x69, 0x6B: return .mpeg
        case 0x40, 0x66, 0x67, 0x68:
            guard let specific = body(of: 5, in: decoder.dropFirst(13)),
                let config = AudioSpecificConfig(specific),
                1...4 ~= config.objectType, AudioSpecificConfig.rateIndex(of: config.sampleRate) != nil
            else { return nil }
            return .aac(config)
        default: return nil
        }
    }

    /// Its length comes in up to four bytes of seven bits.
    private static func body(of tag: UInt8, in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard bytes.first == tag else { return nil }
        var rest = bytes.dropFirst()
        var length = 0
        for _ in 0..<4 {
            guard let byte = rest.popFirst() else { return nil }
            length = length << 7 | Int(byte & 0x7F)
            if byte & 0x80 == 0 { return rest.prefix(length) }
        }
        return nil
    }
}

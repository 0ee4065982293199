internal import HTTPWire
internal import Platform
internal import StreamFormats

/// The segments that may be asked for, and the playlist that names the newest of them. Pure.
struct HLSWindow {
    /// How segments are packed.
    enum Packing: String, Sendable, Hashable {
        /// Frames with an ID3 tag before them: MPEG audio, ADTS. RFC 8216 §3.4.
        case packed
        /// Fragments of MP4: what browsers play by themselves. RFC 8216 §3.3.
        case fragments

        func fileExtension(of format: AudioFormat) -> String {
            self == .fragments ? "m4s" : format.fileExtension
        }
    }

    /// Segments that the playlist names.
    private static let named = 6
    /// Segments that are kept for those who hold an older playlist.
    private static let kept = 10

    let target: Double
    private(set) var segments: [HLSSegment] = []
    /// Discontinuities among the segments that have gone.
    private var goneDiscontinuities = 0

    init(target: Double) { self.target = target }

    mutating func append(_ segment: HLSSegment) {
        segments.append(segment)
        if segments.count > Self.kept { segments.removeFirst() }
        let left = segments.count - Self.named - 1
        // Counted when it leaves the playlist, not when it leaves memory.
        if left >= 0, segments[left].isDiscontinuity { goneDiscontinuities += 1 }
    }

    subscript(sequence: Int64) -> HLSSegment? { segments.first { $0.sequence == sequence } }

    var isEmpty: Bool { segments.isEmpty }

    func playlist(_ packing: Packing) -> String {
        let shown = segments.suffix(Self.named)
        var text = "#EXTM3U\n#EXT-X-VERSION:\(packing == .fragments ? 7 : 3)\n"
        text += "#EXT-X-TARGETDURATION:\(Int(bounded: target.rounded(.up)))\n"
        text += "#EXT-X-MEDIA-SEQUENCE:\(shown.first?.sequence ?? 0)\n"
        if goneDiscontinuities > 0 { text += "#EXT-X-DISCONTINUITY-SEQUENCE:\(goneDiscontinuities)\n" }
        var generation: Int64?
        for segment in shown {
            if segment.isDiscontinuity { text += "#EXT-X-DISCONTINUITY\n" }
            if packing == .fragments, segment.generation != generation {
                generation = segment.generation
                text += "#EXT-X-MAP:URI=\"init-\(segment.generation).mp4\"\n"
            }
            text += "#EXT-X-PROGRAM-DATE-TIME:\(Self.date(segment.wall))\n"
            text +=
                "#EXTINF:\(Self.decimal(segment.seconds)),\(TitleCleaner.cleaned(segment.title?.text ?? ""))\n"
            text += "\(segment.sequence).\(packing.fileExtension(of: segment.format))\n"
        }
        return text
    }

    /// Three places, without the locale's comma.
    private static func decimal(_ seconds: Double) -> String {
        let thousandths = Int(bounded: (seconds * 1000).rounded())
        return "\(thousandths / 1000).\(padded(thousandths % 1000, to: 3))"
    }

    /// `2026-11-30T01:38:15.250Z`
    private static func date(_ time: WallTime) -> String {
        let thousandths = Int(bounded: (time.secondsSince1970 * 1000).rounded(.down))
        let whole = IcecastDates.iso8601(WallTime(secondsSince1970: Double(thousandths / 1000)))
        return whole.replacing("+0000", with: ".\(padded(thousandths % 1000, to: 3))Z")
    }

    private static func padded(_ number: Int, to width: Int) -> String {
        String(repeating: "0", count: max(0, width - "\(number)".count)) + "\(number)"
    }
}

import StreamFormats

/// Makes one stream of frames out of segments: one reader for as long as nothing breaks, a new one where something does.
/// Pure.
struct HLSAssembly: Sendable {
    /// A segment that holds less than this part of its announced sound was no segment.
    private static let least = 0.1

    private var reader: ElementaryReader?
    private var map: HLSMedia.Map?
    private var rate = 44_100.0
    /// Titles inside the segments are the better ones; those of the playlist are then left alone.
    private var hasTimedTitles = false
    private var frames: Int64 = 0

    var verdict: StreamVerdict { reader?.verdict ?? .undecided }

    /// - Parameters:
    ///   - initial: the initialization section that holds for the segment.
    /// - Returns: what the segment brings, and whether that is sound at all.
    mutating func push(
        _ bytes: [UInt8], initial: [UInt8]?, of segment: HLSMedia.Segment
    ) -> (elements: [StreamElement], isAudio: Bool) {
        var found: [StreamElement] = []
        guard BodySniffer.judge(bytes, isEnd: true) == .stream else { return ([], false) }
        if segment.isDiscontinuity || map != segment.map {
            reader?.finish(into: &found)
            reader = nil
        }
        var reader = reader.take() ?? Self.reader(for: segment, initial: initial, into: &found)
        map = segment.map
        if let title = segment.title, !hasTimedTitles {
            reader.push(title: RawTitle(source: .extinf, text: title), into: &found)
        }
        reader.push(bytes.span, into: &found)
        self.reader = reader
        let seconds = note(found)
        return (found, seconds >= segment.duration.inSeconds * Self.least)
    }

    /// The playlist has ended.
    mutating func finish() -> [StreamElement] {
        var found: [StreamElement] = []
        reader?.finish(into: &found)
        reader = nil
        return found
    }

    private static func reader(
        for segment: HLSMedia.Segment, initial: [UInt8]?, into found: inout [StreamElement]
    ) -> ElementaryReader {
        let path = segment.url.prefix { $0 != "?" && $0 != "#" }
        let name = path.split(separator: "/").last ?? ""
        let kind = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() }
        var reader = ElementaryReader(hint: ContentHint(pathExtension: kind))
        if let initial { reader.push(initial.span, into: &found) }
        return reader
    }

    /// - Returns: seconds of sound among the elements.
    private mutating func note(_ elements: [StreamElement]) -> Double {
        var seconds = 0.0
        for element in elements {
            switch element {
            case .format(let format): rate = Double(max(format.sampleRate, 1))
            case .frames(let run): seconds += Double(run.samples) / rate
            case .title(let title): if title.source == .id3 { hasTimedTitles = true }
            case .junk: break
            }
        }
        return seconds
    }
}

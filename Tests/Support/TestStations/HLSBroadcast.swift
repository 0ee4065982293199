import Platform

/// A live HLS programme of numbered frames: what its playlist and its segments are at this moment.
package struct HLSBroadcast: Sendable {
    package var source: NumberedFrames
    /// Frames in a segment.
    package var unitsPerSegment: Int
    /// Segments in the playlist.
    package var window: Int
    /// The number of the first segment.
    package var firstSequence: Int
    /// From unit `at` on, this title is told by ID3 at the start of each segment.
    package var titles: [(at: Int, artist: String, title: String)] = []
    /// Lines put before each segment's `EXTINF`.
    package var tags: @Sendable (_ sequence: Int) -> [String] = { _ in [] }
    private let started: MonotonicTime
    private let time = SystemTime()

    /// Segments of about a second.
    package init(_ source: NumberedFrames = NumberedFrames(.adts), window: Int = 6, firstSequence: Int = 100)
    {
        self.source = source
        self.window = window
        self.firstSequence = firstSequence
        unitsPerSegment = Int(1 / source.secondsPerUnit)
        started = time.now
    }

    package var segmentSeconds: Double { Double(unitsPerSegment) * source.secondsPerUnit }

    /// Segments that are complete by now; a window full of them was when it started.
    package var lastSequence: Int {
        firstSequence + window - 1 + Int(time.now.seconds(since: started) / segmentSeconds)
    }

    /// The media playlist.
    package func playlist(name: (Int) -> String = { "s\($0).aac" }) -> [UInt8] {
        let last = lastSequence
        let first = max(firstSequence, last - window + 1)
        var text = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
        for sequence in first...last {
            for tag in tags(sequence) { text += tag + "\n" }
            text += "#EXTINF:\(segmentSeconds),\n\(name(sequence))\n"
        }
        return Array(text.utf8)
    }

    /// The first unit of a segment.
    package func firstUnit(of sequence: Int) -> Int { (sequence - firstSequence) * unitsPerSegment }

    /// A segment: its ID3 tags and its frames.
    package func segment(_ sequence: Int) -> [UInt8] {
        let first = firstUnit(of: sequence)
        var bytes: [UInt8] = []
        if let title = titles.last(where: { $0.at <= first }) {
            bytes += Self.id3([("TPE1", title.artist), ("TIT2", title.title)])
        }
        return bytes + source.units(first..<(first + unitsPerSegment))
    }

    /// The number in `…s123.aac?x`.
    package static func sequence(in target: String) -> Int? {
        let name = target.prefix { $0 != "?" }.split(separator: "/").last ?? ""
        guard name.hasPrefix("s") else { return nil }
        return Int(name.dropFirst().prefix { $0.isNumber })
    }

    /// One ID3v2.4 tag with UTF-8 text frames.
    package static func id3(_ texts: [(String, String)]) -> [UInt8] {
        var frames: [UInt8] = []
        for (name, text) in texts {
            let body = [3] + Array(text.utf8)
            frames += Array(name.utf8) + syncSafe(body.count) + [0, 0] + body
        }
        return Array("ID3".utf8) + [4, 0, 0] + syncSafe(frames.count) + frames
    }

    private static func syncSafe(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (21 - 7 * $0)) & 0x7F }
    }
}

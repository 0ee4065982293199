/// Which variant to take.
extension HLSMaster {
    /// One way to hear the station.
    package struct Choice: Sendable, Hashable {
        /// A media playlist.
        package var url: String
        /// bit/s of the whole variant; 0 when not told.
        package var bandwidth: Int
        package var codecs: [String]
        /// The list carries video too; its audio has to be taken out.
        package var hasVideo: Bool
    }

    /// All ways, the best first: audio alone before audio with video, what we can decode before what we cannot, then the
    /// highest bandwidth; equal ones in the order of the list, each address once. The others are what to fall back on.
    package var choices: [Choice] {
        let ranked = variants.map(choice).enumerated().sorted { Self.rank($0) < Self.rank($1) }.map(\.element)
        var seen: Set<String> = []
        return ranked.filter { seen.insert($0.url).inserted }
    }

    private static func rank(_ item: (offset: Int, element: Choice)) -> (Int, Int, Int, Int) {
        let choice = item.element
        let isForeign = !choice.codecs.isEmpty && !choice.codecs.contains(where: isDecodable)
        return (choice.hasVideo ? 1 : 0, isForeign ? 1 : 0, -choice.bandwidth, item.offset)
    }

    /// The list of the audio alone where the variant names a group that has one.
    private func choice(_ variant: Variant) -> Choice {
        let renditions = audio.filter { $0.group == variant.audioGroup && $0.url != nil }
        let rendition =
            renditions.first(where: \.isDefault) ?? renditions.first(where: \.isAutoselect)
            ?? renditions.first
        return Choice(
            url: rendition?.url ?? variant.url, bandwidth: variant.bandwidth, codecs: variant.codecs,
            hasVideo: variant.hasVideo && rendition == nil)
    }

    private static func isDecodable(_ codec: String) -> Bool {
        ["mp4a", "mp3", "flac", "opus"].contains { codec.lowercased().hasPrefix($0) }
    }
}

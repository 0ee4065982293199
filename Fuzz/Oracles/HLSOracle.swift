import StreamFormats

/// Addresses are web addresses or gaps, numbers go up by one, and nothing is longer than it may be.
func judgeHLS(_ input: inout FuzzInput) throws(Fault) {
    switch HLSPlaylist.parse(input.bytes, url: "https://h.example/live/list.m3u8") {
    case .media(let media): try judge(media)
    case .master(let master):
        try hold(master.variants.count <= HLSPlaylist.mostVariants, "\(master.variants.count) variants")
        for choice in master.choices { try holdIsWebAddress(choice.url) }
    case nil: break
    }
}

private func judge(_ media: HLSMedia) throws(Fault) {
    try hold(media.segments.count <= HLSPlaylist.mostSegments, "\(media.segments.count) segments")
    for (index, segment) in media.segments.enumerated() {
        try hold(
            segment.duration >= .zero && segment.duration <= .seconds(86_401), "duration \(segment.duration)")
        try hold(segment.sequence == media.segments[0].sequence + index, "numbers do not go up by one")
        try hold(segment.isGap || !segment.url.isEmpty, "no address, and no gap either")
        for url in [segment.url, segment.map?.url, segment.key?.url].compactMap(\.self) where !url.isEmpty {
            try holdIsWebAddress(url)
        }
        try hold(segment.key?.iv.map { $0.count == 16 } ?? true, "an initialization vector of another length")
        try hold((segment.range?.length ?? 1) > 0 && (segment.range?.offset ?? 0) >= 0, "a range of nothing")
    }
}

import StreamFormats

/// However a stream is cut, the same elements come out; frames are whole and counted right, and nothing is made up.
func judgeStream(_ input: inout FuzzInput) throws(Fault) {
    let pieces = input.pieces()
    try judge(input.bytes, pieces)
}

/// The same for Ogg, whose checksums no fuzzer guesses: they are set right first. What was read is also put on pages of
/// ours, and must read back.
func judgeOgg(_ input: inout FuzzInput) throws(Fault) {
    let sizes = input.pieces().map(\.count)
    let stream = withRightChecksums(input.bytes)
    var pieces: [[UInt8]] = []
    var start = 0
    for size in sizes {
        pieces.append(Array(stream[start..<start + size]))
        start += size
    }
    let whole = try judge(stream, pieces)
    let formats = whole.formats
    guard formats.count == 1, formats[0].container == .ogg else { return }
    var pager = OggPager(serial: 1, format: formats[0])
    var pages = pager.headers()
    for (packet, samples) in whole.packets { pages += pager.append(packet[...], samples: samples) }
    pages += pager.end()
    let again = ReadStream([pages])
    try hold(
        again.audio == whole.audio && again.formats == formats && again.junk == 0,
        "our pages read back differently")
}

/// A tag never holds more than the bytes it was read from, and comments read back as they are written.
func judgeID3(_ input: inout FuzzInput) throws(Fault) {
    let bytes = input.bytes
    if let tag = ID3Tag(bytes[...]) {
        let pictures = tag.pictures.reduce(0) { $0 + $1.data.count }
        try hold(pictures <= bytes.count, "pictures of \(pictures) bytes")
        if let title = tag.rawTitle(block: bytes[...]) {
            // Latin-1 and UTF-16 grow on the way to UTF-8, at most threefold; texts are joined by two bytes.
            try hold(title.text.count <= 3 * bytes.count && title.source == .id3, "a title made up")
        }
    }
    let comments = VorbisComments(bytes[...])
    try hold(VorbisComments(comments.bytes()[...]) == comments, "comments read back differently")
}

@discardableResult
private func judge(_ stream: [UInt8], _ pieces: [[UInt8]]) throws(Fault) -> ReadStream {
    let whole = ReadStream([stream])
    try hold(ReadStream(pieces) == whole, "cut into pieces it reads differently")
    try hold(!whole.hasFramesBeforeFormat, "frames without a format")
    try hold(whole.areRunsWhole, "a run whose frames do not add up")
    let isRepacked = whole.formats.contains { $0.container == .elementary && $0.codec != .mp3 }
    // Out of MP4, AAC gets headers of seven bytes, and a sample has at least one.
    try hold(
        whole.audio.count + whole.junk <= stream.count * (isRepacked ? 8 : 1), "more came out than went in")
    return whole
}

/// Writes the checksum that each page should have.
private func withRightChecksums(_ bytes: [UInt8]) -> [UInt8] {
    var stream = bytes
    var start = 0
    while start + 27 <= stream.count {
        guard stream[start..<start + 4].elementsEqual("OggS".utf8) else {
            start += 1
            continue
        }
        let lacing = stream[(start + 27)...].prefix(Int(stream[start + 26]))
        let end = start + 27 + lacing.count + lacing.reduce(0) { $0 + Int($1) }
        guard end <= stream.count else { return stream }
        for place in 22..<26 { stream[start + place] = 0 }
        var sum: UInt32 = 0
        for byte in stream[start..<end] {
            sum ^= UInt32(byte) << 24
            for _ in 0..<8 { sum = sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
        }
        for place in 0..<4 {
            stream[start + 22 + place] = UInt8(truncatingIfNeeded: sum >> (8 * UInt32(place)))
        }
        start = end
    }
    return stream
}

/// What came out of a reader, put together again: neighbouring runs are one, and so is neighbouring junk.
private struct ReadStream: Equatable {
    private var elements: [StreamElement] = []
    private var verdict: StreamVerdict

    init(_ pieces: [[UInt8]]) {
        var reader = ElementaryReader()
        var found: [StreamElement] = []
        for piece in pieces { reader.push(piece.span, into: &found) }
        reader.finish(into: &found)
        verdict = reader.verdict
        for element in found { append(element) }
    }

    var formats: [AudioFormat] {
        elements.compactMap { if case .format(let format) = $0 { format } else { nil } }
    }
    var junk: Int { elements.reduce(0) { if case .junk(let count) = $1 { $0 + count } else { $0 } } }
    var audio: [UInt8] { runs.flatMap(\.bytes) }

    var packets: [(bytes: [UInt8], samples: Int)] {
        runs.flatMap { run in
            var place = 0
            return run.frames.map { frame in
                defer { place += Int(frame.length) }
                return (Array(run.bytes[place..<place + Int(frame.length)]), Int(frame.samples))
            }
        }
    }

    var hasFramesBeforeFormat: Bool {
        for element in elements {
            if case .format = element { return false }
            if case .frames = element { return true }
        }
        return false
    }

    var areRunsWhole: Bool {
        runs.allSatisfy { run in
            run.frames.reduce(0) { $0 + Int($1.length) } == run.bytes.count
                && run.frames.allSatisfy { $0.length > 0 && $0.samples >= 0 }
        }
    }

    private var runs: [FrameRun] {
        elements.compactMap { if case .frames(let run) = $0 { run } else { nil } }
    }

    private mutating func append(_ element: StreamElement) {
        switch (elements.last, element) {
        case (.frames(var run), .frames(let more)):
            run.bytes += more.bytes
            run.frames += more.frames
            elements[elements.count - 1] = .frames(run)
        case (.junk(let count), .junk(let more)):
            elements[elements.count - 1] = .junk(byteCount: count + more)
        default:
            elements.append(element)
        }
    }
}

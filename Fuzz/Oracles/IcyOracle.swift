import StreamFormats

/// However the stream is cut, the same audio and the same titles come out, and no byte is lost or made up.
func judgeIcy(_ input: inout FuzzInput) throws(Fault) {
    let interval = input.choice(64)
    let pieces = input.pieces()
    let whole = Demuxed([input.bytes], interval: interval)
    for title in whole.titles {
        try hold(title.text.count <= 4080 && title.block.count <= 4080, "a title longer than its block")
    }
    guard interval > 0 else { return }
    try hold(Demuxed(pieces, interval: interval) == whole, "cut into pieces it reads differently")
    try hold(whole.audio == audio(in: input.bytes, interval: interval), "audio lost or made up")
}

/// What came out of a demuxer, put together again.
private struct Demuxed: Equatable {
    var audio: [UInt8] = []
    var titles: [RawTitle] = []
    var places: [Int] = []

    init(_ pieces: [[UInt8]], interval: Int) {
        var demuxer = IcyDemuxer(interval: interval)
        var found: [IcyPiece] = []
        for bytes in pieces {
            found.removeAll(keepingCapacity: true)
            demuxer.push(bytes.span, into: &found)
            for piece in found {
                switch piece {
                case .audio(let range): audio += bytes[range]
                case .title(let title):
                    titles.append(title)
                    places.append(audio.count)
                case .drift: places.append(-1)
                }
            }
        }
    }
}

/// The audio by the definition of the format, written the slow way.
private func audio(in stream: [UInt8], interval: Int) -> [UInt8] {
    var audio: [UInt8] = []
    var rest = stream[...]
    while !rest.isEmpty {
        audio += rest.prefix(interval)
        rest = rest.dropFirst(interval)
        guard let length = rest.popFirst() else { break }
        rest = rest.dropFirst(Int(length) * 16)
    }
    return audio
}

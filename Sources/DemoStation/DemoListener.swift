internal import StreamFormats

/// What one listener has been sent and is to be sent next. Everybody starts on a title boundary, which is a frame's too.
struct DemoListener {
    /// The next audio byte to be sent.
    private(set) var position: Int64
    private let wantsTitles: Bool
    private var toldPiece: Int?

    /// Bytes of audio a listener gets at once: 8.6 s, the first multiple of the title interval above 64 KiB.
    static let burst: Int64 = 9 * DemoProgramme.metaInterval

    /// Joins a programme that has got as far as `live`.
    init(joiningAt live: Int64, wantsTitles: Bool) {
        let start = max(0, live - Self.burst)
        position = start - start % DemoProgramme.metaInterval
        self.wantsTitles = wantsTitles
    }

    /// The bytes up to `live`, titles included.
    mutating func take(upTo live: Int64) -> [UInt8] {
        var output: [UInt8] = []
        while position < live {
            let boundary = position + DemoProgramme.metaInterval - position % DemoProgramme.metaInterval
            let end = min(live, boundary)
            DemoProgramme.append(from: position, to: end, onto: &output)
            position = end
            if wantsTitles && end == boundary { output += block() }
        }
        return output
    }

    /// The block at `position`: the title of the frame that follows, if it is new.
    private mutating func block() -> [UInt8] {
        let piece = DemoProgramme.piece(at: position)
        guard piece != toldPiece else { return IcyBlockWriter.unchanged }
        toldPiece = piece
        return IcyBlockWriter.block(title: DemoProgramme.titles[piece])
    }
}

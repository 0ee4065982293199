internal import CDemoAudio

/// What the demo station plays: three pieces, one after another, for ever. Positions count audio bytes since the first
/// frame of the first round.
struct DemoProgramme: Sendable {
    /// Bytes and nanoseconds of every frame.
    static let frameBytes: Int64 = 192
    static let frameNanoseconds: Int64 = 24_000_000
    /// Audio bytes between two title blocks: 40 frames. Each piece is 17 times as long, so a title block falls on the first
    /// frame of every piece, and a title is never late.
    static let metaInterval: Int64 = 40 * frameBytes
    static let pieceBytes: Int64 = 680 * frameBytes
    static let kilobitsPerSecond = 64

    /// As they are announced; the order is that of the audio.
    static let titles = [
        "Aircheck Ensemble - Morning Light",
        "Die Röhrenfreunde - Don't Touch That Dial",
        "The Carrier Waves - Night Drive",
    ]

    /// One round of the programme. The bytes are constant data of the binary, so they may be shared by every thread.
    nonisolated(unsafe) private static let loop = UnsafeBufferPointer(
        start: aircheck_demo_audio(), count: aircheck_demo_audio_length())

    static var loopBytes: Int64 { Int64(loop.count) }

    /// The number of the piece that this place belongs to.
    static func piece(at position: Int64) -> Int { Int(position % loopBytes / pieceBytes) }

    /// Appends the audio from one place to a later one.
    static func append(from start: Int64, to end: Int64, onto output: inout [UInt8]) {
        var position = start
        while position < end {
            let place = Int(position % loopBytes)
            let count = Int(min(end - position, loopBytes - Int64(place)))
            output.append(contentsOf: loop[place..<(place + count)])
            position += Int64(count)
        }
    }
}

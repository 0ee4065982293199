internal import CDemoAudio
internal import StreamFormats

/// What the demo station broadcasts: a few pieces of music, round and round, frame by frame.
struct DemoProgramme: Sendable {
    /// The titles, one for each piece, in the order of the audio (scripts/make-demo-audio).
    static let titles = [
        "The Test Tones - Plucked Morning", "Mono Lake - Slow Pads", "Kilohertz - Night Beat",
        "Señora Señal - Glöckchen über'm Äther",
    ]

    /// The whole round.
    let bytes: [UInt8]
    /// Where each frame begins in `bytes`, and one more: their end.
    private let starts: [Int]
    let secondsPerFrame: Double

    /// Reads the audio that is built in.
    init() {
        let audio = Array(
            UnsafeBufferPointer(start: aircheck_demo_audio(), count: aircheck_demo_audio_length()))
        var reader = ElementaryReader(hint: ContentHint(mediaType: "audio/mpeg"))
        var found: [StreamElement] = []
        reader.push(audio.span, into: &found)
        reader.finish(into: &found)
        var starts = [0]
        var rate = 44_100
        for element in found {
            switch element {
            case .format(let format): rate = format.sampleRate
            case .frames(let run):
                for frame in run.frames { starts.append(starts[starts.count - 1] + Int(frame.length)) }
            case .title, .junk: break
            }
        }
        bytes = audio
        self.starts = starts
        secondsPerFrame = 1152 / Double(rate)
    }

    /// Frames in a round.
    var frameCount: Int { starts.count - 1 }

    /// The bytes of some frames, counted from the station's first; the round repeats for ever.
    func frames(_ range: Range<Int>) -> [UInt8] {
        var found: [UInt8] = []
        var frame = range.lowerBound
        while frame < range.upperBound {
            let first = frame % frameCount
            let last = min(frameCount, first + range.upperBound - frame)
            found += bytes[starts[first]..<starts[last]]
            frame += last - first
        }
        return found
    }

    /// The number of the title that is valid at a frame.
    func piece(at frame: Int) -> Int { frame % frameCount * Self.titles.count / frameCount }

    /// The first frame after `frame` at which another title begins.
    func nextPiece(after frame: Int) -> Int {
        let perPiece = frameCount / Self.titles.count
        return (frame / perPiece + 1) * perPiece
    }

    /// Frames that hold at least so many bytes.
    func frames(holding count: Int) -> Int { (count * frameCount + bytes.count - 1) / bytes.count + 1 }
}

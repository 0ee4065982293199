internal import MediaHelper
internal import Platform
internal import StreamFormats

/// One recording on its way to the helper, from one place on. A seek makes a new one.
struct TunedRecording {
    let id: UInt32
    let recording: PlayedRecording
    private let tape: RecordingTape
    /// Nanoseconds of the recording: where it began, what is heard, what the helper has.
    let start: Int64
    private(set) var heard: Int64
    private var sent: Int64
    private var waiting: ArraySlice<RecordedSound> = []
    private var format: AudioFormat?
    private var isFinished = false
    var isHeld: Bool
    var speed: Double

    /// Nanoseconds that the helper holds beyond what is heard: what a busy machine may cost, times the greatest speed.
    private static let ahead: Int64 = 4_000_000_000
    /// Bytes sent at once.
    private static let pieceBytes = 16 << 10

    init(
        id: UInt32, recording: PlayedRecording, tape: RecordingTape, from seconds: Double, isHeld: Bool,
        speed: Double
    ) {
        self.id = id
        self.recording = recording
        self.tape = tape
        start = Nanoseconds.of(seconds)
        heard = start
        sent = start
        self.isHeld = isHeld
        self.speed = speed
    }

    func close() { tape.close() }

    /// The helper says what leaves the speaker.
    mutating func heard(at position: Int64) { heard = max(position, start) }

    var seconds: Double { Double(heard) / 1e9 }

    enum Outcome: Hashable {
        case going
        /// There is nothing behind the place where it was to begin.
        case empty
        case trouble(String)
    }

    /// Gives the helper what it lacks.
    mutating func pump(_ send: (HelperCommand) -> Void) -> Outcome {
        while sent - heard < Self.ahead {
            if let sound = waiting.popFirst() {
                self.send(sound, send)
                continue
            }
            switch tape.next() {
            case .sound(let sound): waiting = Self.cut(sound)[...]
            case .notYet: return .going
            case .trouble(let reason): return .trouble(reason)
            case .end:
                if !isFinished { send(.finish(id: id)) }
                isFinished = true
                return format == nil ? .empty : .going
            }
        }
        return .going
    }

    private mutating func send(_ sound: RecordedSound, _ send: (HelperCommand) -> Void) {
        if sound.format != format {
            let isFirst = format == nil
            format = sound.format
            send(.stream(id: id, format: sound.format, gain: recording.gain, isStored: true))
            if isFirst {
                if speed != 1 { send(.speed(id: id, speed)) }
                if isHeld { send(.hold(id: id, true)) }
            }
        }
        let position = Nanoseconds.of(sound.seconds)
        send(.frames(id: id, position: position, run: sound.run))
        sent = position &+ Nanoseconds.of(Self.length(sound))
    }

    private static func length(_ sound: RecordedSound) -> Double {
        Double(sound.run.samples) / Double(max(sound.format.sampleRate, 1))
    }

    /// In pieces of a second or so, as a run may be a quarter of a minute.
    private static func cut(_ sound: RecordedSound) -> [RecordedSound] {
        var seconds = sound.seconds
        return sound.run.pieces(limit: pieceBytes).map { run in
            let piece = RecordedSound(format: sound.format, run: run, seconds: seconds)
            seconds += length(piece)
            return piece
        }
    }
}

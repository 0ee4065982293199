package import Platform
package import StreamFormats

/// A recording as the player knows it. It has what live has not: a length, chapters, a position.
package struct PlayedRecording: Sendable, Hashable {
    /// A title and the second at which it begins.
    package struct Chapter: Sendable, Hashable {
        package var seconds: Double
        package var text: TitleText

        package init(seconds: Double, text: TitleText) {
            self.seconds = seconds
            self.text = text
        }
    }

    package var id: String
    /// As lists show it.
    package var title: String
    package var show: String?
    package var stationID: String
    package var stationName: String
    /// Nil where that is not known.
    package var started: WallTime?
    /// Seconds of audio, as many as there are now.
    package var length: Double
    /// It is being recorded: its end moves on.
    package var isGrowing: Bool
    /// In order.
    package var chapters: [Chapter]
    /// dB that bring it to the loudness of the others; 0 where that is not known or not wanted.
    package var gain: Double

    package init(
        id: String, title: String, show: String? = nil, stationID: String, stationName: String,
        started: WallTime? = nil, length: Double,
        isGrowing: Bool = false, chapters: [Chapter] = [], gain: Double = 0
    ) {
        self.id = id
        self.title = title
        self.show = show
        self.stationID = stationID
        self.stationName = stationName
        self.started = started
        self.length = length
        self.isGrowing = isGrowing
        self.chapters = chapters
        self.gain = gain
    }

    /// The chapter that is on at a place.
    package func chapter(at seconds: Double) -> Chapter? { chapters.last { $0.seconds <= seconds } }
}

/// A run of frames of a recording.
package struct RecordedSound: Sendable {
    package var format: AudioFormat
    package var run: FrameRun
    /// Where in the recording it begins.
    package var seconds: Double

    package init(format: AudioFormat, run: FrameRun, seconds: Double) {
        self.format = format
        self.run = run
        self.seconds = seconds
    }
}

/// Why a recording cannot be played, for people.
package struct RecordingTrouble: Error, Sendable, Hashable {
    package var reason: String
    package init(_ reason: String) { self.reason = reason }
}

/// Where the player gets recordings from.
package protocol RecordingSource: Sendable {
    /// The recording as it is now; nil where there is none of that id. Quick enough for the player's thread.
    func recording(_ id: String) -> PlayedRecording?
    /// Reads it from a place on, in order; one that is being recorded is followed to its end. Blocks, on a thread of the
    /// caller's.
    /// - Parameters:
    ///   - isWanted: false once nobody wants more.
    ///   - visit: takes its time: it returns when there is room for more.
    func read(
        _ id: String, from seconds: Double, isWanted: @escaping () -> Bool, visit: (RecordedSound) -> Void
    ) throws(RecordingTrouble)
}

/// Where the player stands in a recording.
package struct RecordingProgress: Sendable, Hashable {
    package var id: String
    /// What leaves the speaker, seconds of the recording.
    package var position: Double
    package var length: Double
    package var speed: Double
    /// It moves; else it is paused, stopped or at its end.
    package var isMoving: Bool
    /// It has been heard to its end.
    package var hasEnded: Bool
}

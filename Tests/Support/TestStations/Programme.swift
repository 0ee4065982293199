/// What a scripted station has on air: numbered units, and titles that change at known ones.
///
/// The programme runs by itself from the moment the station starts, whoever listens.
package struct Programme: Sendable {
    /// From unit `at` on, this is the metadata block that the server sends: `StreamTitle='A - B';`.
    package struct Title: Sendable {
        package var at: Int
        package var block: [UInt8]

        package init(at unit: Int, block: [UInt8]) {
            at = unit
            self.block = block
        }

        /// The usual block around a title.
        package init(at unit: Int, _ text: String) {
            self.init(at: unit, block: Array("StreamTitle='\(text)';".utf8))
        }
    }

    package var source: any FrameSource
    package var titles: [Title]
    /// Seconds of programme in a second of real time. All times in a script are seconds of programme.
    package var speed: Double
    /// Seconds of programme that are already over when the station starts.
    package var past: Double

    package init(_ source: any FrameSource, titles: [Title] = [], speed: Double = 1, past: Double = 30) {
        self.source = source
        self.titles = titles
        self.speed = speed
        self.past = past
    }

    /// The number of the unit that is on air after so many real seconds.
    func liveUnit(afterSeconds seconds: Double) -> Int {
        Int((past + seconds * speed) / source.secondsPerUnit)
    }

    /// How many units last so many seconds of programme.
    func units(inSeconds seconds: Double) -> Int {
        seconds.isFinite ? Int((seconds / source.secondsPerUnit).rounded()) : Int.max / 2
    }

    /// The block valid at a unit.
    func block(at unit: Int) -> [UInt8]? { titles.last { $0.at <= unit }?.block }
}

/// Why a schedule cannot be kept. The text says what to write instead; it never repeats what a caller sent.
package enum ScheduleMistake: Error, Sendable, Hashable, CustomStringConvertible {
    /// No such time zone here.
    case zone(String)
    /// The rule cannot be read, or asks for more than is allowed.
    case rule(String)
    /// The rule is fine and never comes true.
    case never
    /// libical is not installed.
    case noEngine
    /// Start, length or padding.
    case time(String)
    case file(String)

    package var description: String {
        switch self {
        case .zone:
            "there is no such time zone here; write one of the database, such as Europe/Berlin (and see that tzdata is installed)"
        case .rule(let why): "the rule cannot be used: \(why)"
        case .never: "the rule has no time that is still to come"
        case .noEngine: "repeating schedules need libical.so.3; install libical3"
        case .time(let why): why
        case .file(let why): why
        }
    }
}

/// How a command ends; the numbers are those of sysexits(3), so that scripts can tell the reasons apart.
package enum ExitCode: Int32, Sendable {
    case ok = 0
    /// The command line is wrong.
    case usage = 64
    /// Input was read and makes no sense.
    case badData = 65
    /// There is no such station, file or recording.
    case noInput = 66
    /// A server or a station does not answer.
    case unavailable = 69
    /// A fault of ours.
    case software = 70
    /// A file cannot be created.
    case cannotCreate = 73
    /// Reading or writing failed.
    case inputOutput = 74
    case tryAgain = 75
    case notAllowed = 77
    case configuration = 78
}

/// Why a command did not do what it was asked: what, where, and what to do about it.
package struct CommandFailure: Error, Sendable, CustomStringConvertible {
    package var code: ExitCode
    package var message: String
    /// What the user can do, as a sentence.
    package var remedy: String?

    package init(_ code: ExitCode, _ message: String, remedy: String? = nil) {
        self.code = code
        self.message = message
        self.remedy = remedy
    }

    package var description: String { remedy.map { "\(message)\n  \($0)" } ?? message }
}

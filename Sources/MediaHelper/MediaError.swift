/// Why the helper could not do what was asked.
package enum MediaError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The second executable is not installed.
    case missing(searched: [String])
    case cannotStart(String)
    /// It died; the input may have killed it.
    case died
    case timedOut(seconds: Double)
    /// Whoever asked does not want the answer any more.
    case unwanted
    /// The input could not be decoded, the output not be written, and so on.
    case refused(String)

    package var description: String {
        switch self {
        case .missing(let searched):
            "aircheck-media is not installed (searched \(searched.joined(separator: ", "))): "
                + "put it beside aircheck or set AIRCHECK_MEDIA to its path"
        case .cannotStart(let reason): "cannot start aircheck-media: \(reason)"
        case .died: "aircheck-media died at this input"
        case .timedOut(let seconds): "aircheck-media did not answer within \(Int(seconds)) s and was stopped"
        case .unwanted: "aircheck-media was stopped: nobody wants the answer any more"
        case .refused(let reason): "aircheck-media: \(reason)"
        }
    }
}

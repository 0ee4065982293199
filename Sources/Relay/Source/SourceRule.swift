package import HTTPWire

/// Whether a source client may have a mount. Nobody is thrown off a mount by somebody who merely knows a password.
package enum SourceRule {
    /// Seconds of silence after which a source has lost its mount to the next one with the same credentials.
    package static let silence = 5.0

    /// Who has the mount now.
    package struct Holder: Sendable, Hashable {
        package var credentials: Credentials?
        package var silentSeconds: Double

        package init(credentials: Credentials?, silentSeconds: Double) {
            self.credentials = credentials
            self.silentSeconds = silentSeconds
        }
    }

    package enum Verdict: Sendable, Hashable {
        case accept
        /// The one who has it is gone without a word: it goes, the new one comes.
        case replace
        case inUse
    }

    package static func verdict(on credentials: Credentials?, holder: Holder?) -> Verdict {
        guard let holder else { return .accept }
        let isSame = holder.credentials == credentials
        return isSame && holder.silentSeconds > silence ? .replace : .inUse
    }
}

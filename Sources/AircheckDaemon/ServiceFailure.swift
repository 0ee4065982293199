/// Why the service cannot start, and what to do about it.
package struct ServiceFailure: Error, Sendable, CustomStringConvertible {
    package enum Kind: Sendable, Hashable {
        /// A setting is wrong or unsafe.
        case configuration
        /// A port, a lock or a folder is in use or cannot be had.
        case unavailable
        /// A file or a folder cannot be made.
        case cannotCreate
    }

    package var kind: Kind
    package var message: String
    package var remedy: String?

    package init(_ kind: Kind, _ message: String, remedy: String? = nil) {
        self.kind = kind
        self.message = message
        self.remedy = remedy
    }

    package var description: String { remedy.map { "\(message)\n  \($0)" } ?? message }
}

internal import Platform

/// Sees to it that of two threads that write one sidecar the one with the newer facts has the last word.
final class SidecarTurn: Sendable {
    /// Held over a rename, which is short.
    private let newest = Lock(0)

    /// The place of some facts among all that have been written.
    struct Number: Sendable {
        fileprivate var turn: SidecarTurn?
        fileprivate var value: Int

        /// Of a sidecar that one thread alone writes.
        static let only = Number(turn: nil, value: 0)

        /// Runs `rename`, unless newer facts have been written.
        /// - Returns: whether it did.
        func take(_ rename: () throws(SystemError) -> Void) throws(SystemError) -> Bool {
            guard let turn else {
                try rename()
                return true
            }
            return try turn.newest.withLock { newest throws(SystemError) in
                guard value >= newest else { return false }
                try rename()
                newest = value
                return true
            }
        }
    }

    /// - Parameter value: how often facts had been told at once when these were taken.
    func number(_ value: Int) -> Number { Number(turn: self, value: value) }
}

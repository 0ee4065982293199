package import HTTPWire
package import Reactor

/// Who may use Icecast's administrative pages and send us a stream. The service answers from its tokens and settings.
///
/// Any thread; must not block.
package protocol AdminAuth: Sendable {
    func verdict(on credentials: Credentials?, from peer: PeerAddress, for use: AdminUse) -> AdminVerdict
}

/// What somebody wants to be allowed.
package enum AdminUse: Sendable, Hashable {
    /// `/admin/*`.
    case administer
    /// `/admin/streamlist.txt`: the relay user of a slave.
    case listMounts
    /// To send a stream to this mount, or titles for it.
    case feed(mount: String)
}

package enum AdminVerdict: Sendable, Hashable {
    case allowed
    /// Ask for credentials, or for better ones.
    case unknown
    /// Too many wrong tries: the same answer, later.
    case tooManyTries
}

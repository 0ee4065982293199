internal import CLinux
package import HTTPServer
package import HTTPWire
package import Platform
package import Reactor

/// Who calls, and what that allows: the unix socket's peer by the kernel's word, a token's bearer by the book, anybody on
/// loopback as far as the settings go.
package final class CallerCheck: Sendable {
    package enum Verdict: Sendable, Hashable {
        case role(AccessRole)
        /// No credentials, or wrong ones.
        case unknown
        /// Too many wrong tokens from there.
        case tooMany
    }

    /// The cookie of a paired browser.
    package static let cookie = "aircheck_session"

    private let tokens: TokenBook
    private let sessions: TokenBook?
    private let loopbackReads: Bool
    private let time: any TimeSource
    private let guesses = Lock(GuessLimiter())
    private let owner: UInt32

    /// - Parameter loopbackReads: callers on loopback may read without a token.
    package init(
        tokens: TokenBook, sessions: TokenBook? = nil, loopbackReads: Bool,
        time: any TimeSource = SystemTime()
    ) {
        self.tokens = tokens
        self.sessions = sessions
        self.loopbackReads = loopbackReads
        self.time = time
        owner = geteuid()
    }

    /// The refusal, or nil for a caller who has the role that a route needs. Any thread; looks at memory only.
    package func refusal(of head: RequestHead, from peer: PeerAddress, needing needed: AccessRole)
        -> HTTPResponse?
    {
        switch verdict(on: head, from: peer) {
        case .role(let role) where role >= needed: nil
        case .role(let role):
            APIFailure(
                .forbidden, "this needs the role \(needed.name)",
                remedy:
                    "The caller is \(role.name); make a token with `aircheck token create --role \(needed.name)`."
            ).response
        case .unknown:
            APIFailure(
                .unauthorized, "this needs a token",
                remedy: "Make one with `aircheck token create` and send it as `Authorization: Bearer TOKEN`."
            ).response.adding("WWW-Authenticate", "Bearer realm=\"aircheck\"")
        case .tooMany:
            APIFailure(.tooMany, "too many wrong tokens from this address", remedy: "Wait ten seconds.")
                .response.adding("Retry-After", "10")
        }
    }

    package func verdict(on head: RequestHead, from peer: PeerAddress) -> Verdict {
        if let credentials = peer.credentials, credentials.user == owner || credentials.user == 0 {
            return .role(.admin)
        }
        if let credentials = head.credentials { return verdict(on: credentials, from: peer) }
        // One that is over is no wrong guess: the browser keeps sending it.
        if let session = session(of: head) { return .role(session.role) }
        return loopbackReads && Self.isLocal(head, from: peer) ? .role(.viewer) : .unknown
    }

    /// What proxies add to the requests they pass on; `Via` they must (RFC 9110 §7.6.3), most send one of the others.
    private static let proxyHeaders = [
        "forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip",
    ]

    /// Whether a request is from this machine: from a loopback address, and not passed on by a proxy that runs here, which
    /// would make everybody behind it look so. Any thread.
    package static func isLocal(_ head: RequestHead, from peer: PeerAddress) -> Bool {
        peer.isLoopback && !proxyHeaders.contains { head.headers.contains($0) }
    }

    /// The session that the caller's cookie names. Any thread.
    package func session(of head: RequestHead) -> TokenEntry? {
        head.cookie(Self.cookie).flatMap { sessions?.entry(of: $0) }
    }

    /// Whether a code may be tried from there, as with tokens: `isRight` tells what came of it. Any thread.
    package func guess(from address: String, isRight: () -> Bool) -> Verdict? {
        let now = time.now
        guard guesses.withLock({ $0.mayTry(address, at: now) }) else { return .tooMany }
        guard isRight() else {
            guesses.withLock { $0.failed(address, at: now) }
            return .unknown
        }
        guesses.withLock { $0.succeeded(address) }
        return nil
    }

    /// What a token opens, however it was sent.
    package func verdict(on credentials: Credentials, from peer: PeerAddress) -> Verdict {
        let token = Self.token(credentials)
        let address = peer.limitKey.text
        let now = time.now
        guard guesses.withLock({ $0.mayTry(address, at: now) }) else { return .tooMany }
        guard let role = tokens.role(of: token) else {
            guesses.withLock { $0.failed(address, at: now) }
            return .unknown
        }
        guesses.withLock { $0.succeeded(address) }
        return .role(role)
    }

    /// A bearer token, or the password of Basic credentials: some clients know nothing else.
    private static func token(_ credentials: Credentials) -> String {
        switch credentials {
        case .bearer(let token): token
        case .basic(_, let password): password
        }
    }
}

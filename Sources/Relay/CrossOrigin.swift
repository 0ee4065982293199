internal import HTTPServer
internal import HTTPWire

/// Which pages' scripts may read what listeners get. Players in a browser need it; nothing here is secret.
struct CrossOrigin: Sendable {
    /// `*`, one origin, or nil for none.
    let origin: String?

    /// For how long a browser may remember the answer to its preflight, in seconds.
    private static let preflightAge = 300
    private static let exposed = """
        icy-name, icy-genre, icy-url, icy-description, icy-br, icy-sr, icy-pub, icy-metaint, ice-audio-info, content-range
        """

    func opened(_ response: HTTPResponse) -> HTTPResponse {
        guard let origin else { return response }
        // Without the second a player in a page of another origin is refused HLS, which it loads without CORS.
        return response.adding("Access-Control-Allow-Origin", origin)
            .adding("Cross-Origin-Resource-Policy", "cross-origin")
    }

    /// Adds what a mount's head says to scripts.
    func add(to head: inout ResponseHead) {
        guard let origin else { return }
        head.add("Access-Control-Allow-Origin", origin)
        head.add("Access-Control-Expose-Headers", Self.exposed)
    }

    /// The answer to `OPTIONS`.
    func preflight(methods: String) -> HTTPResponse {
        let response = HTTPResponse(status: 204).adding("Allow", methods)
        guard origin != nil else { return response }
        return opened(response)
            .adding("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS")
            .adding("Access-Control-Allow-Headers", "Icy-MetaData, Range, Authorization")
            .adding("Access-Control-Expose-Headers", Self.exposed)
            .adding("Access-Control-Max-Age", "\(Self.preflightAge)")
    }
}

package import HTTPWire
package import Reactor

/// What answers the requests of one or more endpoints. It is called on the loops' threads and must not block there.
package protocol HTTPApplication: AnyObject, Sendable {
    /// Called when the head is there and the Host was found good: says what is to become of the body.
    func plan(for head: RequestHead, from peer: PeerAddress) -> RequestPlan

    /// Called when the request is there, with its body unless the plan was `.stream`. Answer through `exchange`, now or later,
    /// from any thread.
    func respond(to request: HTTPRequest, on exchange: HTTPExchange)
}

extension HTTPApplication {
    package func plan(for head: RequestHead, from peer: PeerAddress) -> RequestPlan { .collect() }
}

/// What the server does between a request's head and the call of `respond`.
package enum RequestPlan: Sendable {
    /// Reads the body, at most `limit` bytes, else 413. Unsafe methods must be JSON from our own page or from somebody who
    /// holds a token (`OriginCheck`), else 403 or 415.
    case collect(limit: Int = 64 << 10)
    /// The same for requests that change nothing whatever their method says: any media type, from anywhere. Control points
    /// of media servers ask so, in XML.
    case collectAny(limit: Int)
    /// Leaves the body in the socket, for a handler that takes it over: a source client's stream.
    case stream
    /// Answers so, without reading the body.
    case refuse(HTTPResponse)
}

/// One request, whole.
package struct HTTPRequest: Sendable {
    package var head: RequestHead
    /// Empty when the plan was `.stream`.
    package var body: [UInt8]
    package var peer: PeerAddress

    package init(head: RequestHead, body: [UInt8] = [], peer: PeerAddress) {
        self.head = head
        self.body = body
        self.peer = peer
    }
}

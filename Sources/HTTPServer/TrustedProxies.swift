package import HTTPWire
package import Reactor

/// Proxies whose word on where a request comes from is taken: limits, wrong tokens and lists of listeners count the client
/// behind them and not the proxy. Pure.
package struct TrustedProxies: Sendable {
    private let addresses: Set<String>

    /// Proxies one behind another, at most.
    private static let mostHops = 16

    /// - Parameter addresses: numeric ones; what is none is passed over.
    package init(_ addresses: [String] = []) {
        self.addresses = Set(addresses.compactMap { PeerAddress(text: $0)?.text })
    }

    /// The client that `X-Forwarded-For` names, read from its end: each proxy adds who came to it, and everything before the
    /// last that is trusted may be made up. The peer itself where that is no proxy of ours, or says nothing that can be read.
    package func client(of head: RequestHead, behind peer: PeerAddress) -> PeerAddress {
        guard !addresses.isEmpty, addresses.contains(peer.text) else { return peer }
        let hops = head.headers.all("x-forwarded-for").flatMap { $0.split(separator: ",") }
        var client = peer
        for hop in hops.suffix(Self.mostHops).reversed() {
            guard let address = Self.address(ASCIIText.trimmed(hop)) else { break }
            client = address
            guard addresses.contains(address.text) else { break }
        }
        return client
    }

    /// `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1` or `[2001:db8::1]:4711`.
    private static func address(_ text: Substring) -> PeerAddress? {
        if text.hasPrefix("[") { return PeerAddress(text: String(text.dropFirst().prefix { $0 != "]" })) }
        return PeerAddress(text: String(text)) ?? PeerAddress(text: String(text.prefix { $0 != ":" }))
    }
}

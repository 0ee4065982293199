/// Which `Host` headers are answered. A page that rebinds its own name to our address carries that name, so only a fixed
/// list stops it; numeric addresses are safe, because rebinding needs a name.
package struct HostRules: Sendable, Hashable {
    private let names: Set<String>
    /// `vtuner.com`: itself and every name below it.
    private let domains: [String]

    /// - Parameters:
    ///   - names: what the configuration allows besides the fixed ones, without ports.
    ///   - machineName: the machine's own name; it and `NAME.local` are allowed.
    ///   - domains: names that are answered with every name below them. Only for endpoints that carry nothing but what
    ///     anybody may read.
    package init(names: [String] = [], machineName: String? = nil, domains: [String] = []) {
        self.domains = domains.map(Self.normalised)
        var all: Set<String> = ["localhost"]
        for name in names { all.insert(Self.normalised(name)) }
        if let machineName, !machineName.isEmpty {
            let own = Self.normalised(machineName)
            all.insert(own)
            if !own.contains(".") { all.insert(own + ".local") }
        }
        self.names = all
    }

    /// Whether a request for `authority` (`host` or `host:port`) is answered. Requests without any, which only old players
    /// send and no browser can, are.
    package func allows(_ authority: String?) -> Bool {
        guard let authority else { return true }
        guard let host = Self.host(of: authority) else { return false }
        let name = Self.normalised(host)
        return Self.isNumericAddress(host) || names.contains(name)
            || domains.contains { name == $0 || name.hasSuffix("." + $0) }
    }

    private static func normalised(_ name: some StringProtocol) -> String {
        let lower = ASCIIText.lowercased(name)
        return lower.hasSuffix(".") ? String(lower.dropLast()) : lower
    }

    /// The host of `host:port`, IPv6 addresses with their brackets; nil when it cannot be read.
    package static func host(of authority: String) -> Substring? {
        guard authority.utf8.count <= 255, !authority.isEmpty else { return nil }
        let end: String.Index
        if authority.hasPrefix("[") {
            guard let bracket = authority.firstIndex(of: "]") else { return nil }
            end = authority.index(after: bracket)
        } else {
            end = authority.firstIndex(of: ":") ?? authority.endIndex
        }
        let rest = authority[end...]
        guard
            rest.isEmpty
                || (rest.first == ":"
                    && (rest.count == 1 || Digits.parse(rest.dropFirst().utf8, maxDigits: 5) != nil))
        else { return nil }
        return end == authority.startIndex ? nil : authority[..<end]
    }

    /// `192.0.2.1` or `[2001:db8::1]`, written in full; not `127.1`, not `0x7f000001`.
    package static func isNumericAddress(_ host: some StringProtocol) -> Bool {
        if host.hasPrefix("["), host.hasSuffix("]") { return isIPv6(host.dropFirst().dropLast()) }
        return isIPv4(host)
    }

    private static func isIPv4(_ text: some StringProtocol) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in Digits.parse(part.utf8, maxDigits: 3).map { $0 < 256 } == true }
    }

    /// Eight groups of up to four digits, one run of which `::` may stand for; the last two may be an IPv4 address.
    private static func isIPv6(_ text: some StringProtocol) -> Bool {
        let halves = String(text).split(separator: "::", omittingEmptySubsequences: false)
        guard text.utf8.count <= 45, (1...2).contains(halves.count) else { return false }
        var groups = 0
        for (index, half) in halves.enumerated() where !half.isEmpty {
            guard let count = groupCount(half, isLast: index == halves.count - 1) else { return false }
            groups += count
        }
        return halves.count == 2 ? groups < 8 : groups == 8
    }

    private static func groupCount(_ half: Substring, isLast: Bool) -> Int? {
        let groups = half.split(separator: ":", omittingEmptySubsequences: false)
        var count = 0
        for (index, group) in groups.enumerated() {
            if isLast, index == groups.count - 1, group.contains(".") {
                guard isIPv4(group) else { return nil }
                count += 2
            } else {
                guard (1...4).contains(group.utf8.count), group.utf8.allSatisfy({ Octet.hexValue($0) != nil })
                else { return nil }
                count += 1
            }
        }
        return count
    }
}

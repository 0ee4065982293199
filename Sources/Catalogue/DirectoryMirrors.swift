internal import JSONText

/// Which server of the directory is asked, and which after it fails: all of them are equal, and each has its bad days.
package struct DirectoryMirrors: Sendable {
    /// What to do after a failure.
    package enum Next: Sendable, Hashable {
        /// Ask that base address after a pause.
        case ask(String, afterSeconds: Double)
        case giveUp
    }

    /// Stands for all servers; asked for the list of them, and when the list is empty.
    package static let everybody = "https://all.api.radio-browser.info"
    /// Servers are taken from a list only if they belong to the community's domain.
    private static let domain = ".radio-browser.info"
    /// Tries of one question.
    private static let tries = 5

    private var bases: [String]
    private var current = 0

    /// - Parameters:
    ///   - configured: base addresses that the owner named; then nobody else is asked.
    ///   - random: shuffles, so that not everybody asks the same server.
    package init(configured: [String] = [], using random: inout some RandomNumberGenerator) {
        bases = configured.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }.filter(FieldText.isAddress)
        bases.shuffle(using: &random)
    }

    /// The base address to ask now.
    package var base: String { bases.isEmpty ? Self.everybody : bases[current % bases.count] }

    /// True while nobody has told which servers there are.
    package var needsList: Bool { bases.isEmpty }

    /// Takes the answer to `DirectoryRequest.servers`. Each name counts once: a server is listed once for each address.
    package mutating func take(list answer: [UInt8], using random: inout some RandomNumberGenerator) {
        guard let servers = (try? JSONValue.parse(answer, limit: DirectoryRequest.servers.limit))?.array
        else { return }
        take(hosts: servers.compactMap { $0["name"]?.string }, using: &random)
    }

    /// Takes hosts that the name service told; those outside the community's domain are passed over.
    package mutating func take(hosts: [String], using random: inout some RandomNumberGenerator) {
        let names = Set(hosts.map { $0.lowercased() }.filter(Self.isServer))
        guard !names.isEmpty else { return }
        bases = names.sorted().map { "https://" + $0 }
        bases.shuffle(using: &random)
        current = 0
    }

    private static func isServer(_ name: String) -> Bool {
        name.hasSuffix(domain) && name.utf8.count <= 253
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"),
                    UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }

    /// After the `attempt`th failure (from 1) at `base`. Only the server that failed is left, not one that somebody else
    /// has moved on to in the meantime; pauses double, with jitter.
    package mutating func failed(
        at failedBase: String, attempt: Int, using random: inout some RandomNumberGenerator
    ) -> Next {
        if failedBase == base && !bases.isEmpty { current = (current + 1) % bases.count }
        guard attempt < Self.tries else { return .giveUp }
        let pause = 0.5 * Double(1 << min(attempt - 1, 6))
        return .ask(base, afterSeconds: pause * Double.random(in: 0.5...1.5, using: &random))
    }
}

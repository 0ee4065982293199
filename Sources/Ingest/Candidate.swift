import Platform
import Transfers

/// One address that may lead to a station's audio.
struct Candidate: Sendable, Hashable {
    var url: URLText
    /// Where it may lead: what the owner typed goes anywhere, what a stranger's list names does not.
    var addresses: AddressPolicy
    /// Lists that were opened to find it, outermost first.
    var chain: [String] = []
    /// Redirects that were followed on the way.
    var redirects = 0
    /// It was the station's own address, or an entry of a list; lower is better.
    var rank = 0

    init(_ url: URLText, addresses: AddressPolicy) {
        self.url = url
        self.addresses = addresses
    }
}

/// One pass over everything that may lead to audio: the address that worked last, the station's own ones in order, and
/// what the lists behind them name, each once. Pure.
struct CandidateRound: Sendable {
    /// Lists inside lists.
    static let deepest = 5
    /// Lists opened in a round.
    static let mostLists = 20
    /// Addresses tried in a round.
    static let mostTries = 256

    private var queue: [Candidate]
    private var tried: Set<String> = []
    private var lists = 0
    /// What was wrong with each address, in the order they were tried.
    private(set) var faults: [(url: String, fault: Fault)] = []

    /// - Parameters:
    ///   - preferred: the address that audio came from last.
    ///   - roots: the station's own addresses, best first.
    init(preferred: Candidate?, roots: [Candidate]) {
        var roots = roots
        for index in roots.indices { roots[index].rank = index * Self.mostTries }
        queue = (preferred.map { [$0] } ?? []) + roots
    }

    /// The next address to try; nil when the round is over.
    mutating func next() -> Candidate? {
        while tried.count < Self.mostTries, !queue.isEmpty {
            let candidate = queue.removeFirst()
            if tried.insert(candidate.url.text).inserted { return candidate }
        }
        return nil
    }

    /// An address turned out to be a list: its entries come next, in their order.
    /// - Returns: what is wrong with it, where nothing of it can be tried.
    mutating func opened(_ list: Candidate, entries: [URLText], addresses: AddressPolicy, redirects: Int)
        -> Fault?
    {
        let chain = list.chain + [list.url.text]
        lists += 1
        if chain.count > Self.deepest { return Self.fault("lists inside lists", chain) }
        if lists > Self.mostLists { return Self.fault("too many lists", chain) }
        var found: [Candidate] = []
        for url in entries where !chain.contains(url.text) && !tried.contains(url.text) {
            var candidate = Candidate(url, addresses: addresses)
            candidate.chain = chain
            candidate.redirects = redirects
            candidate.rank = list.rank + found.count
            found.append(candidate)
        }
        if found.isEmpty, entries.contains(where: { chain.contains($0.text) }) {
            return Self.fault("a list that names itself", chain)
        }
        queue.insert(contentsOf: found, at: 0)
        return found.isEmpty ? Self.fault("a list without a usable address", chain) : nil
    }

    /// Something worth a try has shown up on the way: it comes next.
    mutating func insert(_ candidate: Candidate) { queue.insert(candidate, at: 0) }

    /// An address has failed.
    mutating func failed(_ candidate: Candidate, _ fault: Fault) {
        faults.append((candidate.url.text, fault))
    }

    /// The fault that gives most reason to try again soon, and that is shown.
    var mostHopeful: Fault? {
        let order: (Fault) -> Int = { fault in
            switch fault.kind {
            case .network: 0
            case .busy: 1
            case .missing: 2
            case .wrong: 3
            case .finished: 4
            }
        }
        return faults.map(\.fault).min { order($0) < order($1) }
    }

    private static func fault(_ text: String, _ chain: [String]) -> Fault {
        Fault(.wrong, .refused, "\(text): \(chain.joined(separator: " → "))", state: .refused)
    }
}

internal import JSONText
package import Platform

/// How the directory's client reaches the network; whoever owns the connections implements it.
package protocol DirectoryFetching: Sendable {
    /// Fetches an address into memory, with our User-Agent; `then` gets the body of a 2xx answer, on any thread.
    func get(_ url: String, limit: Int, then: @escaping @Sendable (Result<[UInt8], DirectoryFailure>) -> Void)
    /// The same into a file.
    func download(
        _ url: String, to path: String, limit: Int,
        then: @escaping @Sendable (Result<Void, DirectoryFailure>) -> Void)
    /// Asks the name service for the directory's servers; `then` gets their hosts, none where there is no answer.
    func lookUpServers(then: @escaping @Sendable ([String]) -> Void)
    /// Calls `body` after a pause, on any thread.
    func after(seconds: Double, _ body: @escaping @Sendable () -> Void)
}

/// Why the directory did not answer.
package enum DirectoryFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// A 4xx: asking another server would not help.
    case refused(status: Int)
    /// Anything else: no connection, a 5xx, an answer that is none.
    case unavailable(String)

    package var description: String {
        switch self {
        case .refused(let status): "the station directory refused the request (\(status))"
        case .unavailable(let reason): "the station directory cannot be reached: \(reason)"
        }
    }
}

/// Asks the Radio Browser directory as its community wishes: any server, the next when one fails, few requests, and a
/// click for each real listener.
package final class DirectoryClient: Sendable {
    private struct State {
        var mirrors: DirectoryMirrors
        var random: any RandomNumberGenerator & Sendable
        /// Day of the last click of each station; a second one on that day would not be counted.
        var clicks: [String: Int64] = [:]
    }

    /// Clicks that are remembered.
    private static let mostClicks = 2000

    private let state: Lock<State>
    private let fetching: any DirectoryFetching
    private let time: any TimeSource

    /// - Parameter mirrors: base addresses that the owner named; empty for the community's.
    package init(
        mirrors: [String] = [], fetching: any DirectoryFetching, time: any TimeSource = SystemTime(),
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        var random = random
        let list = DirectoryMirrors(configured: mirrors, using: &random)
        state = Lock(State(mirrors: list, random: random))
        self.fetching = fetching
        self.time = time
    }

    /// Stations that fit, the popular first, from the network. `then` on any thread.
    package func search(
        _ query: StationQuery,
        then: @escaping @Sendable (Result<[DirectoryStation], DirectoryFailure>) -> Void
    ) {
        ask(.search(query)) { then($0.flatMap(Self.stations)) }
    }

    /// Stations by their uuids: what has become of one's own.
    package func stations(
        _ uuids: [String], then: @escaping @Sendable (Result<[DirectoryStation], DirectoryFailure>) -> Void
    ) {
        ask(.stations(uuids)) { then($0.flatMap(Self.stations)) }
    }

    /// Tells the directory that somebody listens to a station, at most once a day; no answer is waited for.
    package func click(_ uuid: String) {
        let day = time.wall.nanoseconds / 86_400_000_000_000
        let isDue = state.withLock { state in
            if state.clicks.count >= Self.mostClicks {
                state.clicks = state.clicks.filter { $0.value == day }
            }
            return state.clicks.updateValue(day, forKey: uuid) != day
        }
        guard isDue, DirectoryStation.isUUID(uuid) else { return }
        ask(.click(uuid)) { _ in }
    }

    /// Fetches every station into a file, for `DirectorySnapshot.write`.
    package func download(to path: String, then: @escaping @Sendable (Result<Void, DirectoryFailure>) -> Void)
    {
        attempt(
            1,
            { [fetching] base, done in
                fetching.download(
                    base + DirectoryRequest.all.target, to: path, limit: DirectoryRequest.all.limit,
                    then: done)
            }, then)
    }

    private static func stations(_ body: [UInt8]) -> Result<[DirectoryStation], DirectoryFailure> {
        guard let list = (try? JSONValue.parse(body, limit: body.count))?.array else {
            return .failure(.unavailable("its answer is no list"))
        }
        return .success(list.compactMap(DirectoryStation.init))
    }

    // MARK: Trying

    private typealias Try<Value> =
        @Sendable (String, @escaping @Sendable (Result<Value, DirectoryFailure>) -> Void) -> Void

    private func ask(
        _ request: DirectoryRequest, _ then: @escaping @Sendable (Result<[UInt8], DirectoryFailure>) -> Void
    ) {
        attempt(
            1,
            { [fetching] base, done in
                fetching.get(base + request.target, limit: request.limit, then: done)
            }, then)
    }

    /// Asks for the servers first where nobody has told.
    private func attempt<Value: Sendable>(
        _ number: Int, _ ask: @escaping Try<Value>,
        _ then: @escaping @Sendable (Result<Value, DirectoryFailure>) -> Void
    ) {
        guard state.withLock({ $0.mirrors.needsList }) else { return attemptOne(number, ask, then) }
        fetching.lookUpServers { [self] hosts in
            state.withLock { $0.mirrors.take(hosts: hosts, using: &$0.random) }
            askForServers(number, ask, then)
        }
    }

    /// The list of servers, where the name service told none.
    private func askForServers<Value: Sendable>(
        _ number: Int, _ ask: @escaping Try<Value>,
        _ then: @escaping @Sendable (Result<Value, DirectoryFailure>) -> Void
    ) {
        guard state.withLock({ $0.mirrors.needsList }) else { return attemptOne(number, ask, then) }
        let request = DirectoryRequest.servers
        fetching.get(DirectoryMirrors.everybody + request.target, limit: request.limit) { [self] result in
            if case .success(let list) = result {
                state.withLock { $0.mirrors.take(list: list, using: &$0.random) }
            }
            attemptOne(number, ask, then)
        }
    }

    private func attemptOne<Value: Sendable>(
        _ number: Int, _ ask: @escaping Try<Value>,
        _ then: @escaping @Sendable (Result<Value, DirectoryFailure>) -> Void
    ) {
        let base = state.withLock { $0.mirrors.base }
        ask(base) { [self] result in
            guard case .failure(.unavailable) = result else { return then(result) }
            let next = state.withLock { $0.mirrors.failed(at: base, attempt: number, using: &$0.random) }
            switch next {
            case .giveUp: then(result)
            case .ask(_, let pause): fetching.after(seconds: pause) { self.attemptOne(number + 1, ask, then) }
            }
        }
    }
}

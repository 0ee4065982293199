internal import Cryptography
internal import Glibc
internal import Platform
internal import StreamFormats
internal import Transfers

/// Pictures of stations, fetched once by the service, so that a browser never asks a stranger's server and the page's
/// policy can stay shut. A picture is what its first bytes say; nothing here decodes one.
final class StationArtwork: Sendable {
    /// Bytes of a picture that are taken.
    private static let sizeLimit = 2 << 20
    private static let seconds = 8.0
    /// Where an answer was no picture, nobody asks again for so long.
    private static let pause = 3600.0
    /// Where no answer came at all; that may be our own network, which comes back.
    private static let pauseWithoutAnswer = 60.0
    /// Fetches at a time on threads of others; a long list of stations does not keep the API's from everything else.
    private static let atOnce = 2

    /// A picture older than this is fetched again.
    private static let freshSeconds = 30 * 86_400.0
    /// Pictures that are held; beyond that the oldest go. Most are a few KiB.
    private static let held = 1024

    private struct State {
        /// What was not to be had, and when it may be asked for again.
        var failures: [String: MonotonicTime] = [:]
        /// Those that keep a thread of somebody else's.
        var running = 0
        /// Somebody who cannot wait has asked, and a thread fetches.
        var isFetchingAhead = false
    }

    private let folder: String
    private let engine: TransferEngine
    private let time: any TimeSource
    private let ahead: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let state = Lock(State())

    /// - Parameter ahead: does on a thread of its own what is fetched for those who must not wait.
    init(
        folder: String, engine: TransferEngine, time: any TimeSource,
        ahead: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = {
            _ = WorkerThread(name: "picture", body: $0)
        }
    ) {
        self.folder = folder
        self.engine = engine
        self.time = time
        self.ahead = ahead
    }

    /// The picture of a station, from the disk or from the net; nil where there is none, or not now. Blocks.
    func picture(of station: Station) -> (bytes: [UInt8], type: String)? {
        station.logo.flatMap { picture(at: $0, isLocal: station.isLocal) }
    }

    /// The picture at an address. Blocks.
    /// - Parameters:
    ///   - isLocal: whether it may lie in the house.
    ///   - hasThread: the caller's thread is there for this alone, and waits for nobody's turn.
    func picture(at address: String, isLocal: Bool, hasThread: Bool = false)
        -> (bytes: [UInt8], type: String)?
    {
        let (name, path) = place(of: address)
        let shown = held(path)
        if let shown, isFresh(path) { return shown }
        guard mayFetch(name, isCounted: !hasThread) else { return shown }
        let body = fetch(address, isLocal: isLocal)
        let bytes = body.flatMap { $0.isGood ? $0.bytes : nil } ?? []
        let type = Self.type(bytes)
        let pause = body?.head == nil ? Self.pauseWithoutAnswer : Self.pause
        ended(name, pause: type == nil ? pause : nil, isCounted: !hasThread)
        guard let type else { return shown }
        keep(bytes, path)
        return (bytes, type)
    }

    /// Whether a picture that was not to be had may come yet: nobody has failed to fetch it, only others were first.
    func mayCome(for station: Station) -> Bool {
        guard let logo = station.logo else { return false }
        return isWorthAsking(place(of: logo).name)
    }

    /// Whether the picture at an address is on the disk, or may come yet.
    func mayHave(at address: String) -> Bool {
        let (name, path) = place(of: address)
        return Files.exists(path) || isWorthAsking(name)
    }

    /// The picture at an address as the disk has it; nothing is fetched.
    func kept(at address: String) -> [UInt8]? { held(place(of: address).path)?.bytes }

    /// The picture of a station if the disk has it. One that it has not, or has had for long, is fetched meanwhile, for the
    /// next who asks: this is for those who must not wait.
    func pictureAtHand(of station: Station) -> (bytes: [UInt8], type: String)? {
        guard let logo = station.logo else { return nil }
        let shown = held(place(of: logo).path)
        fetchAhead(logo, isLocal: station.isLocal, isThere: shown != nil)
        return shown
    }

    /// The file of a station's picture if the disk has it; as `pictureAtHand`, it is fetched meanwhile.
    func fileAtHand(of station: Station) -> String? {
        guard let logo = station.logo else { return nil }
        let path = place(of: logo).path
        let isThere = Files.exists(path)
        fetchAhead(logo, isLocal: station.isLocal, isThere: isThere)
        return isThere ? path : nil
    }

    /// One at a time, and nothing that was not to be had within the hour: desktops ask again and again.
    private func fetchAhead(_ address: String, isLocal: Bool, isThere: Bool) {
        let (name, path) = place(of: address)
        guard !(isThere && isFresh(path)), isWorthAsking(name) else { return }
        let isFree = state.withLock { state in
            defer { state.isFetchingAhead = true }
            return !state.isFetchingAhead
        }
        guard isFree else { return }
        ahead { [self] in
            _ = picture(at: address, isLocal: isLocal, hasThread: true)
            state.withLock { $0.isFetchingAhead = false }
        }
    }

    private func place(of logo: String) -> (name: String, path: String) {
        let name = String(SHA256.hex(Array(logo.utf8)).prefix(40))
        return (name, folder + "/" + name)
    }

    private func held(_ path: String) -> (bytes: [UInt8], type: String)? {
        guard let bytes = try? Files.read(path, limit: Self.sizeLimit), let type = Self.type(bytes) else {
            return nil
        }
        return (bytes, type)
    }

    /// Nobody has failed to fetch it just before.
    private func isWorthAsking(_ name: String) -> Bool {
        let now = time.now
        return state.withLock { state in
            state.failures[name].map { $0 <= now } ?? true
        }
    }

    private func mayFetch(_ name: String, isCounted: Bool) -> Bool {
        guard isWorthAsking(name) else { return false }
        guard isCounted else { return true }
        return state.withLock { state in
            guard state.running < Self.atOnce else { return false }
            state.running += 1
            return true
        }
    }

    /// - Parameter pause: seconds until it is asked for again; nil where it has come.
    private func ended(_ name: String, pause: Double?, isCounted: Bool) {
        let now = time.now
        state.withLock { state in
            if isCounted { state.running -= 1 }
            state.failures[name] = pause.map(now.advanced(bySeconds:))
            // A catalogue of dead addresses does not grow this for ever.
            if state.failures.count > 20_000 { state.failures = [:] }
        }
    }

    private func fetch(_ address: String, isLocal: Bool) -> FetchedBody? {
        guard let url = try? URLText(address) else { return nil }
        var request = TransferRequest(url)
        if isLocal { request.addresses = .allowLocal }
        let got = Lock<FetchedBody?>(nil)
        let done = Semaphore()
        engine.run(
            { [engine, request] in
                engine.fetch(request, limit: Self.sizeLimit, seconds: Self.seconds) { body in
                    got.withLock { $0 = body }
                    done.signal()
                }
            }, onDrop: { done.signal() })
        _ = done.wait(seconds: Self.seconds + 2)
        return got.withLock { $0 }
    }

    private func keep(_ bytes: [UInt8], _ path: String) {
        do {
            try Files.makeFolder(folder, mode: 0o755)
            try Files.replace(path, with: bytes)
            tidy()
        } catch {
            Log.warning("web", "a picture was not kept", ["error": "\(error)"])
        }
    }

    private func isFresh(_ path: String) -> Bool {
        guard let changed = Self.changed(path) else { return false }
        return time.wall.secondsSince1970 - changed < Self.freshSeconds
    }

    private static func changed(_ path: String) -> Double? {
        Files.stamp(path).map { Double($0.modified) / 1e9 }
    }

    /// Whoever walks through the whole directory does not fill the disk that recordings are on.
    private func tidy() {
        let names = Files.names(in: folder)
        guard names.count > Self.held else { return }
        let ages = names.map { (path: folder + "/" + $0, changed: Self.changed(folder + "/" + $0) ?? 0) }
        // A quarter at once, so that not every picture costs a look at all.
        let surplus = names.count - Self.held * 3 / 4
        for old in ages.sorted(by: { $0.changed < $1.changed }).prefix(surplus) { unlink(old.path) }
    }

    /// What the first bytes say it is; nil for everything that is no plain picture, SVG and HTML among it.
    static func type(_ bytes: [UInt8]) -> String? {
        func begins(_ start: [UInt8], at place: Int = 0) -> Bool {
            bytes.count >= place + start.count && Array(bytes[place..<place + start.count]) == start
        }
        if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if begins([0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if begins(Array("GIF87a".utf8)) || begins(Array("GIF89a".utf8)) { return "image/gif" }
        if begins(Array("RIFF".utf8)), begins(Array("WEBP".utf8), at: 8) { return "image/webp" }
        if begins([0x00, 0x00, 0x01, 0x00]) { return "image/x-icon" }
        return nil
    }
}

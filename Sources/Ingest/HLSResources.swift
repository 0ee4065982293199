import Cryptography
import StreamFormats
import Transfers

/// Fetches what HLS playlists name: lists, segments, keys, initialization sections. One policy for all of them. Lives on
/// the engine's thread.
final class HLSResources {
    /// A segment, or why there is none.
    enum Fetched {
        case bytes([UInt8], initial: [UInt8]?)
        case missing(String)
    }

    private static let longestSegment = 8 << 20
    private static let longestInitial = 1 << 20
    private static let keyLength = 16
    /// Keys remembered.
    private static let mostKeys = 16

    private let engine: TransferEngine
    private let request: TransferRequest
    private var addresses: AddressPolicy
    private var running: [ObjectIdentifier: Transfer] = [:]
    /// Keys by address; nil for one that was refused. Each is asked for once.
    private var keys: [String: [UInt8]?] = [:]
    private var initial: (map: HLSMedia.Map, bytes: [UInt8])?

    init(engine: TransferEngine, request: TransferRequest, peerIsLocal: Bool) {
        self.engine = engine
        self.request = request
        addresses = peerIsLocal ? .allowLocal : .publicOnly
    }

    func cancel() {
        for transfer in running.values { transfer.cancel() }
        running = [:]
    }

    /// A playlist.
    func list(_ url: URLText, seconds: Double, done: @escaping (FetchedBody) -> Void) {
        fetch(url, limit: HLSPlaylist.longestBody, seconds: seconds) { [weak self] body in
            self?.addresses = body.result.peerIsLocal ? .allowLocal : .publicOnly
            done(body)
        }
    }

    /// A segment, decrypted, with the section that has to be read before it. A failure is tried once more.
    func segment(
        _ segment: HLSMedia.Segment, playlist: URLText, seconds: Double, done: @escaping (Fetched) -> Void
    ) {
        initialSection(segment.map, playlist: playlist, seconds: seconds) { [weak self] initial in
            guard let initial else { return done(.missing("its initialization section did not come")) }
            self?.key(for: segment, playlist: playlist) { key in
                guard let key else { return done(.missing("its key did not come")) }
                self?.body(segment, playlist: playlist, seconds: seconds, tries: 2) { body in
                    done(
                        Self.opened(
                            body, segment: segment, key: key, initial: segment.map == nil ? nil : initial))
                }
            }
        }
    }

    private func body(
        _ segment: HLSMedia.Segment, playlist: URLText, seconds: Double, tries: Int,
        done: @escaping (FetchedBody?) -> Void
    ) {
        guard let url = try? playlist.resolving(segment.url) else { return done(nil) }
        let range = segment.range.flatMap(Self.range)
        fetch(url, range: range, limit: Self.longestSegment, seconds: seconds) { [weak self] body in
            if !body.isGood, tries > 1 {
                self?.body(segment, playlist: playlist, seconds: seconds, tries: tries - 1, done: done)
            } else {
                done(body)
            }
        }
    }

    private static func opened(
        _ body: FetchedBody?, segment: HLSMedia.Segment, key: [UInt8], initial: [UInt8]?
    ) -> Fetched {
        guard let body, body.isGood else { return .missing(body.map(why) ?? "its address makes no sense") }
        guard segment.key != nil else { return .bytes(body.bytes, initial: initial) }
        let vector = segment.key?.iv ?? sequenceVector(segment.sequence)
        guard let clear = AES128CBC.decrypt(body.bytes, key: key, initialVector: vector) else {
            return .missing("it does not decrypt with its key")
        }
        return .bytes(clear, initial: initial)
    }

    private static func why(_ body: FetchedBody) -> String {
        body.result.outcome == .complete ? "status \(body.head?.status ?? 0)" : body.result.text
    }

    // MARK: Keys and sections

    /// Empty where the segment is in the clear, nil where the key does not come.
    private func key(for segment: HLSMedia.Segment, playlist: URLText, done: @escaping ([UInt8]?) -> Void) {
        guard let key = segment.key else { return done([]) }
        guard let address = key.url, let url = try? playlist.resolving(address) else { return done(nil) }
        if let known = keys[url.text] { return done(known) }
        fetch(url, limit: Self.keyLength * 4, seconds: 10) { [weak self] body in
            let found = body.isGood && body.bytes.count == Self.keyLength ? body.bytes : nil
            if let self {
                if keys.count >= Self.mostKeys { keys = [:] }
                keys[url.text] = .some(found)
            }
            done(found)
        }
    }

    /// Empty where the segment needs none, nil where it does not come. Asked for once for each value of the tag.
    private func initialSection(
        _ map: HLSMedia.Map?, playlist: URLText, seconds: Double, done: @escaping ([UInt8]?) -> Void
    ) {
        guard let map else { return done([]) }
        if let initial, initial.map == map { return done(initial.bytes) }
        guard let url = try? playlist.resolving(map.url) else { return done(nil) }
        let range = map.range.flatMap(Self.range)
        fetch(url, range: range, limit: Self.longestInitial, seconds: seconds) { [weak self] body in
            guard body.isGood else { return done(nil) }
            self?.initial = (map, body.bytes)
            done(body.bytes)
        }
    }

    /// The sequence number, big-endian (RFC 8216 §5.2).
    private static func sequenceVector(_ sequence: Int) -> [UInt8] {
        let number = UInt64(truncatingIfNeeded: sequence)
        return [UInt8](repeating: 0, count: 8)
            + (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
    }

    private static func range(_ range: HLSMedia.ByteRange) -> Range<Int>? {
        let (end, overflow) = range.offset.addingReportingOverflow(range.length)
        return overflow || range.offset < 0 || range.length <= 0 ? nil : range.offset..<end
    }

    // MARK: Fetching

    private func fetch(
        _ url: URLText, range: Range<Int>? = nil, limit: Int, seconds: Double,
        done: @escaping (FetchedBody) -> Void
    ) {
        var asked = TransferRequest(url)
        asked.addresses = addresses
        asked.cookies = request.cookies
        asked.proxy = request.proxy
        asked.range = range
        let isSame = url.isSameOrigin(as: request.url)
        if isSame { asked.forgivenFaults = request.forgivenFaults }
        asked.headers = request.headers.filter { isSame || $0.name.lowercased() == "user-agent" }
        var key: ObjectIdentifier?
        let transfer = engine.fetch(asked, limit: limit, seconds: seconds) { [weak self] body in
            if let key { self?.running[key] = nil }
            done(body)
        }
        key = ObjectIdentifier(transfer)
        running[ObjectIdentifier(transfer)] = transfer
    }
}

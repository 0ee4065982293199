internal import CCurl
internal import CLinux
internal import Glibc
import StreamFormats

/// One request on its way: redirects, head, body. Lives on the engine's thread and is used nowhere else.
package final class Transfer {
    package let request: TransferRequest
    /// Where it is being read, after redirects.
    package private(set) var url: URLText

    let easyHandle: UnsafeMutableRawPointer
    var headTimer: TimerID?
    var totalTimer: TimerID?
    /// The socket that libcurl has us watch for it.
    private var watchedSocket: Int32?

    private weak var loop: EngineLoop?
    private var delegate: (any TransferDelegate)?
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private var trail: RedirectTrail
    private var policy: AddressPolicy
    private var head = ResponseHead()
    private var hasResponded = false
    private var bodyBytes: Int64 = 0
    private var redirectTo: URLText?
    /// Why we broke it off ourselves.
    private var verdict: (TransferResult.Outcome, String)?
    private var blockedAddress: String?
    private var lastReach = AddressReach.global
    /// The round that is being read, and what it has brought.
    private var round = (number: 0, bytes: 0)
    private(set) var isOver = false
    private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    init(_ request: TransferRequest, delegate: any TransferDelegate, loop: EngineLoop) {
        guard let easy = curl_easy_init() else { preconditionFailure("libcurl has no memory") }
        self.request = request
        self.delegate = delegate
        self.loop = loop
        url = request.url
        easyHandle = easy
        trail = RedirectTrail(origin: request.url, before: request.redirectsBefore)
        policy = loop.settings.allowsLocalAddresses ? .allowLocal : request.addresses
        errorText[0] = 0
        setUp(loop.settings)
        point(at: request.url)
    }

    deinit {
        curl_easy_cleanup(easyHandle)
        curl_slist_free_all(headerList)
        errorText.deallocate()
    }

    // MARK: What the owner may do

    /// Redirects followed so far, with those before.
    package var redirects: Int { trail.count }

    /// The server that is being read is on this machine or network.
    package var peerIsLocal: Bool {
        noteReach()
        return lastReach == .local
    }

    /// Breaks it off; nothing more is called. May be called from the delegate, and twice.
    package func cancel() {
        guard !isOver else { return }
        isOver = true
        delegate = nil
        loop?.drop(self)
    }

    /// Breaks it off for a reason, which the delegate is then told. Only while the delegate is being called.
    package func giveUp(_ outcome: TransferResult.Outcome, _ text: String) { verdict = (outcome, text) }

    /// How soon what comes is read. What is too much for rounds falls back to `atOnce`, and may be asked again.
    package private(set) var pace = ReadingPace.atOnce

    /// Reads what comes at such a pace from now on. Does nothing before there is a connection.
    package func read(at wanted: ReadingPace) {
        guard wanted != pace, !isOver, let socket = watchedSocket else { return }
        pace = wanted
        loop?.setPace(wanted, of: socket)
    }

    /// Reads what has come and waits for its round. Never while the delegate is being called.
    package func readNow() {
        guard pace != .atOnce, !isOver, let socket = watchedSocket else { return }
        loop?.readNow(socket)
    }

    /// What libcurl reads at once, and holds for every connection: more than comes between two rounds from most stations.
    private static let bufferBytes = 6 << 10

    /// There is something to send again. On the engine's thread.
    package func goOnSending() {
        guard !isOver, request.upload != nil else { return }
        curl_easy_pause(easyHandle, CURLPAUSE_CONT)
    }

    /// Half of the kernel's first receive window: a sender must never have to wait for our round.
    private static let mostInRound = 32 << 10

    // MARK: What the loop does

    /// libcurl has another socket watched, or other events of it: they are seen at once until something else is asked.
    func watches(_ socket: Int32?) {
        watchedSocket = socket
        pace = .atOnce
    }

    /// Takes it out of libcurl's hands.
    func end(in multi: UnsafeMutableRawPointer) {
        isOver = true
        curl_multi_remove_handle(multi, easyHandle)
    }

    /// Where the answer that has just ended leads, if it was a redirect.
    func nextHop() -> URLText? {
        defer { redirectTo = nil }
        return isOver ? nil : redirectTo
    }

    /// Gets ready for the next address of a redirect.
    func turn(to target: URLText) {
        noteReach()
        if loop?.settings.allowsLocalAddresses != true {
            policy = lastReach == .local ? .allowLocal : .publicOnly
        }
        verdict = nil
        blockedAddress = nil
        point(at: target)
    }

    func ranOutOfTime(forHead: Bool) {
        guard !isOver, !forHead || !hasResponded else { return }
        let text = forHead ? "connected, but no answer" : "the answer did not end in time"
        let result = finished(.answerTimeout, "\(text) (\(url.host))", code: CURLE_OPERATION_TIMEDOUT)
        let delegate = delegate
        cancel()
        delegate?.transferFinished(self, result: result)
    }

    func tell(_ result: TransferResult) {
        let delegate = delegate
        self.delegate = nil
        delegate?.transferFinished(self, result: result)
    }

    func result(_ code: CURLcode) -> TransferResult {
        noteReach()
        if let (outcome, text) = verdict { return finished(outcome, text, code: code) }
        if code != CURLE_OK, let blockedAddress {
            return finished(.blockedAddress, "address not allowed: \(blockedAddress)", code: code)
        }
        let (outcome, text) = CurlOutcome.explain(
            code, systemError: systemError, detail: String(cString: errorText), url: url)
        return finished(outcome, text, code: code)
    }

    private func finished(_ outcome: TransferResult.Outcome, _ text: String, code: CURLcode) -> TransferResult
    {
        TransferResult(
            outcome: outcome, text: text, curlCode: Int32(bitPattern: code.rawValue), url: url,
            redirects: trail.count, peerIsLocal: lastReach == .local, bodyBytes: bodyBytes)
    }

    private var systemError: Int32 {
        var value = 0
        aircheck_curl_get_long(easyHandle, CURLINFO_OS_ERRNO, &value)
        return Int32(truncatingIfNeeded: value)
    }

    /// A connection that was used again was judged when it was opened; its address is asked for here.
    private func noteReach() {
        var text: UnsafeMutablePointer<CChar>?
        guard aircheck_curl_get_string(easyHandle, CURLINFO_PRIMARY_IP, &text) == CURLE_OK, let text else {
            return
        }
        if let reach = PeerAddress.reach(ofText: text) { lastReach = reach }
    }

    // MARK: Setting up

    private func setUp(_ settings: TransferEngine.Settings) {
        let me = Unmanaged.passUnretained(self).toOpaque()
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_USERAGENT, settings.userAgent)
        // "ICY 401" is a head as well, and a stream without any head is a stream (platform notes: measured).
        aircheck_curl_set_pointer(easyHandle, CURLOPT_HTTP200ALIASES, Self.aliases.list)
        set(CURLOPT_HTTP09_ALLOWED, 1)
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_CONNECTTIMEOUT_MS, Int(settings.connectSeconds * 1000))
        set(CURLOPT_HAPPY_EYEBALLS_TIMEOUT_MS, 250)
        set(CURLOPT_TCP_KEEPALIVE, 1)
        set(CURLOPT_BUFFERSIZE, Self.bufferBytes)
        set(CURLOPT_PROXY, request.proxy ?? settings.proxy ?? "")
        set(CURLOPT_NETRC, 0)
        set(CURLOPT_COOKIEFILE, "")
        // The length of a live stream is a lie (W025); a bounded body has one that counts.
        set(CURLOPT_IGNORE_CONTENT_LENGTH, request.totalSeconds == nil ? 1 : 0)
        // What was opened for the owner's own address must not carry what somebody else names.
        if policy == .allowLocal || request.totalSeconds == nil { set(CURLOPT_FORBID_REUSE, 1) }
        if let authorities = settings.authorities { set(CURLOPT_CAINFO, authorities) }
        if let jar = request.cookies?.handle { aircheck_curl_set_pointer(easyHandle, CURLOPT_SHARE, jar) }
        if let range = request.range, !range.isEmpty {
            set(CURLOPT_RANGE, "\(range.lowerBound)-\(range.upperBound - 1)")
        }
        aircheck_curl_set_pointer(easyHandle, CURLOPT_ERRORBUFFER, errorText)
        aircheck_curl_set_body_callback(easyHandle, bodyForTransfer, me)
        aircheck_curl_set_header_callback(easyHandle, headerForTransfer, me)
        if request.upload != nil {
            set(CURLOPT_UPLOAD, 1)
            aircheck_curl_set_read_callback(easyHandle, bytesForTransfer, me)
        }
        aircheck_curl_set_open(easyHandle, socketForTransfer, me)
    }

    /// Aims at an address: what was meant for the first server goes to no other.
    private func point(at target: URLText) {
        url = target
        set(CURLOPT_URL, target.text)
        let isTrusted = trail.isTrusted(target)
        let credentials = target.credentials ?? (isTrusted ? request.url.credentials : nil)
        set(CURLOPT_USERNAME, credentials?.user)
        set(CURLOPT_PASSWORD, credentials?.password)
        if !request.forgivenFaults.isEmpty { forgive(isTrusted ? request.forgivenFaults : []) }
        curl_slist_free_all(headerList)
        headerList = nil
        // Icecast would take the chunks' lengths for audio.
        if request.upload != nil { add(header: "Transfer-Encoding:") }
        if request.wantsTitles { add(header: "Icy-MetaData: 1") }
        for header in request.headers where isTrusted || header.name.lowercased() == "user-agent" {
            guard HeaderRule.permits(header) else { continue }
            add(header: header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)")
        }
        aircheck_curl_set_pointer(easyHandle, CURLOPT_HTTPHEADER, headerList)
    }

    private func forgive(_ faults: [CertificateFault]) {
        let bits = faults.reduce(0) { bits, fault in
            switch fault {
            case .expired: bits | AIRCHECK_FORGIVE_EXPIRED
            case .selfSigned: bits | AIRCHECK_FORGIVE_SELF_SIGNED
            case .unknownIssuer: bits | AIRCHECK_FORGIVE_UNKNOWN_ISSUER
            case .otherName: bits
            }
        }
        aircheck_curl_forgive(easyHandle, bits)
        set(CURLOPT_SSL_VERIFYHOST, faults.contains(.otherName) ? 0 : 2)
    }

    private var hasSecrets: Bool { request.url.credentials != nil || !request.headers.isEmpty }

    private func add(header: String) { headerList = curl_slist_append(headerList, header) ?? headerList }

    private func set(_ option: CURLoption, _ value: Int) { aircheck_curl_set_long(easyHandle, option, value) }

    private func set(_ option: CURLoption, _ value: String?) {
        aircheck_curl_set_string(easyHandle, option, value)
    }

    private static let aliases = AliasList()

    // MARK: What libcurl says

    fileprivate func headerArrived(_ line: Span<UInt8>) -> Bool {
        guard !isOver else { return false }
        guard !hasResponded else { return true }  // a trailer
        do {
            try head.line(line)
        } catch {
            return breakOff(.headTooLarge, "the answer's head is too large (\(error.rawValue))")
        }
        return head.isComplete && !(100..<200).contains(head.status) ? headEnded() : true
    }

    private func headEnded() -> Bool {
        if head.isRedirect || (300..<400).contains(head.status) && head.status != 304 && head.status != 300 {
            return redirected()
        }
        if head.isEncoded {
            return breakOff(.encodedBody, "the answer is compressed, which was not asked for")
        }
        return respond()
    }

    private func redirected() -> Bool {
        guard request.upload == nil else { return respond() }
        let decision = trail.next(
            from: url, location: head.location, setsCookie: !head.cookies.isEmpty, hasSecrets: hasSecrets)
        switch decision {
        case .follow(let target): redirectTo = target
        case .stop(let outcome, let text): verdict = (outcome, text)
        }
        return false
    }

    private func respond() -> Bool {
        hasResponded = true
        delegate?.transferResponded(self, head: head)
        return !isOver && verdict == nil
    }

    fileprivate func bytesArrived(_ bytes: Span<UInt8>) -> Bool {
        guard !isOver else { return false }
        if !hasResponded, !respond() { return false }
        bodyBytes += Int64(bytes.count)
        if pace != .atOnce { countRound(bytes.count) }
        delegate?.transferReceived(self, bytes: bytes)
        return !isOver && verdict == nil
    }

    private func countRound(_ count: Int) {
        guard let loop else { return }
        if round.number != loop.roundNumber { round = (loop.roundNumber, 0) }
        round.bytes += count
        if round.bytes > Self.mostInRound { read(at: .atOnce) }
    }

    fileprivate func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard !isOver, let upload = request.upload else { return 0 }
        let bytes = upload.next(limit: buffer.count)
        buffer.copyBytes(from: bytes)
        return bytes.isEmpty ? aircheck_curl_read_pause : bytes.count
    }

    private func breakOff(_ outcome: TransferResult.Outcome, _ text: String) -> Bool {
        verdict = (outcome, text)
        return false
    }

    fileprivate func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        guard let plain = aircheck_curl_address(address) else { return CURL_SOCKET_BAD }
        let reach = PeerAddress.reach(of: plain)
        let usesProxy = request.proxy ?? loop?.settings.proxy != nil
        guard usesProxy || policy.permits(reach) else {
            blockedAddress = PeerAddress.text(of: plain)
            return CURL_SOCKET_BAD
        }
        lastReach = reach
        let kind = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
        return socket(address.pointee.family, kind, address.pointee.protocol)
    }
}

/// libcurl's list of words that begin a head as well as `HTTP/` does; lives as long as the process.
private final class AliasList: @unchecked Sendable {
    // Sendable because the list never changes after this.
    let list = curl_slist_append(nil, "ICY ")
}

/// libcurl: bytes of body.
private nonisolated func bodyForTransfer(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    deliver(bytes, size, count, context) { $0.bytesArrived($1) }
}

/// libcurl: one line of a head, or of a trailer.
private nonisolated func headerForTransfer(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    deliver(bytes, size, count, context) { $0.headerArrived($1) }
}

/// libcurl: bytes to send, please.
private nonisolated func bytesForTransfer(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let bytes, let context else { return 0 }
    let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size &* count)
    return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().fill(buffer)
}

/// Lends libcurl's bytes to the transfer. Returning another number than was given breaks the transfer off.
private nonisolated func deliver(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?,
    to receiver: (Transfer, Span<UInt8>) -> Bool
) -> Int {
    guard let bytes, let context else { return 0 }
    let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    let total = size &* count
    let buffer = UnsafeRawBufferPointer(start: bytes, count: total)
    let goesOn = buffer.withMemoryRebound(to: UInt8.self) { receiver(transfer, $0.span) }
    return goesOn ? total : -1
}

/// libcurl: open a socket to this address. The last word on where a connection may go.
private nonisolated func socketForTransfer(
    _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype,
    _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let context, let address else { return CURL_SOCKET_BAD }
    return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().openSocket(address)
}

internal import CCurl

/// One request to a service of ours, and the wait for its answer: what a command needs.
///
/// Blocks the calling thread, so it has no place in the service itself. Follows no redirects and knows nothing of stations.
package struct BlockingRequest: Sendable {
    /// Where the service listens.
    package enum Endpoint: Sendable, Hashable {
        case unixSocket(path: String)
        /// `http://127.0.0.1:2472`, without a trailing slash.
        case address(String)
    }

    package struct Answer: Sendable {
        package var status: Int
        package var body: [UInt8]
    }

    /// Why there was no answer.
    package struct Failure: Error, Sendable, CustomStringConvertible {
        /// True when nothing listens there: refused, no such socket.
        package var isNotRunning: Bool
        package var description: String
    }

    package var endpoint: Endpoint
    package var method: String
    /// Path and query, percent-encoded.
    package var path: String
    /// `Name: value` lines.
    package var headers: [String]
    package var body: [UInt8]?
    /// Seconds for the whole exchange; 0 waits for ever.
    package var timeout: Double
    /// Most bytes of an answer that are kept.
    package var limit: Int

    package init(
        _ endpoint: Endpoint, _ method: String, _ path: String, headers: [String] = [], body: [UInt8]? = nil,
        timeout: Double = 30, limit: Int = 64 << 20
    ) {
        self.endpoint = endpoint
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.limit = limit
    }

    /// Sends the request and waits.
    /// - Parameter received: given each piece of the body as it comes; returns false to end the exchange. When nil,
    ///   the body is collected in the answer.
    package func perform(received: ((ArraySlice<UInt8>) -> Bool)? = nil) throws(Failure) -> Answer {
        guard let handle = curl_easy_init() else {
            throw Failure(isNotRunning: false, description: "libcurl cannot make a request")
        }
        defer { curl_easy_cleanup(handle) }
        var list: UnsafeMutablePointer<curl_slist>?
        for header in headers { list = curl_slist_append(list, header) }
        defer { curl_slist_free_all(list) }
        return try withoutActuallyEscaping(received ?? { _ in true }) { escaping throws(Failure) -> Answer in
            let collector = BodyCollector(limit: received == nil ? limit : 0, received: escaping)
            return try exchange(handle, headers: list, into: collector)
        }
    }

    private func exchange(
        _ handle: UnsafeMutableRawPointer, headers: UnsafeMutablePointer<curl_slist>?,
        into collector: BodyCollector
    ) throws(Failure) -> Answer {
        prepare(handle)
        _ = aircheck_curl_set_pointer(handle, CURLOPT_HTTPHEADER, headers)
        let pointer = Unmanaged.passUnretained(collector).toOpaque()
        _ = aircheck_curl_set_body_callback(handle, bodyArrived, pointer)
        let code = withBody(handle) { curl_easy_perform(handle) }
        var status = 0
        _ = aircheck_curl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
        if code != CURLE_OK, !(code == CURLE_WRITE_ERROR && collector.wasEnded) {
            let notRunning = code == CURLE_COULDNT_CONNECT || code == CURLE_COULDNT_RESOLVE_HOST
            throw Failure(isNotRunning: notRunning, description: String(cString: curl_easy_strerror(code)))
        }
        return Answer(status: status, body: collector.bytes)
    }

    private func prepare(_ handle: UnsafeMutableRawPointer) {
        switch endpoint {
        case .unixSocket(let socket):
            _ = aircheck_curl_set_string(handle, CURLOPT_UNIX_SOCKET_PATH, socket)
            _ = aircheck_curl_set_string(handle, CURLOPT_URL, "http://localhost" + path)
        case .address(let address):
            _ = aircheck_curl_set_string(handle, CURLOPT_URL, address + path)
        }
        _ = aircheck_curl_set_string(handle, CURLOPT_CUSTOMREQUEST, method)
        _ = aircheck_curl_set_string(handle, CURLOPT_PROXY, "")
        _ = aircheck_curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        _ = aircheck_curl_set_long(handle, CURLOPT_TIMEOUT_MS, Int(timeout * 1000))
        _ = aircheck_curl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, 3000)
    }

    private func withBody(_ handle: UnsafeMutableRawPointer, _ perform: () -> CURLcode) -> CURLcode {
        guard let body else { return perform() }
        return body.withUnsafeBytes { bytes in
            _ = aircheck_curl_set_long(handle, CURLOPT_POSTFIELDSIZE, bytes.count)
            _ = aircheck_curl_set_pointer(
                handle, CURLOPT_POSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
            return perform()
        }
    }
}

/// What curl's body callback fills; lives as long as the exchange.
private final class BodyCollector {
    var bytes: [UInt8] = []
    var wasEnded = false
    private let limit: Int
    private let received: (ArraySlice<UInt8>) -> Bool

    init(limit: Int, received: @escaping (ArraySlice<UInt8>) -> Bool) {
        self.limit = limit
        self.received = received
    }

    /// False ends the exchange.
    func take(_ piece: ArraySlice<UInt8>) -> Bool {
        if limit > 0 {
            guard bytes.count + piece.count <= limit else { return false }
            bytes += piece
            return true
        }
        wasEnded = !received(piece)
        return !wasEnded
    }
}

/// Called by libcurl during `curl_easy_perform`, on its thread.
private func bodyArrived(
    _ data: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let data, let context else { return 0 }
    let collector = Unmanaged<BodyCollector>.fromOpaque(context).takeUnretainedValue()
    let bytes = UnsafeRawBufferPointer(start: data, count: size * count)
    return collector.take(Array(bytes)[...]) ? size * count : 0
}

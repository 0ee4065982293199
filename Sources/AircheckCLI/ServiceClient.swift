internal import Configuration
internal import JSONText
internal import Platform
internal import Transfers

/// Talks to a running service: over its socket, where the kernel vouches for us, or over HTTP with a token.
struct ServiceClient: Sendable {
    let endpoint: BlockingRequest.Endpoint
    private let token: String?

    private init(endpoint: BlockingRequest.Endpoint, token: String?) {
        self.endpoint = endpoint
        self.token = token
    }

    // MARK: Finding it

    /// The service that `--server`, the environment or the well-known sockets lead to; nil when none answers there.
    /// - Throws: when `--server` names one that does not answer.
    static func find(_ invocation: Invocation) throws -> ServiceClient? {
        let token = invocation.text("token") ?? Environment.value("AIRCHECK_TOKEN")
        if let named = invocation.text("server") ?? Environment.value("AIRCHECK_SERVER") {
            let client = ServiceClient(endpoint: try endpoint(named), token: token)
            guard client.answers else {
                throw CommandFailure(
                    .unavailable, "no service answers at \(named)",
                    remedy: "Start one with `aircheck serve`, or leave --server out.")
            }
            return client
        }
        for path in try SettingsFile.folders(invocation).controlSocketCandidates {
            let client = ServiceClient(endpoint: .unixSocket(path: path), token: token)
            if client.answers { return client }
        }
        return nil
    }

    /// As `find`, for commands that make no sense without a service.
    static func require(_ invocation: Invocation) throws -> ServiceClient {
        guard let client = try find(invocation) else {
            throw CommandFailure(
                .unavailable, "no service is running",
                remedy: "Start it with `aircheck serve` (or `make run`), or name one with --server.")
        }
        return client
    }

    private static func endpoint(_ text: String) throws -> BlockingRequest.Endpoint {
        if text.hasPrefix("/") { return .unixSocket(path: text) }
        guard text.hasPrefix("http://") || text.hasPrefix("https://") else {
            throw CommandFailure(
                .usage, "--server \(text): not an address",
                remedy: "Write http://host:2472 or the path of a socket.")
        }
        return .address(text.hasSuffix("/") ? String(text.dropLast()) : text)
    }

    private var answers: Bool {
        guard let answer = try? request("GET", "/healthz", nil, timeout: 3).perform() else { return false }
        return answer.status == 200
    }

    // MARK: Asking it

    func get(_ path: String) throws -> JSONValue { try send("GET", path) }

    /// - Throws: `CommandFailure` with the service's own words and remedy.
    @discardableResult
    func send(_ method: String, _ path: String, _ body: JSONValue? = nil, timeout: Double = 30) throws
        -> JSONValue
    {
        let answer: BlockingRequest.Answer
        do {
            answer = try request(method, path, body, timeout: timeout).perform()
        } catch {
            throw CommandFailure(.unavailable, "the service does not answer: \(error.description)")
        }
        let value = answer.body.isEmpty ? .null : try? JSONValue.parse(answer.body, limit: 64 << 20)
        guard (200..<300).contains(answer.status) else { throw Self.failure(answer.status, value) }
        guard let value else { throw CommandFailure(.unavailable, "the service's answer is not JSON") }
        return value
    }

    /// An answer that is no JSON, as it is.
    func text(_ path: String) throws -> String {
        let answer: BlockingRequest.Answer
        do {
            answer = try request("GET", path, nil, timeout: 30).perform()
        } catch {
            throw CommandFailure(.unavailable, "the service does not answer: \(error.description)")
        }
        guard answer.status == 200 else {
            throw Self.failure(answer.status, try? JSONValue.parse(answer.body, limit: 1 << 20))
        }
        return String(decoding: answer.body, as: UTF8.self)
    }

    /// Reads the service's events until `handle` returns false or the service goes away. Blocks.
    func follow(_ path: String, _ handle: @escaping (_ event: String, _ data: JSONValue) -> Bool) throws {
        var reader = ServerSentEvents()
        let stream = request("GET", path, nil, timeout: 0)
        do {
            _ = try stream.perform { piece in
                for event in reader.push(piece) {
                    guard let data = try? JSONValue.parse(event.data, limit: 1 << 20) else { continue }
                    if !handle(event.name, data) { return false }
                }
                return true
            }
        } catch {
            throw CommandFailure(.unavailable, "the service went away: \(error.description)")
        }
    }

    private func request(_ method: String, _ path: String, _ body: JSONValue?, timeout: Double)
        -> BlockingRequest
    {
        var headers = ["Accept: application/json", "User-Agent: \(Product.userAgent)"]
        if let token { headers.append("Authorization: Bearer \(token)") }
        if method != "GET" { headers.append("Content-Type: application/json") }
        let bytes = body.map { Array($0.text().utf8) } ?? (method == "GET" ? nil : [])
        return BlockingRequest(endpoint, method, path, headers: headers, body: bytes, timeout: timeout)
    }

    private static func failure(_ status: Int, _ body: JSONValue?) -> CommandFailure {
        let code: ExitCode =
            switch status {
            case 400, 413, 415, 422: .badData
            case 401, 403: .notAllowed
            case 404: .noInput
            case 409, 429, 503: .tryAgain
            default: .unavailable
            }
        let error = body?["error"]
        return CommandFailure(
            code, error?["message"]?.string ?? "the service answered \(status)",
            remedy: error?["remedy"]?.string)
    }
}

extension ServiceClient {
    /// A path segment or query value, percent-encoded to the last byte.
    static func encoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
        return encoded
    }
}

internal import CLinux
internal import Glibc
internal import HTTPWire
internal import Reactor

/// A request's body on its way into memory.
struct CollectedBody {
    let limit: Int
    var bytes: [UInt8] = []
    /// Bytes still to come, where the length was given.
    var remaining: Int64 = 0
    var decoder: ChunkedDecoder?

    var isComplete: Bool { decoder?.isDone ?? (remaining == 0) }

    /// Takes what belongs to the body off the front, and says how much that was.
    mutating func take(_ input: ArraySlice<UInt8>) throws(WireError) -> Int {
        guard var decoder else {
            let count = Int(min(remaining, Int64(input.count)))
            bytes += input.prefix(count)
            remaining -= Int64(count)
            return count
        }
        let used = try decoder.feed(input.span, into: &bytes)
        self.decoder = decoder
        guard bytes.count <= limit else { throw .bodyTooLarge }
        return used
    }
}

extension HTTPConnection {
    /// Reads from one connection before the others have their turn: 1 MiB, however fast the client sends.
    private static let readBudget = 16

    /// Reads what is there and goes on with it.
    func receive() {
        for _ in 0..<Self.readBudget {
            guard let number = socket?.number else { return }
            let count = recv(number, shard.buffer.baseAddress, shard.buffer.count, 0)
            if count < 0 {
                guard errno == EAGAIN || errno == EINTR else { return close() }
                return updateInterest()
            }
            if count == 0 { return peerEnded() }
            if case .lingering = phase { continue }
            input.append(contentsOf: shard.buffer[..<count])
            advance()
            switch phase {
            case .head, .body, .lingering: continue
            case .answering, .sending: return updateInterest()
            case .closed: return
            }
        }
        updateInterest()
    }

    /// Goes on with the bytes already read, request after request, until one has to wait. An answer that is finished while
    /// this runs does not run it again, so that many requests in one packet need no deep stack.
    func advance() {
        guard !isAdvancing else { return }
        isAdvancing = true
        defer { isAdvancing = false }
        while inputOffset < input.count {
            switch phase {
            case .head: advanceHead()
            case .body(let body): advance(body)
            case .answering, .sending, .lingering, .closed: return compactInput()
            }
        }
        compactInput()
    }

    private func compactInput() {
        input.removeFirst(inputOffset)
        inputOffset = 0
    }

    private func advanceHead() {
        if parser.isIdle { deadline = server.time.now.advanced(bySeconds: limits.headSeconds) }
        let (used, outcome) = parser.feed(input.span.extracting(inputOffset..<input.count))
        inputOffset += used
        switch outcome {
        case .needsMore: break
        case .failed(let error):
            server.refused(.badRequest)
            refuse(.problem(error))
        case .head(let head):
            parser = RequestParser(limits: limits.head)
            arrived(head)
        }
    }

    // MARK: A head is there

    private func arrived(_ head: RequestHead) {
        waitsNoMore()
        server.count { $0.requests += 1 }
        request = head
        client = site.proxies.client(of: head, behind: peer)
        deadline = nil
        keepsAlive = head.wantsKeepAlive && !shard.isDraining && !sawEnd
        hasUnreadBody = head.framing != .none
        guard site.isLocalSocket || site.hosts.allows(head.authority) else {
            server.refused(.host)
            return refuse(Self.misdirected)
        }
        switch site.application.plan(for: head, from: client) {
        case .refuse(let response): refuse(response)
        case .stream:
            keepsAlive = false
            dispatch(body: [])
        case .collect(let limit):
            if !site.isLocalSocket, let refusal = originRefusal(head) {
                server.refused(.origin)
                return refuse(refusal)
            }
            collect(head, limit: limit)
        case .collectAny(let limit): collect(head, limit: limit)
        }
    }

    private static let misdirected = HTTPResponse.problem(
        421, code: "unknown_host", message: "This service does not answer to that host name.",
        remedy: "Use its address, or add the name to server.hosts in the configuration.")

    private func collect(_ head: RequestHead, limit: Int) {
        var body = CollectedBody(limit: limit)
        switch head.framing {
        case .none, .untilClose:
            hasUnreadBody = false
            return dispatch(body: [])
        case .length(let length):
            guard length <= Int64(limit) else {
                server.refused(.bodySize)
                return refuse(.problem(WireError.bodyTooLarge))
            }
            body.remaining = length
        case .chunked: body.decoder = ChunkedDecoder()
        }
        deadline = server.time.now.advanced(bySeconds: limits.bodySeconds)
        phase = .body(body)
        sendContinue()
    }

    private func originRefusal(_ head: RequestHead) -> HTTPResponse? {
        let hasToken = if case .bearer = head.credentials { true } else { false }
        switch OriginCheck.verdict(on: head, isVouchedFor: hasToken) {
        case .allowed: return nil
        case .wrongMediaType:
            return .problem(
                415, code: "not_json", message: "This request needs the content type application/json.",
                remedy: "Send the header Content-Type: application/json.")
        case .foreignOrigin:
            return .problem(
                403, code: "foreign_origin",
                message: "Requests that change something are not taken from other pages.",
                remedy:
                    "Send an access token: Authorization: Bearer TOKEN. Make one with aircheck token create.")
        }
    }

    // MARK: A body is coming

    private func advance(_ body: CollectedBody) {
        var body = body
        // The phase lets go of the bytes while they grow here.
        phase = .answering
        do {
            inputOffset += try body.take(input[inputOffset...])
        } catch {
            server.refused(error == .bodyTooLarge ? .bodySize : .badRequest)
            return refuse(.problem(error))
        }
        if body.isComplete {
            hasUnreadBody = false
            deadline = nil
            dispatch(body: body.bytes)
        } else {
            phase = .body(body)
        }
    }

    private func dispatch(body: [UInt8]) {
        guard let head = request else { return }
        phase = .answering
        site.application.respond(
            to: HTTPRequest(head: head, body: body, peer: client),
            on: HTTPExchange(connection: self, request: head))
    }
}

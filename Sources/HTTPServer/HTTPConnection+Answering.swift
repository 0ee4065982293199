internal import CLinux
internal import Glibc
internal import HTTPWire
internal import Platform
internal import Reactor

extension HTTPConnection {
    /// Seconds that a client gets to read a refusal before the connection is closed under it.
    private static let lingerSeconds = 2.0
    /// Pieces sent before other connections have their turn.
    private static let pieceBudget = 8

    private var isAnswering: Bool { if case .answering = phase { true } else { false } }

    // MARK: Kinds of answers

    /// Answers and closes: what follows on this connection cannot be trusted, or was not read.
    func refuse(_ response: HTTPResponse) {
        waitsNoMore()
        phase = .answering
        deadline = nil
        // A request that was read to its end leaves the connection as good as before.
        if request == nil || hasUnreadBody {
            keepsAlive = false
            hasUnreadBody = true
        }
        answer(response)
    }

    func answer(_ response: HTTPResponse) {
        guard isAnswering else { return }
        let hasBody = AnswerHead.hasBody(response.status)
        let isHead = request?.method == "HEAD"
        begin(
            AnswerHead(
                status: response.status, fields: response.headers,
                framing: hasBody ? .length(Int64(response.body.count)) : .none, keepsAlive: keepsAlive),
            body: hasBody && !isHead ? response.body : [])
    }

    func answer(file: OpenFile, _ answer: FileAnswer) {
        guard isAnswering, let request else { return }
        let plan = FilePlan(for: request, answer)
        var head = AnswerHead(
            status: plan.status, fields: plan.headers + answer.headers, framing: .none, keepsAlive: keepsAlive
        )
        head.fields.append(HTTPResponse.Field(name: "Content-Type", value: answer.type))
        if plan.follows {
            setOpenFraming(&head)
        } else if AnswerHead.hasBody(plan.status) {
            head.framing = .length(Int64(plan.range.count))
        }
        guard request.method != "HEAD" else { return begin(head) }
        if plan.follows, let growth = answer.growth {
            begin(head, source: FollowedFile(file, growth: growth))
        } else {
            begin(head, source: WholeFile(file, plan.range))
        }
    }

    func answer(events: EventStream) {
        guard isAnswering else { return events.finished() }
        var head = AnswerHead(status: 200, fields: Self.eventFields, framing: .none, keepsAlive: keepsAlive)
        setOpenFraming(&head)
        begin(head, source: events)
    }

    private static let eventFields = [
        HTTPResponse.Field(name: "Content-Type", value: "text/event-stream"),
        HTTPResponse.Field(name: "Cache-Control", value: "no-cache"),
        HTTPResponse.Field(name: "X-Accel-Buffering", value: "no"),
    ]

    /// A body whose end nobody knows: chunks where the client understands them, else the end of the connection.
    private func setOpenFraming(_ head: inout AnswerHead) {
        if request?.version == .http11 {
            head.framing = .chunked
        } else {
            head.framing = .close
            head.keepsAlive = false
            keepsAlive = false
        }
    }

    func handOver(to handler: (consuming TakenSocket) -> Void) {
        guard isAnswering else { return }
        letGo()
        server.count { $0.handedOver += 1 }
        guard let descriptor = socket.take() else { return }
        let leftover = Array(input[inputOffset...])
        input = []
        inputOffset = 0
        handler(TakenSocket(descriptor: descriptor, leftover: leftover, peer: client, loop: loop))
    }

    func sendContinue() {
        guard request?.expectsContinue == true, inputOffset == input.count else { return }
        output.append(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        writeOutput()
    }

    // MARK: Sending

    private func begin(_ head: AnswerHead, body: [UInt8] = [], source: (any BodySource)? = nil) {
        server.count { $0.answers[head.status / 100, default: 0] += 1 }
        output.append(head.bytes(version: request?.version ?? .http11, date: shard.httpDate()) + body)
        self.source = source
        isChunked = head.framing == .chunked
        phase = .sending
        lastProgress = server.time.now
        flush()
    }

    /// Sends as much as the client takes, and asks the source for more.
    func flush() {
        guard case .sending = phase else { return }
        for _ in 0..<Self.pieceBudget {
            guard writeOutput() == .drained else { return }
            guard let source else { return answered() }
            isWaiting = false
            switch source.nextPiece() {
            case .bytes(let bytes): output.append(isChunked ? ChunkedEncoder.chunk(bytes) : bytes)
            case .file(let file, let range): output.append(file, range)
            case .wait(let seconds):
                isWaiting = true
                if let seconds { loop.after(seconds) { [weak self] in self?.flush() } }
                return updateInterest()
            case .end:
                if isChunked { output.append(ChunkedEncoder.end) }
                self.source = nil
                source.finished()
            }
        }
        // The socket is writable and says so again, after the others.
        updateInterest()
    }

    @discardableResult
    private func writeOutput() -> OutputQueue.Progress {
        guard let number = socket?.number else { return .failed }
        var written = 0
        let progress = output.write(to: number, written: &written)
        if written > 0 { lastProgress = server.time.now }
        switch progress {
        case .drained: break
        case .blocked: updateInterest()
        case .failed: close()
        }
        return progress
    }

    /// The answer is out. Next: another request, or the end.
    private func answered() {
        if keepsAlive && !shard.isDraining {
            waitForNextHead()
            advance()
            if !isAdvancing { updateInterest() }
        } else if hasUnreadBody {
            linger()
        } else {
            close()
        }
    }

    private func linger() {
        guard let number = socket?.number else { return }
        phase = .lingering
        deadline = server.time.now.advanced(bySeconds: Self.lingerSeconds)
        shutdown(number, Int32(SHUT_WR))
        updateInterest()
    }
}

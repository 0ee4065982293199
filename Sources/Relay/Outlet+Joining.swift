internal import Feed
internal import Platform
internal import Reactor

extension Outlet {
    /// A listener has come: it is served at once, or waits for the first audio. The socket is ours from here on.
    func join(socket: Int32, request: ListenerRequest, facts: ListenerFacts) {
        let now = host.time.now
        let until = now.advanced(bySeconds: context.settings.patience)
        open()
        feed.hurry()
        emptySince = nil
        let newcomer = Waiting(socket: socket, request: request, facts: facts, until: until)
        if let stream, stream.isHeard(at: now) { return serve(newcomer, from: stream, now: now) }
        waiting.append(newcomer)
        // The station may have mended what nobody could be sent.
        if unfit == nil { serveWaiting(now: now) } else { drain(now: now) }
    }

    /// Serves those who wait once there is audio; tells them why not when there will be none.
    func serveWaiting(now: MonotonicTime) {
        if let stream, stream.isHeard(at: now) {
            setWarm(stream.holds(context.settings.burst))
            guard !waiting.isEmpty else { return }
            let newcomers = waiting
            waiting = []
            for newcomer in newcomers { serve(newcomer, from: stream, now: now) }
        } else if !waiting.isEmpty {
            giveUp(now: now)
        }
    }

    private func giveUp(now: MonotonicTime) {
        let status = feed.status
        var left: [Waiting] = []
        for newcomer in waiting {
            if status.state == .failed || newcomer.until < now || unfit != nil {
                counting.unserved += 1
                refuse(newcomer, .noAudio(unfit?.reason ?? status.reason))
            } else {
                left.append(newcomer)
            }
        }
        waiting = left
        if waiting.isEmpty, table.count == 0 { emptySince = now }
    }

    private func serve(_ newcomer: Waiting, from stream: MountStream, now: MonotonicTime) {
        let burst = context.settings.burst
        switch (newcomer.request.kind, newcomer.request.range) {
        case (.head, _):
            let wantsTitles = newcomer.request.wantsTitles
            finish(newcomer, with: stream.head(wantsTitles: wantsTitles, request: newcomer.request))
        case (.resumed(let handed), _): resume(newcomer, handed, from: stream, now: now)
        case (.stream, .probe(let count)):
            let head = stream.head(wantsTitles: false, request: newcomer.request)
            finish(newcomer, with: head + stream.sample(count, burst: burst))
        case (.stream, _):
            var round = ListenerTable.Round()
            counting.connections += 1
            stream.join(
                socket: newcomer.socket, request: newcomer.request, facts: newcomer.facts, burst: burst,
                now: now,
                table: &table, round: &round)
            watch(newcomer.socket)
            settle(&round)
        }
    }

    func watch(_ socket: Int32) {
        guard let index = host.map[socket] else { return }
        do {
            // Edge-triggered, once and for all: the kernel speaks up after a write that came up short, and never else.
            let token = try host.loop.watch(
                socket, for: [.writable, .peerClosed, .edge], handler: self,
                tag: UInt64(UInt32(bitPattern: socket)))
            table.update(index) { $0.watch = token }
        } catch {
            Log.error("relay", "cannot watch a listener", ["mount": name, "error": "\(error)"])
        }
    }

    // MARK: Answers that end

    /// Why a listener is sent away.
    enum Refusal {
        case noAudio(String?)
        /// Its mount begins anew: by the administrator's wish, for a change of the station, for the next process.
        case sentAway
        case serviceEnds
    }

    func refuse(_ newcomer: Waiting, _ refusal: Refusal) {
        // In the middle of a stream there is nothing to say.
        if case .resumed = newcomer.request.kind { return finish(newcomer, with: []) }
        let text =
            switch refusal {
            case .noAudio(let reason): "No audio from this station: \(reason ?? "it is silent")"
            case .sentAway: "This mount begins anew; ask again."
            case .serviceEnds: "The service is ending."
            }
        finish(newcomer, with: RawAnswer.refusal(503, text, to: newcomer.request.kind, by: context.identity))
    }

    private func finish(_ newcomer: Waiting, with bytes: [UInt8]) {
        RawAnswer.finish(newcomer.socket, with: bytes)
        countOut(newcomer.facts)
        if table.count == 0, waiting.isEmpty, emptySince == nil { emptySince = host.time.now }
    }

    // MARK: For the administrator

    func listeners() -> [ListenerStatus] {
        let now = host.time.now
        return (0..<table.count).map { index in
            let row = table.row(index)
            return ListenerStatus(
                facts: table.facts(index), connectedSeconds: now.seconds(since: row.joined),
                sentBytes: row.sentBytes,
                behindSeconds: stream?.behind(row) ?? 0, skips: Int(row.skips))
        }
    }

    /// Ends the listener with this id; false when it is not here.
    func kill(_ id: Int64) -> Bool {
        guard let index = (0..<table.count).first(where: { table.facts($0).id == id }) else { return false }
        var round = ListenerTable.Round()
        table.remove(index, why: .ended, round: &round)
        settle(&round)
        return true
    }
}

internal import Feed
internal import Platform
internal import StreamFormats

extension Outlet {
    /// Events taken from the feed at a time.
    private static let readLimit = 512
    /// Seconds without audio after which a listener that sends no more is taken for gone.
    private static let silenceLimit = 5.0

    /// Takes what the feed has, once for all listeners here.
    func drain(now: MonotonicTime) {
        guard let reader else { return }
        readAll(of: reader) { take($0, now: now) }
        drainFallback(now: now)
        serveWaiting(now: now)
    }

    private func readAll(of reader: FeedReader, _ take: (FeedEvent) -> Void) {
        var count = Self.readLimit
        while count >= Self.readLimit {
            let batch = reader.read(limit: Self.readLimit)
            count = batch.events.count
            for event in batch.events { take(event) }
        }
    }

    private func take(_ event: FeedEvent, now: MonotonicTime) {
        switch event {
        case .format(let format, _): if stream?.carries(format) == false { endOfFormat() }
        case .audio(let chunk):
            returnFromFallback()
            lastOwnAudio = now
            append(chunk, now: now)
        case .title(let mark):
            title = mark
            if fallbackReader == nil { stream?.append(mark) }
        case .retitled(let marks):
            if let current = marks.last(where: { $0.position == title?.position }) { title = current }
            stream?.retitle(marks)
        case .gap: break
        }
    }

    private func append(_ chunk: Chunk, now: MonotonicTime) {
        guard unfit == nil || unfit?.format != chunk.format else { return }
        unfit = nil
        if stream == nil { begin(chunk, now: now) }
        do throws(MountStream.Failure) {
            try stream?.append(chunk, now: now)
        } catch {
            Log.error("relay", "a mount's stream has ended", ["mount": name, "reason": "\(error)"])
            endOfFormat()
        }
    }

    // MARK: Fallback

    /// Seconds without audio of its own after which a mount with a fallback takes that.
    private static let fallbackAfter = 5.0

    private func drainFallback(now: MonotonicTime) {
        if fallbackReader == nil, now.seconds(since: lastOwnAudio) > Self.fallbackAfter {
            fallbackReader = fallback()?.open(
                name: "fallback of /\(name)", from: .live, wake: { [weak self] in self?.woken() })
        }
        guard let fallbackReader else { return }
        readAll(of: fallbackReader) { event in
            switch event {
            case .audio(let chunk) where stream?.carries(chunk.format) != false: append(chunk, now: now)
            case .title(let mark): stream?.append(mark)
            case .audio, .format, .gap, .retitled: break
            }
        }
    }

    private func returnFromFallback() {
        guard let reader = fallbackReader else { return }
        reader.close()
        fallbackReader = nil
        if let title { stream?.append(title) }
    }

    // MARK: The stream

    private func begin(_ chunk: Chunk, now: MonotonicTime) {
        do throws(MountStream.Failure) {
            let facts = mountFacts(chunk.format, byteRate: nil)
            let stream = try MountStream(
                format: chunk.format, facts: facts, settings: context.settings, identity: context.identity,
                now: now)
            if let title { stream.append(title) }
            openedOn = host.time.wall
            self.stream = stream
        } catch {
            Log.error("relay", "no ring for a mount", ["mount": name, "error": "\(error)"])
            if case .tooLarge = error { unfit = (chunk.format, "\(error)") }
        }
    }

    /// The station became another type: its listeners were promised the old one and must come again.
    private func endOfFormat() {
        var round = ListenerTable.Round()
        while table.count > 0 { table.remove(table.count - 1, why: .ended, round: &round) }
        settle(&round)
        stream = nil
        openedOn = nil
        publish()
    }

    /// What the mount says of itself, from the format, the station's answer and the catalogue.
    private func mountFacts(_ format: AudioFormat, byteRate: Double?) -> MountFacts {
        let (status, station) = (feed.status, feed.station)
        let measured = byteRate.map { Int(bounded: ($0 * 8 / 1000).rounded()) }
        return MountFacts(
            mediaType: format.mediaType, name: status.stationName ?? station.name,
            genre: status.genre ?? station.genre, homepage: status.homepage ?? station.homepage,
            about: status.stationDescription,
            bitrate: status.advertisedBitrate ?? station.bitrate ?? measured,
            sampleRate: format.sampleRate, channels: format.channels,
            carriesTitles: format.container == .elementary)
    }

    /// Once a second: who has listened too long, who has gone without a word, whether anybody is left.
    func keepHouse(now: MonotonicTime) {
        if let stream {
            table.slowRule.lag = stream.lag(
                seconds: context.settings.lagSeconds, burst: context.settings.burst)
            if let format = feed.format, stream.carries(format) {
                stream.update(mountFacts(format, byteRate: stream.byteRate))
            }
        }
        countListeners(now: now)
        publish()
        closeIfEmpty(now: now)
    }

    private func countListeners(now: MonotonicTime) {
        let duration = context.settings.limits.duration
        let isSilent = stream.map { now.seconds(since: $0.lastAudio) > Self.silenceLimit } ?? true
        var (round, listeners) = (ListenerTable.Round(), 0)
        for index in (0..<table.count).reversed() {
            let row = table.row(index)
            let age = now.seconds(since: row.joined)
            if duration > 0, age > duration {
                context.ledger.withLock { $0.count(.duration) }
                table.remove(index, why: .duration, round: &round)
            } else if row.isHalfClosed, isSilent {
                table.remove(index, why: .left, round: &round)
            } else if age >= Self.probeSeconds || row.sentBytes > Self.probeBytes {
                listeners += 1
            }
        }
        settle(&round)
        counting.listeners = listeners
        counting.peak = max(counting.peak, listeners)
    }

    /// Whoever left before this was a probe and is not counted as a listener.
    private static let probeSeconds = 2.0
    private static let probeBytes: Int64 = 300 << 10

    private func closeIfEmpty(now: MonotonicTime) {
        guard !isPinned, table.count == 0, waiting.isEmpty, let emptySince else { return }
        if now.seconds(since: emptySince) >= context.settings.linger { close() }
    }
}

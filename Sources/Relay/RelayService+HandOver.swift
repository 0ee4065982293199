internal import Feed
internal import Glibc
internal import Platform
internal import Reactor
internal import StreamFormats

extension RelayService {
    /// Lets go of every listener without a word, each at the end of a frame, for the process that takes our place. Blocks
    /// until all loops have done so; not from a loop's thread.
    package func handOver() -> [HandedListener] {
        let mounts = allMounts
        let found = Monitor((left: mounts.count, listeners: [HandedListener]()))
        for mount in mounts {
            mount.takeAll { here in
                found.change {
                    $0.left -= 1
                    $0.listeners += here
                }
            }
        }
        return found.wait { $0.left == 0 ? $0.listeners : nil }
    }

    /// Takes over the listeners of the process before us; what cannot go on is closed.
    package func adopt(_ listeners: [HandedListener]) {
        for listener in listeners {
            let path = listener.mount.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            guard fcntl(listener.socket, F_SETFD, FD_CLOEXEC) == 0, (1...2).contains(path.count),
                let mount = mount(at: path), let peer = PeerAddress(text: listener.address)
            else {
                Glibc.close(listener.socket)
                continue
            }
            let facts = ListenerFacts(
                id: newListenerID(), peer: peer,
                userAgent: listener.userAgent, bitRate: listener.bitRate)
            context.ledger.withLock {
                $0.readmit(mount: mount.name, address: facts.peer.limitKey, bitRate: facts.bitRate)
            }
            mount.join(
                socket: listener.socket, request: ListenerRequest(kind: .resumed(listener)), facts: facts)
        }
    }
}

extension Outlet {
    /// Takes all listeners out of the table; their sockets are the caller's from now on. Loop thread.
    func handOver() -> [HandedListener] {
        defer { sendAllAway() }
        guard let stream else { return [] }
        let now = host.time.now
        var (round, handed) = (ListenerTable.Round(), [HandedListener]())
        drain(now: now)
        stream.writeBatch(0..<table.count, table: &table, round: &round)
        settle(&round)
        while table.count > 0 {
            let last = table.count - 1
            let (row, facts) = (table.row(last), table.facts(last))
            let rest = stream.endOfFrame(last, table: &table)
            let cursor = table.row(last).cursor
            if let watch = row.watch { host.loop.unwatch(watch) }
            table.forget(last)
            countOut(facts)
            let owned = FileDescriptor(owning: row.socket)
            guard rest.count <= Self.mostRest, let socket = ListeningSockets.passedOn(owned) else { continue }
            handed.append(
                HandedListener(
                    socket: socket, mount: name, mediaType: stream.facts.mediaType, rest: rest,
                    untilBlock: cursor.untilBlock, metaint: context.settings.metaint, at: now,
                    address: facts.peer.text, userAgent: facts.userAgent, bitRate: facts.bitRate))
        }
        return handed
    }

    /// One that has so much before it lags; it comes again by itself.
    private static let mostRest = 64 << 10

    /// Goes on with a listener of the process before us, from about where that one had brought it.
    func resume(_ newcomer: Waiting, _ handed: HandedListener, from stream: MountStream, now: MonotonicTime) {
        guard handed.mediaType == stream.facts.mediaType, handed.metaint == context.settings.metaint,
            stream.facts.resumes
        else {
            Glibc.close(newcomer.socket)
            countOut(newcomer.facts)
            return
        }
        var round = ListenerTable.Round()
        counting.connections += 1
        stream.resume(
            newcomer.socket, handed, facts: newcomer.facts, missed: now.seconds(since: handed.at), now: now,
            table: &table, round: &round)
        watch(newcomer.socket)
        settle(&round)
    }
}

extension MountFacts {
    /// Frames stand for themselves: MPEG audio and ADTS. A decoder of Ogg or FLAC would need its headers anew.
    fileprivate var resumes: Bool { carriesTitles }
}

internal import Glibc
internal import HTTPWire
package import Platform
package import Reactor

/// Lets devices in the house find the media server: says that it is there, and answers those who look for it.
///
/// It lives on one loop. Interfaces that come later are found within half a minute.
package final class SsdpService: EventHandler, @unchecked Sendable {
    // Sendable because what changes is touched on the loop's thread alone.
    private let loop: EventLoop
    private let bind: String
    private let port: UInt16
    private let messages: SsdpMessages
    private let time: any TimeSource

    private var ear: DatagramSocket?
    private var watch: WatchToken?
    private var mouths: [NetworkInterface: DatagramSocket] = [:]
    private var timers: [LoopTimer] = []
    private var rounds = 0
    /// Answers that wait for their moment.
    private var waiting = 0

    /// Seconds between two looks at the interfaces.
    private static let lookSeconds = 30.0
    /// Looks between two announcements: a third of the time that they hold.
    private static let looksPerRound = SsdpMessages.maxAge / 3 / 30
    /// Searches that are answered at a time; more are somebody's flood.
    private static let waitingLimit = 64

    /// - Parameters:
    ///   - bind: the address that mounts are bound to; it says which networks hear of the server.
    ///   - port: the port of the mounts, where the description is.
    ///   - uuid: of the device.
    package init(
        loop: EventLoop, bind: String, port: UInt16, uuid: String, version: String,
        time: any TimeSource = SystemTime()
    ) {
        self.loop = loop
        self.bind = bind
        self.port = port
        self.time = time
        messages = SsdpMessages(uuid: uuid, server: "Linux UPnP/1.0 aircheck/\(version)")
    }

    /// Begins. Any thread.
    /// - Throws: `SystemError` when the port cannot be had.
    package func start() throws(SystemError) {
        let ear = try DatagramSocket.listening(to: SsdpMessages.group, port: SsdpMessages.port)
        loop.submit { [self] in
            self.ear = ear
            watch = try? loop.watch(ear.descriptor.number, for: .readable, handler: self)
            look()
            // Datagrams get lost: the first announcement is made twice.
            timers = [
                loop.after(1) { [weak self] in self?.announce() },
                loop.every(Self.lookSeconds) { [weak self] in self?.look() },
            ]
        }
    }

    /// Says goodbye and ends. Any thread; done when the loop comes to it.
    package func stop() {
        loop.submit { [self] in
            for timer in timers { timer.cancel() }
            timers = []
            for interface in Array(mouths.keys) { tell(messages.goodbye(), on: interface) }
            if let watch { loop.unwatch(watch) }
            (watch, ear) = (nil, nil)
            mouths = [:]
        }
    }

    // MARK: Announcing

    private func look() {
        let present = Set(NetworkInterface.reached(by: bind))
        for gone in mouths.keys.filter({ !present.contains($0) }) { mouths[gone] = nil }
        for new in present where mouths[new] == nil {
            do throws(SystemError) {
                mouths[new] = try DatagramSocket.sending(from: new.address)
                ear?.join(SsdpMessages.group, on: new)
                Log.info("dlna", "announced", ["interface": new.name, "address": new.address])
                tell(messages.alive(location: location(new.address)), on: new)
            } catch {
                Log.warning("dlna", "cannot announce", ["interface": new.name, "error": "\(error)"])
            }
        }
        rounds += 1
        if rounds % Self.looksPerRound == 0 { announce() }
    }

    private func announce() {
        for interface in Array(mouths.keys) {
            tell(messages.alive(location: location(interface.address)), on: interface)
        }
    }

    private func tell(_ texts: [String], on interface: NetworkInterface) {
        guard let group = SocketAddress(SsdpMessages.group, port: SsdpMessages.port) else { return }
        for text in texts { mouths[interface]?.send(text, to: group) }
    }

    private func location(_ address: String) -> String { "http://\(address):\(port)/dlna/device.xml" }

    // MARK: Answering

    /// There are datagrams. Loop thread.
    package func ready(_ events: IOEvents, tag: UInt64) {
        for _ in 0..<Self.waitingLimit {
            guard let (bytes, sender) = ear?.receive() else { return }
            guard let search = SsdpSearch(bytes), sender.isOfTheHouse else { continue }
            answer(search, to: sender)
        }
    }

    private func answer(_ search: SsdpSearch, to sender: SocketAddress) {
        guard waiting < Self.waitingLimit, let own = NetworkInterface.facing(sender.text),
            let interface = mouths.keys.first(where: { $0.address == own })
        else { return }
        let texts = messages.answers(
            to: search, location: location(own),
            date: HTTPDate.text(secondsSince1970: time.wall.nanoseconds / 1_000_000_000))
        guard !texts.isEmpty else { return }
        waiting += 1
        // Spread, so that an asker is not hit by the whole house at once.
        loop.after(Double.random(in: 0...max(Double(search.spread) * 0.8, 0.01))) { [weak self] in
            guard let self else { return }
            waiting -= 1
            for text in texts { mouths[interface]?.send(text, to: sender) }
        }
    }
}

internal import CBus
internal import Glibc
package import Platform
internal import Reactor

/// Shows the player on the session bus, so that media keys, desktops and `playerctl` can drive it.
///
/// It has a thread of its own. Where there is no bus it does nothing; a bus that goes away is looked for again.
package final class MPRISDoor: @unchecked Sendable {
    // Sendable because `link`, `surface` and `isClosed` are touched on `loop`'s thread only.
    private let loop: EventLoop
    private let view: @Sendable () -> MPRISView
    private let perform: @Sendable (MPRISOrder) -> Void
    private var surface = MPRISSurface()
    private var link: MPRISLink?
    private var isClosed = false
    private let connected = Lock(false)
    private let time = SystemTime()

    /// Seconds after which a bus that was lost is looked for again.
    private static let retry = 10.0

    /// Starts the thread and looks for the bus.
    /// - Parameters:
    ///   - view: what the player is now; asked on the door's thread, at once.
    ///   - perform: what somebody on the bus wants; called on the door's thread, returns at once.
    package init(
        view: @escaping @Sendable () -> MPRISView, perform: @escaping @Sendable (MPRISOrder) -> Void
    ) throws(SystemError) {
        loop = try EventLoop(name: "mpris")
        self.view = view
        self.perform = perform
        loop.submit { [self] in connect() }
    }

    /// Whether the player is on a bus now. Any thread.
    package var isConnected: Bool { connected.withLock { $0 } }

    /// Something of the player has changed. Any thread; returns at once.
    package func playerChanged() { loop.submit { [self] in tell() } }

    /// Leaves the bus and ends the thread.
    package func close() {
        loop.submit { [self] in
            isClosed = true
            link?.close()
            link = nil
        }
        loop.stop()
    }

    // MARK: Loop thread

    private func connect() {
        guard !isClosed, link == nil else { return }
        _ = surface.take(view())
        do {
            link = try MPRISLink(
                loop: loop, answer: { [weak self] call in self?.answer(call) ?? 0 },
                lost: { [weak self] failure in self?.lost(failure) })
            connected.withLock { $0 = true }
            Log.info("mpris", "media keys and desktops reach the player")
        } catch {
            Log.info("mpris", "there is no session bus", ["reason": error.description])
            lookAgain()
        }
    }

    private func lost(_ failure: BusFailure) {
        Log.info("mpris", "the session bus has gone", ["reason": failure.description])
        link?.close()
        link = nil
        connected.withLock { $0 = false }
        lookAgain()
    }

    private func lookAgain() {
        loop.after(Self.retry) { [weak self] in self?.connect() }
    }

    private func tell() {
        let changed = surface.take(view())
        let jump = surface.jump(at: Double(time.now.nanoseconds) / 1e9)
        guard let link else { return }
        do {
            if !changed.isEmpty { try link.signal(changed) }
            if let jump { try link.signal(seekedTo: jump) }
        } catch {
            lost(error)
        }
    }

    /// Answers a call, or leaves it to the bus.
    private func answer(_ call: OpaquePointer) -> Int32 {
        guard let interface = text(aircheck_bus_interface(call)), let member = text(aircheck_bus_member(call))
        else { return 0 }
        do {
            switch interface {
            case "org.freedesktop.DBus.Properties": return try property(member, call)
            case "org.freedesktop.DBus.Introspectable":
                return try reply(call) { message throws(BusFailure) in
                    try message.write(.text(MPRISSurface.introspection))
                }
            case MPRISSurface.root: return MPRISSurface.rootMethods.contains(member) ? try reply(call) : 0
            case MPRISSurface.player: return try player(member, call)
            default: return 0
            }
        } catch {
            Log.debug("mpris", "a call was not answered", ["member": member, "reason": error.description])
            return -error.code
        }
    }

    private func player(_ method: String, _ call: OpaquePointer) throws(BusFailure) -> Int32 {
        if method == "OpenUri" {
            guard let address = read(call) else { return -EINVAL }
            perform(.open(address))
            return try reply(call)
        }
        if ["Seek", "SetPosition"].contains(method) {
            _ = surface.take(view())
            if let order = jump(method, call) { perform(order) }
            return try reply(call)
        }
        guard let order = surface.order(method) else { return 0 }
        if let order { perform(order) }
        return try reply(call)
    }

    private func jump(_ method: String, _ call: OpaquePointer) -> MPRISOrder? {
        var number: Int64 = 0
        if method == "Seek" {
            return aircheck_bus_read(call, letter("x"), &number) > 0 ? surface.seek(by: number) : nil
        }
        var path: UnsafePointer<CChar>?
        guard aircheck_bus_read(call, letter("o"), &path) > 0, let track = text(path),
            aircheck_bus_read(call, letter("x"), &number) > 0
        else { return nil }
        return surface.position(number, of: track)
    }

    private func property(_ method: String, _ call: OpaquePointer) throws(BusFailure) -> Int32 {
        _ = surface.take(view())
        guard let interface = read(call), let facts = surface.facts(of: interface) else {
            return refuse(call, "UnknownInterface", "there is no such interface")
        }
        if method == "GetAll" {
            return try reply(call) { message throws(BusFailure) in try message.write(.facts(facts)) }
        }
        guard let name = read(call), let fact = facts.first(where: { $0.name == name }) else {
            return refuse(call, "UnknownProperty", "there is no such property")
        }
        switch method {
        case "Get": return try reply(call) { message throws(BusFailure) in try message.variant(fact.value) }
        case "Set": return try set(name, call)
        default: return 0
        }
    }

    private func set(_ name: String, _ call: OpaquePointer) throws(BusFailure) -> Int32 {
        switch MPRISSurface.access(to: name) {
        case .readOnly: return refuse(call, "PropertyReadOnly", "\(name) cannot be set")
        case .pretended: return try reply(call)
        case .settable: break
        }
        var number = 0.0
        guard aircheck_bus_enter(call, letter("v"), "d") > 0,
            aircheck_bus_read(call, letter("d"), &number) > 0, number.isFinite
        else { return refuse(call, "InvalidArgs", "\(name) is a number") }
        if name == "Volume" { perform(.volume(Int((min(max(number, 0), 1) * 100).rounded()))) }
        if name == "Rate", let order = surface.rate(number) { perform(order) }
        return try reply(call)
    }

    private func reply(
        _ call: OpaquePointer, _ write: (borrowing BusMessage) throws(BusFailure) -> Void = { _ in }
    )
        throws(BusFailure) -> Int32
    {
        let message = try BusMessage.reply(to: call)
        try write(message)
        try message.send()
        return 1
    }

    private func refuse(_ call: OpaquePointer, _ name: String, _ text: String) -> Int32 {
        aircheck_bus_reply_error(call, "org.freedesktop.DBus.Error." + name, text) < 0 ? 0 : 1
    }

    private func read(_ call: OpaquePointer) -> String? {
        var value: UnsafePointer<CChar>?
        guard aircheck_bus_read(call, letter("s"), &value) > 0 else { return nil }
        return text(value)
    }

    private func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }
}

internal import CBus
internal import Glibc
internal import Platform
internal import Reactor

/// One connection to the session bus, with our object and name on it. Loop thread only.
final class MPRISLink: EventHandler {
    private let bus: OpaquePointer
    private let loop: EventLoop
    private let answer: (OpaquePointer) -> Int32
    private let lost: (BusFailure) -> Void
    private var token: WatchToken?
    private var isOpen = true

    /// Calls that are answered before the loop looks at its other work.
    private static let batch = 64

    /// Connects, and takes the name; where another aircheck has it, a longer one with our process in it.
    /// - Parameters:
    ///   - answer: told of each call; as `aircheck_bus_handler`.
    ///   - lost: told when the connection has broken; not by `close`.
    init(
        loop: EventLoop, answer: @escaping (OpaquePointer) -> Int32, lost: @escaping (BusFailure) -> Void
    ) throws(BusFailure) {
        var opened: OpaquePointer?
        try BusFailure.check(aircheck_bus_open(&opened), "connecting to the session bus")
        guard let opened else { throw BusFailure(code: ENOENT, attempt: "connecting to the session bus") }
        bus = opened
        self.loop = loop
        self.answer = answer
        self.lost = lost
        do {
            try begin()
        } catch {
            close()
            throw error
        }
    }

    private func begin() throws(BusFailure) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        try BusFailure.check(
            aircheck_bus_serve(bus, MPRISSurface.path, busCalled, context), "adding the object")
        if aircheck_bus_take_name(bus, MPRISSurface.name) < 0 {
            let second = MPRISSurface.name + ".instance\(getpid())"
            try BusFailure.check(aircheck_bus_take_name(bus, second), "taking the name \(second)")
        }
        do {
            token = try loop.watch(aircheck_bus_descriptor(bus), for: .readable, handler: self)
        } catch {
            throw BusFailure(code: EIO, attempt: "watching the bus")
        }
        process()
    }

    /// Next: the bus calls `busCalled` for each call to our object.
    func ready(_ events: IOEvents, tag: UInt64) { process() }

    fileprivate func called(_ call: OpaquePointer) -> Int32 { answer(call) }

    /// Tells everybody which properties of the player are new.
    func signal(_ facts: [BusFact]) throws(BusFailure) {
        let message = try BusMessage.signal(
            bus, MPRISSurface.path, "org.freedesktop.DBus.Properties", "PropertiesChanged")
        try message.write(.text(MPRISSurface.player))
        try message.write(.facts(facts))
        try message.write(.texts([]))
        try message.send()
        process()
    }

    /// Tells everybody that the recording is at another place than time alone would have brought it to.
    func signal(seekedTo position: Int64) throws(BusFailure) {
        let message = try BusMessage.signal(bus, MPRISSurface.path, MPRISSurface.player, "Seeked")
        try message.write(.whole(position))
        try message.send()
        process()
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        if let token { loop.unwatch(token) }
        token = nil
        aircheck_bus_close(bus)
    }

    private func process() {
        for _ in 0..<Self.batch where isOpen {
            let result = aircheck_bus_process(bus)
            if result < 0 { return lost(BusFailure(code: -result, attempt: "talking to the session bus")) }
            if result == 0 { break }
        }
        guard isOpen, let token else { return }
        // What could not be sent yet goes when there is room.
        let wanted = aircheck_bus_events(bus)
        loop.modify(
            token, to: wanted > 0 && wanted & Int32(POLLOUT) != 0 ? [.readable, .writable] : .readable)
    }
}

/// The bus's way to the object's handler. On the loop's thread, inside `aircheck_bus_process`.
private nonisolated func busCalled(_ call: OpaquePointer?, _ context: UnsafeMutableRawPointer?) -> Int32 {
    guard let call, let context else { return 0 }
    return Unmanaged<MPRISLink>.fromOpaque(context).takeUnretainedValue().called(call)
}

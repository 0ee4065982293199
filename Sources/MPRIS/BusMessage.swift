internal import CBus
internal import Glibc

/// Why the bus did not do what it was asked.
struct BusFailure: Error, Sendable, Hashable, CustomStringConvertible {
    let code: Int32
    let attempt: String

    var description: String { "\(attempt): \(String(cString: strerror(code)))" }

    /// Throws what a function of the bus returned, if it is an error.
    @discardableResult
    static func check(_ result: Int32, _ attempt: String) throws(BusFailure) -> Int32 {
        guard result >= 0 else { throw BusFailure(code: -result, attempt: attempt) }
        return result
    }
}

/// A message that is being written, and freed by whoever lets go of it.
struct BusMessage: ~Copyable {
    private let raw: OpaquePointer

    static func reply(to call: OpaquePointer) throws(BusFailure) -> BusMessage {
        var raw: OpaquePointer?
        try BusFailure.check(aircheck_bus_new_reply(call, &raw), "making a reply")
        guard let raw else { throw BusFailure(code: ENOMEM, attempt: "making a reply") }
        return BusMessage(raw: raw)
    }

    static func signal(_ bus: OpaquePointer, _ path: String, _ interface: String, _ member: String)
        throws(BusFailure) -> BusMessage
    {
        var raw: OpaquePointer?
        try BusFailure.check(
            aircheck_bus_new_signal(bus, path, interface, member, &raw), "making a signal")
        guard let raw else { throw BusFailure(code: ENOMEM, attempt: "making a signal") }
        return BusMessage(raw: raw)
    }

    private init(raw: OpaquePointer) { self.raw = raw }
    deinit { aircheck_bus_free(raw) }

    func send() throws(BusFailure) { try BusFailure.check(aircheck_bus_send(raw), "sending") }

    func write(_ value: BusValue) throws(BusFailure) {
        switch value {
        case .text(let text): try write(text, as: "s")
        case .path(let path): try write(path, as: "o")
        case .texts(let texts):
            try container("a", "s") { () throws(BusFailure) in
                for text in texts { try write(text, as: "s") }
            }
        case .truth(let truth): try basic("b", Int32(truth ? 1 : 0))
        case .real(let number): try basic("d", number)
        case .whole(let number): try basic("x", number)
        case .facts(let facts):
            try container("a", "{sv}") { () throws(BusFailure) in
                for fact in facts {
                    try container("e", "sv") { () throws(BusFailure) in
                        try write(fact.name, as: "s")
                        try variant(fact.value)
                    }
                }
            }
        }
    }

    func variant(_ value: BusValue) throws(BusFailure) {
        try container("v", value.signature) { () throws(BusFailure) in try write(value) }
    }

    private func container(_ type: Unicode.Scalar, _ contents: String, _ body: () throws(BusFailure) -> Void)
        throws(BusFailure)
    {
        try BusFailure.check(aircheck_bus_open_container(raw, letter(type), contents), "writing")
        try body()
        try BusFailure.check(aircheck_bus_close_container(raw), "writing")
    }

    private func write(_ text: String, as type: Unicode.Scalar) throws(BusFailure) {
        // The bus takes no zero bytes, and stations have been seen to send some.
        let plain = text.utf8.contains(0) ? String(text.filter { $0 != "\0" }) : text
        let result = plain.withCString { aircheck_bus_append(raw, letter(type), $0) }
        try BusFailure.check(result, "writing")
    }

    private func basic<Value>(_ type: Unicode.Scalar, _ value: Value) throws(BusFailure) {
        let result = withUnsafePointer(to: value) { aircheck_bus_append(raw, letter(type), $0) }
        try BusFailure.check(result, "writing")
    }
}

/// A type's letter, as C has it.
func letter(_ scalar: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: scalar.value) }

/// Reads an event stream (HTML Living Standard, 9.2.6) however it was cut.
struct ServerSentEvents {
    struct Event {
        var name: String
        var data: [UInt8]
    }

    /// Longest line that is kept; a longer one is dropped whole.
    private static let lineLimit = 1 << 20

    private var line: [UInt8] = []
    private var name = ""
    private var data: [UInt8] = []

    /// The events that these bytes complete.
    mutating func push(_ bytes: ArraySlice<UInt8>) -> [Event] {
        var events: [Event] = []
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\r"): continue
            case UInt8(ascii: "\n"):
                if let event = endLine() { events.append(event) }
            default:
                if line.count < Self.lineLimit { line.append(byte) }
            }
        }
        return events
    }

    private mutating func endLine() -> Event? {
        defer { line.removeAll(keepingCapacity: true) }
        if line.isEmpty {
            defer { (name, data) = ("", []) }
            return data.isEmpty ? nil : Event(name: name.isEmpty ? "message" : name, data: data)
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        var value = line[(colon + 1)...]
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "event": name = String(decoding: value, as: UTF8.self)
        case "data": data += (data.isEmpty ? [] : [UInt8(ascii: "\n")]) + value
        default: break
        }
        return nil
    }
}

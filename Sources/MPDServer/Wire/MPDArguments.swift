/// Reading a command's arguments, with the errors that clients know.
extension MPDRequest {
    func integer(_ index: Int) throws(MPDFailure) -> Int {
        try Self.integer(arguments[index])
    }

    static func integer(_ text: String) throws(MPDFailure) -> Int {
        guard let value = Int(text), (-0x8000_0000...0xFFFF_FFFF).contains(value) else {
            throw MPDFailure(.argument, "Integer expected: \(text)")
        }
        return value
    }

    /// Seconds, with or without a fraction, and with a sign where it is a change.
    func seconds(_ index: Int) throws(MPDFailure) -> Double {
        guard let value = Double(arguments[index]), value.isFinite, abs(value) <= 1e9 else {
            throw MPDFailure(.argument, "Float expected: \(arguments[index])")
        }
        return value
    }

    /// 0 or 1.
    func truth(_ index: Int) throws(MPDFailure) -> Bool {
        switch arguments[index] {
        case "0": return false
        case "1": return true
        case let text: throw MPDFailure(.argument, "Boolean (0/1) expected: \(text)")
        }
    }

    /// A number of at most `limit`.
    func number(_ index: Int, upTo limit: Int) throws(MPDFailure) -> Int {
        let value = try integer(index)
        guard value <= limit else { throw MPDFailure(.argument, "Number too large: \(arguments[index])") }
        return value
    }

    /// `7`, `2:5` or `2:`, inside a list of `count`.
    func range(_ index: Int, of count: Int) throws(MPDFailure) -> Range<Int> {
        let range = try Self.window(arguments[index], count: count)
        guard range.lowerBound <= count else { throw .badIndex }
        if !arguments[index].contains(":"), range.lowerBound >= count { throw .badIndex }
        return range
    }

    /// A window of what was found: beyond the end there is nothing.
    static func window(_ text: String, count: Int) throws(MPDFailure) -> Range<Int> {
        guard let colon = text.firstIndex(of: ":") else {
            let start = try integer(text)
            guard start >= 0 else { throw .badIndex }
            return min(start, count)..<min(start + 1, count)
        }
        let start = try integer(String(text[..<colon]))
        let rest = String(text[text.index(after: colon)...])
        let end = rest.isEmpty ? count : min(try integer(rest), count)
        guard start >= 0, start <= max(end, 0) || start <= count else { throw .badIndex }
        return min(start, max(end, 0))..<max(end, 0)
    }
}

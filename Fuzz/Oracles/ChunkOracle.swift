import HTTPWire

/// However a chunked body is cut, the same data comes out, or the same refusal; it is the data that the definition says; and
/// what we encode decodes.
func judgeChunks(_ input: inout FuzzInput) throws(Fault) {
    let pieces = input.pieces()
    let whole = decode([input.bytes])
    try hold(decode(pieces) == whole, "cut into pieces it reads differently")
    let defined = byDefinition(input.bytes)
    try hold(whole.isDone == (defined != nil), "taken for whole, or not, against the definition")
    if let defined {
        try hold(whole.data == defined.data && whole.used == defined.used, "other data than the definition's")
    }
    let wire = pieces.flatMap { ChunkedEncoder.chunk($0) } + ChunkedEncoder.end
    let back = decode([wire])
    try hold(
        back.isDone && back.data == input.bytes && back.used == wire.count, "encoded data decodes differently"
    )
}

private struct Decoded: Equatable {
    var data: [UInt8] = []
    var used = 0
    var isDone = false
    var isRefused = false
}

/// What was used of a refused body depends on the cut, so it is not told.
private func decode(_ pieces: [[UInt8]]) -> Decoded {
    var decoder = ChunkedDecoder()
    var decoded = Decoded()
    for piece in pieces where !decoder.isDone {
        do {
            decoded.used += try decoder.feed(piece.span, into: &decoded.data)
        } catch {
            return Decoded(isRefused: true)
        }
    }
    decoded.isDone = decoder.isDone
    return decoded
}

/// A chunked body by RFC 9112 §7.1 without extensions, written the slow way; nil when the bytes are no whole one.
private func byDefinition(_ bytes: [UInt8]) -> (data: [UInt8], used: Int)? {
    var rest = bytes[...]
    var data: [UInt8] = []
    while let line = takeLine(&rest) {
        let digits = String(decoding: line, as: UTF8.self)
        guard (1...12).contains(line.count), line.allSatisfy(isHexadecimal), let size = Int(digits, radix: 16)
        else { return nil }
        if size == 0 {
            while let trailer = takeLine(&rest) {
                if trailer.isEmpty { return (data, bytes.count - rest.count) }
                guard trailer.allSatisfy({ $0 == 9 || ($0 >= 32 && $0 != 127) }) else { return nil }
            }
            return nil
        }
        guard rest.count >= size else { return nil }
        data += rest.prefix(size)
        rest = rest.dropFirst(size)
        guard takeLine(&rest)?.isEmpty == true else { return nil }
    }
    return nil
}

private func takeLine(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let end = rest.firstIndex(of: 13), end + 1 < rest.endIndex, rest[end + 1] == 10 else { return nil }
    defer { rest = rest[(end + 2)...] }
    return rest[..<end]
}

private func isHexadecimal(_ octet: UInt8) -> Bool {
    (48...57).contains(octet) || (65...70).contains(octet) || (97...102).contains(octet)
}

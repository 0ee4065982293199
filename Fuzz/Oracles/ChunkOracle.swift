import HTTPWire

/// However a chunked body is cut, the same data comes out, or the same refusal; and what we encode decodes.
func judgeChunks(_ input: inout FuzzInput) throws(Fault) {
    let pieces = input.pieces()
    let whole = decode([input.bytes])
    try hold(decode(pieces) == whole, "cut into pieces it reads differently")
    try hold(whole.used <= input.bytes.count, "used more than there was")
    try hold(whole.data.count <= whole.used, "made up data")
    let wire = pieces.flatMap { ChunkedEncoder.chunk($0) } + ChunkedEncoder.end
    let back = decode([wire])
    try hold(back.isDone && back.data == input.bytes && back.used == wire.count, "encoded data decodes differently")
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

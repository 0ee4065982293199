import MediaHelper

/// However the socket cuts what the other executable says, the same messages come out, or the same refusal; what is
/// understood says the same when it is said again; and frames add up to their bytes.
func judgeHelper(_ input: inout FuzzInput) throws(Fault) {
    let pieces = input.pieces()
    let whole = read([input.bytes])
    try hold(read(pieces) == whole, "cut into pieces it reads differently")
    try hold(whole.messages.reduce(0) { $0 + $1.body.count + 5 } <= input.bytes.count, "made up messages")
    for message in whole.messages {
        if let command = try? HelperCommand(message) { try judge(command) }
        if let event = try? HelperEvent(message) {
            let again = event.message
            try hold((try? HelperEvent(again))?.message == again, "an event reads back as another")
        }
    }
}

private func judge(_ command: HelperCommand) throws(Fault) {
    let again = command.message
    try hold((try? HelperCommand(again))?.message == again, "a command reads back as another")
    guard case .frames(_, _, let run) = command else { return }
    try hold(
        run.frames.reduce(0) { $0 + Int($1.length) } == run.bytes.count, "frames do not add up to their bytes"
    )
    try hold(run.pieces(limit: 7).flatMap(\.bytes) == run.bytes, "cutting a run loses bytes")
}

private struct Reading: Equatable {
    var messages: [WireMessage] = []
    var isRefused = false
}

private func read(_ pieces: [[UInt8]]) -> Reading {
    var reader = MessageReader()
    var reading = Reading()
    for piece in pieces {
        piece.withUnsafeBytes { reader.push($0) }
        do {
            while let message = try reader.next() { reading.messages.append(message) }
        } catch {
            reading.isRefused = true
            return reading
        }
    }
    return reading
}

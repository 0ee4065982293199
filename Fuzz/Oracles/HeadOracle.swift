import StreamFormats

/// A head keeps its limits, and what it says is in range or nil.
func judgeHeads(_ input: inout FuzzInput) throws(Fault) {
    var limits = ResponseHead.Limits()
    limits.line = 256
    limits.total = 1024
    limits.lines = 32
    var head = ResponseHead(limits: limits)
    var line: [UInt8] = []
    for byte in input.bytes {
        line.append(byte)
        guard byte == 0x0A else { continue }
        do { try head.line(line.span) } catch { break }
        line = []
    }
    try hold(head.fields.count <= limits.lines, "\(head.fields.count) fields")
    try hold(head.status == 0 || (100...999).contains(head.status), "status \(head.status)")
    if case .every(let interval) = head.metadata {
        try hold((1...ResponseHead.longestInterval).contains(interval), "interval \(interval)")
    }
    try hold(
        (head.bitrate ?? 1) > 0 && (head.sampleRate ?? 1) > 0 && (head.contentLength ?? 0) >= 0,
        "a number below zero")
    for text in [head.name, head.genre, head.description, head.homepage, head.reasonText].compactMap(\.self) {
        try holdIsLine(text, longest: TitleCleaner.longest)
        try holdIsLine(HeaderText.cleaned(text), longest: HeaderText.longest)
    }
    _ = (head.mediaType, head.location, head.cookies, head.retryAfter, head.channels, head.isRedirect)
}

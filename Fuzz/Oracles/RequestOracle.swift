import HTTPWire

/// However a request is cut, it comes to the same; what is taken obeys the limits and can be framed in one way only; and what
/// we make of its values stays in bounds.
func judgeRequests(_ input: inout FuzzInput) throws(Fault) {
    let limits = HeadLimits(line: 256, head: 1024, fields: 16)
    let pieces = input.pieces()
    let whole = read([input.bytes], limits)
    try hold(read(pieces, limits) == whole, "cut into pieces it reads differently")
    try hold(whole.used <= min(input.bytes.count, limits.head + 1), "used \(whole.used) bytes")
    guard case .head(let head) = whole.outcome else { return }
    try holdFraming(head, input.bytes.prefix(whole.used))
    try hold(head.headers.count <= limits.fields, "\(head.headers.count) fields")
    for part in head.segments {
        try hold(part != "." && part != "..", "a path that leaves its place")
        try hold(!part.utf8.contains { $0 < 0x20 || $0 == 0x7F }, "a control character in the path")
    }
    for field in head.headers.fields { try judgeValue(field.value) }
    try judgeDecisions(head)
}

private struct Reading: Equatable {
    var used = 0
    var outcome = RequestParser.Outcome.needsMore
}

private func read(_ pieces: [[UInt8]], _ limits: HeadLimits) -> Reading {
    var parser = RequestParser(limits: limits)
    var reading = Reading()
    for piece in pieces where reading.outcome == .needsMore {
        let (used, outcome) = parser.feed(piece.span)
        reading.used += used
        reading.outcome = outcome
    }
    return reading
}

private func holdFraming(_ head: RequestHead, _ bytes: ArraySlice<UInt8>) throws(Fault) {
    let lengths = head.headers.all("content-length").count
    let codings = head.headers.all("transfer-encoding").count
    try hold(lengths + codings <= 1, "two ways to frame the body")
    switch head.framing {
    case .length(let length): try hold(length > 0 && lengths == 1, "a length of \(length)")
    case .chunked: try hold(codings == 1 && head.version == .http11, "chunks out of nothing")
    case .none: try hold(codings == 0, "a coding that is ignored")
    case .untilClose: try hold(lengths + codings == 0, "a length that is ignored")
    }
    try hold(head.headers.all("host").count <= 1, "two hosts")
    guard lengths + codings > 0 else { return }
    for (index, octet) in zip(bytes.indices, bytes) where octet == 0x0A {
        try hold(index > bytes.startIndex && bytes[index - 1] == 0x0D, "a bare line feed before a body")
    }
}

/// A header's value, read as everything that values are read as.
private func judgeValue(_ value: String) throws(Fault) {
    let clean = HeaderText.cleaned(value)
    try holdIsLine(clean, longest: HeaderText.limit)
    try hold(HeaderText.cleaned(clean) == clean, "cleaning twice changes a value")
    if let range = ByteRange(header: value)?.resolved(length: 1000) {
        try hold(range.lowerBound >= 0 && range.upperBound <= 1000 && !range.isEmpty, "range \(range)")
    }
    if let seconds = HTTPDate.parse(value) {
        try hold(HTTPDate.parse(HTTPDate.text(secondsSince1970: seconds)) == seconds, "date \(seconds)")
    }
    if let bytes = Base64.decode(value) {
        try hold(Base64.decode(Base64.encode(bytes)) == bytes, "base64 reads back differently")
    }
    if let host = HostRules.host(of: value), HostRules.isNumericAddress(host) {
        try hold(HostRules().allows(value), "a numeric host that is refused")
    }
    _ = (Credentials(header: value), MediaType.essence(value), MediaType.forFile(value))
}

private func judgeDecisions(_ head: RequestHead) throws(Fault) {
    let query = head.query
    try hold(query.parameters.count <= QueryParameters.limit, "\(query.parameters.count) parameters")
    for parameter in query.parameters {
        let again = PercentCoding.decode(PercentCoding.encode(parameter.value).utf8, plusIsBlank: true)
        try hold(again == Array(parameter.value.utf8), "a parameter reads back differently")
    }
    if OriginCheck.verdict(on: head) == .allowed {
        try hold(
            OriginCheck.isSafe(head.method) || head.headers.contains("content-type"),
            "a change without a type")
    }
    _ = (head.credentials, head.cookie("session"), head.wantsKeepAlive, head.expectsContinue)
}

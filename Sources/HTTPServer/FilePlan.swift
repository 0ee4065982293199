internal import HTTPWire

/// Which part of a file a request gets, and under which status. A pure decision. Source: RFC 9110 §13 and §14.
struct FilePlan: Equatable {
    var status: Int
    /// The bytes to send; empty for 304, 412 and 416.
    var range: Range<Int64>
    /// What comes after the range is sent as well, as it is written; then the length is not known.
    var follows = false
    var headers: [HTTPResponse.Field] = []

    init(for head: RequestHead, _ file: FileAnswer) {
        status = 200
        range = 0..<file.size
        if let tag = file.entityTag { add("ETag", "\"\(tag)\"") }
        if let modified = file.modified { add("Last-Modified", HTTPDate.text(secondsSince1970: modified)) }
        add("Accept-Ranges", "bytes")
        if let refusal = Self.precondition(head, file) {
            status = refusal
            range = 0..<0
        } else if let asked = Self.range(head, file) {
            select(asked, of: file)
        } else {
            follows = file.growth != nil && file.growth?.finalSize == nil
        }
    }

    private mutating func add(_ name: String, _ value: String) {
        headers.append(HTTPResponse.Field(name: name, value: value))
    }

    private mutating func select(_ asked: ByteRange, of file: FileAnswer) {
        // Browsers ask for all of an endless file so; a growing one goes on then.
        if asked == .from(0, through: nil), file.growth != nil, file.growth?.finalSize == nil {
            follows = true
        } else if let part = asked.resolved(length: file.size) {
            status = 206
            range = part
            add("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(file.size)")
        } else {
            status = 416
            range = 0..<0
            add("Content-Range", "bytes */\(file.size)")
        }
    }

    /// 412 or 304 where a condition of the request is not met.
    private static func precondition(_ head: RequestHead, _ file: FileAnswer) -> Int? {
        if let wanted = head.headers["if-match"] {
            if !matches(wanted, file.entityTag, weakly: false) { return 412 }
        } else if let limit = head.headers["if-unmodified-since"].flatMap(HTTPDate.parse),
            let modified = file.modified
        {
            if modified > limit { return 412 }
        }
        if let known = head.headers["if-none-match"] {
            return matches(known, file.entityTag, weakly: true) ? 304 : nil
        }
        if let known = head.headers["if-modified-since"].flatMap(HTTPDate.parse), let modified = file.modified
        {
            return modified <= known ? 304 : nil
        }
        return nil
    }

    /// The range asked for, unless `If-Range` says that the client holds another version.
    private static func range(_ head: RequestHead, _ file: FileAnswer) -> ByteRange? {
        guard let range = head.headers["range"].flatMap(ByteRange.init(header:)) else { return nil }
        guard let condition = head.headers["if-range"] else { return range }
        if condition.hasPrefix("\"") {
            return matches(condition, file.entityTag, weakly: false) ? range : nil
        }
        guard let date = HTTPDate.parse(condition), let modified = file.modified else { return nil }
        return date == modified ? range : nil
    }

    private static func matches(_ list: String, _ tag: String?, weakly: Bool) -> Bool {
        if list == "*" { return true }
        guard let tag else { return false }
        return list.split(separator: ",").contains { member in
            let member = ASCIIText.trimmed(member)
            if weakly && member.hasPrefix("W/") { return member.dropFirst(2) == "\"\(tag)\"" }
            return member == "\"\(tag)\""
        }
    }
}

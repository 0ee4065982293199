/// A file that is being written while it is sent.
package protocol GrowingFile: AnyObject, Sendable {
    /// The size it will have had, once nobody writes to it any more; nil before. Asked on a loop's thread every quarter of a
    /// second.
    var finalSize: Int64? { get }
}

/// How a file is to be sent.
package struct FileAnswer: Sendable {
    package var type: String
    /// The bytes there are now.
    package var size: Int64
    /// A strong tag without quotes; nil for a file that may still change.
    package var entityTag: String?
    /// Seconds since 1970.
    package var modified: Int64?
    /// The file still grows, and whoever asks for all of it gets what is yet to come too.
    package var growth: (any GrowingFile)?
    /// Further headers: `Content-Disposition`, `Cache-Control`.
    package var headers: [HTTPResponse.Field] = []

    package init(
        type: String, size: Int64, entityTag: String? = nil, modified: Int64? = nil,
        growth: (any GrowingFile)? = nil
    ) {
        self.type = type
        self.size = size
        self.entityTag = entityTag
        self.modified = modified
        self.growth = growth
    }

    package mutating func add(_ name: String, _ value: String) {
        headers.append(HTTPResponse.Field(name: name, value: value))
    }
}

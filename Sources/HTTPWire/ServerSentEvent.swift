/// One event of a `text/event-stream`. Source: the HTML standard, "Server-sent events".
package struct ServerSentEvent: Sendable, Hashable {
    /// Without it browsers call the event `message`.
    package var name: String?
    package var id: String?
    /// May hold several lines.
    package var data: String

    package init(name: String? = nil, id: String? = nil, data: String) {
        self.name = name
        self.id = id
        self.data = data
    }

    /// The event as it goes over the wire. Line ends in `name` and `id` are dropped, so nothing can forge a field.
    package var bytes: [UInt8] {
        var text = ""
        if let id { text += "id: \(HeaderText.cleaned(id))\n" }
        if let name { text += "event: \(HeaderText.cleaned(name))\n" }
        for line in data.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            text += "data: \(line)\n"
        }
        return Array((text + "\n").utf8)
    }

    /// A line that means nothing and keeps proxies from closing.
    package static let heartbeat: [UInt8] = Array(": still here\n\n".utf8)

    /// Tells the browser to wait so long before it comes back.
    package static func retry(milliseconds: Int) -> [UInt8] { Array("retry: \(milliseconds)\n\n".utf8) }
}

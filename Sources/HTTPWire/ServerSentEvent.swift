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
        var bytes: [UInt8] = []
        if let id { bytes += "id: \(HeaderText.cleaned(id))\n".utf8 }
        if let name { bytes += "event: \(HeaderText.cleaned(name))\n".utf8 }
        for line in lines {
            bytes += "data: ".utf8
            bytes += line
            bytes.append(Octet.lineFeed)
        }
        bytes.append(Octet.lineFeed)
        return bytes
    }

    /// The data's lines; CR, LF and CRLF each end one.
    private var lines: [ArraySlice<UInt8>] {
        let octets = Array(data.utf8)
        var lines: [ArraySlice<UInt8>] = []
        var start = 0
        for (index, octet) in octets.enumerated()
        where octet == Octet.lineFeed || octet == Octet.carriageReturn {
            let isSecondHalf =
                octet == Octet.lineFeed && index > 0 && octets[index - 1] == Octet.carriageReturn
            if !isSecondHalf { lines.append(octets[start..<index]) }
            start = index + 1
        }
        return lines + [octets[start...]]
    }

    /// A line that means nothing and keeps proxies from closing.
    package static let heartbeat: [UInt8] = Array(": still here\n\n".utf8)

    /// Tells the browser to wait so long before it comes back.
    package static func retry(milliseconds: Int) -> [UInt8] { Array("retry: \(milliseconds)\n\n".utf8) }
}

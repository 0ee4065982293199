package import StreamFormats

/// Which headers of a station may leave this machine.
package enum HeaderRule {
    /// False for what could end the line, or change how the request is read: such a header is left out.
    package static func permits(_ header: Station.Header) -> Bool {
        guard !header.name.isEmpty, header.name.utf8.allSatisfy(isToken),
            header.value.utf8.count <= longestValue,
            !header.value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F })
        else { return false }
        return !ours.contains(header.name.lowercased())
    }

    /// What the request itself depends on.
    private static let ours: Set<String> = [
        "host", "content-length", "transfer-encoding", "connection", "upgrade", "te", "trailer", "expect",
        "range",
        "accept-encoding",
    ]

    private static let longestValue = 4096

    /// A byte of a header's name (RFC 9110 §5.6.2).
    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}

internal import HTTPWire

/// What a DLNA player asks to be told about a stream, in headers of its request (DLNA guidelines, 7.5.4.3).
package struct DLNAWish: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let transferMode = DLNAWish(rawValue: 1)
    package static let contentFeatures = DLNAWish(rawValue: 2)

    init(_ headers: HeaderFields) {
        self = []
        if headers["transfermode.dlna.org"] != nil { insert(.transferMode) }
        if headers["getcontentfeatures.dlna.org"] == "1" { insert(.contentFeatures) }
    }

    /// Sender-paced, growing at both ends, streaming, background, stall; version 1.5.
    private static let flags = "8D100000000000000000000000000000"

    /// A finished head with what was wished for added at its end.
    func added(to head: [UInt8], mediaType: String) -> [UInt8] {
        guard !isEmpty else { return head }
        var lines = ""
        if contains(.transferMode) { lines += "transferMode.dlna.org: Streaming\r\n" }
        if contains(.contentFeatures) {
            let profile = mediaType == "audio/mpeg" ? "DLNA.ORG_PN=MP3;" : ""
            lines +=
                "contentFeatures.dlna.org: \(profile)DLNA.ORG_OP=00;DLNA.ORG_CI=0;DLNA.ORG_FLAGS=\(Self.flags)\r\n"
        }
        return head.dropLast(2) + Array((lines + "\r\n").utf8)
    }
}

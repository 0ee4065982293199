internal import HTTPWire

/// How a request for a range of an endless stream is answered.
///
/// Safari asks for two bytes first and, if it gets the whole stream instead, opens a second connection beside it. The
/// native players of iOS ask for titles and two bytes, drop what they get, and ask again for all: answered with 206 they
/// lose the titles. All others are content with 200.
package enum RangeAnswer: Sendable, Hashable {
    /// 200 and the stream.
    case whole
    /// 206, so many bytes, and the end: a probe, not a listener.
    case probe(count: Int)
    /// 206 and the stream, said to be `total` bytes long.
    case partial

    /// The length an endless stream is said to have: a terabyte, which no listener lives to see.
    package static let total: Int64 = 1 << 40
    /// A probe asks for two bytes; more than this is not a probe.
    private static let mostProbed: Int64 = 1024

    package init(range header: String?, wantsTitles: Bool, rule: RangeRule) {
        self = .whole
        guard let header, let range = ByteRange(header: header), case .from(0, let through?) = range,
            rule == .always206 || rule == .auto && !wantsTitles
        else { return }
        if through < Self.mostProbed {
            self = .probe(count: Int(through) + 1)
        } else if through >= Self.total - 1 {
            self = .partial
        }
    }
}

/// What a head says of how to read on.
extension ResponseHead {
    /// What `icy-metaint` asks of the reader.
    package enum Metadata: Sendable, Hashable {
        /// No such field, or 0: all bytes are audio.
        case none
        /// A block after every so many audio bytes.
        case every(Int)
        /// The field makes no sense; to be asked again without titles, and the payload left alone meanwhile.
        case unusable
    }

    /// The largest interval that is believed. Real ones are 256 to 65,536.
    package static let longestInterval = 1 << 20

    package var metadata: Metadata {
        let told = Set(values("icy-metaint"))
        guard let value = told.first else { return .none }
        guard told.count == 1, value.count <= 7, let number = ASCII.number(value),
            number <= Self.longestInterval
        else {
            return .unusable
        }
        return number == 0 ? .none : .every(number)
    }

    /// Where a redirect leads, byte for byte; nil when the field is missing or empty.
    package var location: String? { value("Location").map { String(decoding: $0, as: UTF8.self) } }

    /// 301, 302, 303, 307, 308, and 300 where it names a place.
    package var isRedirect: Bool {
        switch status {
        case 301, 302, 303, 307, 308: true
        case 300: location != nil
        default: false
        }
    }

    /// `Set-Cookie` values in order, as they came.
    package var cookies: [String] { values("Set-Cookie").map { String(decoding: $0, as: UTF8.self) } }

    /// Seconds to wait before the next try; a date, which would need a clock, is nil.
    package var retryAfter: Duration? {
        value("Retry-After").flatMap(ASCII.number).map { .seconds(min($0, 86_400)) }
    }

    /// The length of the body where it means anything: a stream's is a lie (W025), two different ones are none.
    package var contentLength: Int? {
        guard !isStream else { return nil }
        let told = Set(values("Content-Length"))
        return told.count == 1 ? told.first.flatMap(ASCII.number) : nil
    }

    /// True when the body is coded in a way we did not ask for; it is refused rather than unpacked.
    package var isEncoded: Bool {
        guard let coding = value("Content-Encoding") else { return false }
        return !ASCII.equal(coding, "identity")
    }

    /// The reason as text, for people.
    package var reasonText: String { TitleCleaner.cleaned(CharsetDecision().decode(reason)) }
}

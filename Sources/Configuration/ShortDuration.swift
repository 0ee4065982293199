internal import Platform

/// Durations of settings: those of `DurationText`, and milliseconds (`"250ms"`).
enum ShortDuration {
    static func duration(_ text: String) -> Duration? {
        if text.hasSuffix("ms") {
            let digits = text.dropLast(2)
            guard !digits.isEmpty, digits.count <= 9, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let milliseconds = Int(digits)
            else { return nil }
            return .milliseconds(milliseconds)
        }
        return DurationText.seconds(text).map { .milliseconds(Int(($0 * 1000).rounded())) }
    }

    /// The shortest text that `duration` reads back.
    static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let milliseconds = attoseconds / 1_000_000_000_000_000
        return milliseconds == 0 ? DurationText.text(Double(seconds)) : "\(seconds * 1000 + milliseconds)ms"
    }
}

/// Sizes of settings: `"512 KiB"`, `"2 GiB"`, `"64000"`. K, M and G are powers of 1024 with or without their `iB`.
package enum ByteCountText {
    private static let units: [(name: String, bytes: Int)] = [
        ("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1),
    ]

    /// Nil where the text is no size.
    package static func bytes(_ text: String) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits) else { return nil }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }
        guard let size = size(of: String(unit)) else { return nil }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: size)
        return overflow ? nil : bytes
    }

    private static func size(of unit: String) -> Int? {
        if unit.isEmpty { return 1 }
        let upper = unit.uppercased()
        return units.first {
            $0.name.uppercased() == upper || (upper.count == 1 && $0.name.first == upper.first)
        }?
        .bytes
    }

    /// The largest unit that leaves no rest.
    static func text(_ bytes: Int) -> String {
        for unit in units where bytes >= unit.bytes && bytes % unit.bytes == 0 {
            return "\(bytes / unit.bytes) \(unit.name)"
        }
        return "\(bytes) B"
    }
}

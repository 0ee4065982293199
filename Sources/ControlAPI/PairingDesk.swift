internal import Cryptography
package import HTTPServer
package import Platform

/// One-time codes that a browser is paired by: shown where somebody has control already, typed where nobody has yet.
package final class PairingDesk: Sendable {
    /// A code that waits to be typed.
    package struct Offer: Sendable {
        /// `K7QM-3XWD`
        package var code: String
        package var role: AccessRole
        package var ends: MonotonicTime
    }

    /// Seconds a code is good for.
    package static let lasts = 300.0
    /// Codes that wait at a time; beyond it the oldest is forgotten.
    private static let limit = 16
    /// Without letters and digits that are taken for each other. 32 of them: 5 bits each, 40 bits a code.
    private static let letters = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")
    private static let length = 8

    private let time: any TimeSource
    private let offers = Lock<[Offer]>([])

    package init(time: any TimeSource = SystemTime()) { self.time = time }

    /// Makes a code. Any thread.
    package func offer(_ role: AccessRole) -> Offer {
        let letters = Secrets.random(Self.length).map { Self.letters[Int($0 % 32)] }
        let code = String(letters[..<4]) + "-" + String(letters[4...])
        let offer = Offer(code: code, role: role, ends: time.now.advanced(bySeconds: Self.lasts))
        offers.withLock { offers in
            offers.append(offer)
            if offers.count > Self.limit { offers.removeFirst() }
        }
        return offer
    }

    /// Takes a code that was typed, this once; nil for a wrong one and for one that is too old. Case, spaces and dashes do not
    /// matter. Any thread.
    package func take(_ typed: String) -> AccessRole? {
        let wanted = Array(Self.plain(typed).utf8)
        let now = time.now
        return offers.withLock { offers in
            offers.removeAll { $0.ends < now }
            // All are compared, so that the time tells nothing.
            let right = offers.indices.filter {
                Secrets.areEqual(Array(Self.plain(offers[$0].code).utf8), wanted)
            }
            return right.first.map { offers.remove(at: $0).role }
        }
    }

    private static func plain(_ code: String) -> String {
        String(code.uppercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(64))
    }
}

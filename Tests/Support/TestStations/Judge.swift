import Glibc
import Platform

/// Says of bytes that were recorded or relayed which frames of a programme they hold.
package struct Judge: Sendable {
    /// What the judge found.
    package struct Verdict: Sendable, Hashable, CustomStringConvertible {
        /// Numbers of the whole frames found, in the order of the bytes.
        package var numbers: [Int] = []
        /// Frames missing between the first and the last.
        package var lost = 0
        /// Frames that came again, or after a later one.
        package var doubled = 0
        /// Bytes that belong to no whole frame.
        package var strayBytes = 0

        package var first: Int? { numbers.first }
        package var last: Int? { numbers.last }
        package var frames: Int { numbers.count }
        /// Nothing lost, nothing twice, nothing strange, and something there.
        package var isPerfect: Bool { lost == 0 && doubled == 0 && strayBytes == 0 && !numbers.isEmpty }

        package var description: String {
            let span = "\(first.map(String.init) ?? "-")…\(last.map(String.init) ?? "-")"
            return "\(frames) frames \(span): lost \(lost), doubled \(doubled), stray bytes \(strayBytes)"
        }
    }

    private let source: NumberedFrames
    private var pending: [UInt8] = []
    private var found = Verdict()
    private var highest: Int?

    /// A judge of one programme.
    package init(_ source: NumberedFrames) { self.source = source }

    /// Judges all of `bytes` at once.
    package static func verdict(on bytes: [UInt8], of source: NumberedFrames) -> Verdict {
        var judge = Judge(source)
        judge.push(bytes)
        return judge.finish()
    }

    /// Judges a file.
    package static func verdict(onFile path: String, of source: NumberedFrames) throws -> Verdict {
        verdict(on: try contents(ofFile: path), of: source)
    }

    /// Takes the next bytes; frames may be cut anywhere.
    package mutating func push(_ bytes: [UInt8]) {
        pending += bytes
        scan(keeping: source.frameLength - 1)
    }

    /// No more bytes come: what is left over is stray.
    package mutating func finish() -> Verdict {
        scan(keeping: 0)
        return found
    }

    private mutating func scan(keeping rest: Int) {
        var offset = 0
        while pending.count - offset > rest {
            if let number = source.number(of: pending, at: offset) {
                take(number)
                offset += source.frameLength
            } else {
                found.strayBytes += 1
                offset += 1
            }
        }
        pending.removeFirst(offset)
    }

    private mutating func take(_ number: Int) {
        found.numbers.append(number)
        guard let before = highest else {
            highest = number
            return
        }
        if number <= before {
            found.doubled += 1
        } else {
            found.lost += number - before - 1
            highest = number
        }
    }

    private static func contents(ofFile path: String) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError(while: "opening \(path)") }
        let file = FileDescriptor(owning: descriptor)
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(file.number, &piece, piece.count)
            guard count >= 0 else { throw SystemError(while: "reading \(path)") }
            if count == 0 { return bytes }
            bytes += piece[0..<count]
        }
    }
}

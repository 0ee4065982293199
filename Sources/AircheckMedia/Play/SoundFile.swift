internal import CLinux
internal import Glibc

/// Signed 16-bit stereo on a descriptor, with a WAV head in front or without one.
///
/// The head's lengths are brought up to date every second and at the end, so that a killed helper leaves a file that
/// plays. A file that has sound already is continued: it is the same recording after a new start.
struct SoundFile {
    private let descriptor: Int32
    private let rate: Int
    /// It can be sought, so the head can be corrected.
    private var hasHead: Bool
    private var dataBytes = 0
    private var bytesAtHead = 0
    private var scratch: [Int16] = []

    private static let headBytes = 44

    init(descriptor: Int32, rate: Int, withHead: Bool) {
        self.descriptor = descriptor
        self.rate = rate
        let end = lseek(descriptor, 0, Int32(SEEK_END))
        hasHead = withHead && end >= 0
        if end > Self.headBytes, withHead {
            dataBytes = Int(end) - Self.headBytes
        } else if withHead {
            // On a pipe the length is unknown for good; the largest says so.
            _ = writeAll(Self.head(rate: rate, dataBytes: hasHead ? 0 : Int(UInt32.max)))
        }
    }

    /// False when nobody takes it any more.
    mutating func write(_ sound: UnsafeMutableBufferPointer<Float>) -> Bool {
        scratch.removeAll(keepingCapacity: true)
        for sample in sound { scratch.append(Int16(min(max(sample * 32768, -32768), 32767).rounded())) }
        guard scratch.withUnsafeBytes({ writeAll(Array($0)) }) else { return false }
        dataBytes += scratch.count * 2
        if dataBytes - bytesAtHead >= rate * 4 { correctHead() }
        return true
    }

    mutating func close() { correctHead() }

    private mutating func correctHead() {
        guard hasHead else { return }
        bytesAtHead = dataBytes
        let head = Self.head(rate: rate, dataBytes: dataBytes)
        _ = head.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    private func writeAll(_ bytes: [UInt8]) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done)
            }
            if count < 0, errno != EINTR { return false }
            done += max(count, 0)
        }
        return true
    }

    static func head(rate: Int, dataBytes: Int) -> [UInt8] {
        func le<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
            withUnsafeBytes(of: value.littleEndian) { Array($0) }
        }
        let length = UInt32(clamping: dataBytes)
        return Array("RIFF".utf8) + le(UInt32(clamping: dataBytes + headBytes - 8)) + Array("WAVEfmt ".utf8)
            + le(UInt32(16))
            + le(UInt16(1)) + le(UInt16(2)) + le(UInt32(rate)) + le(UInt32(rate * 4)) + le(UInt16(4))
            + le(UInt16(16))
            + Array("data".utf8) + le(length)
    }
}

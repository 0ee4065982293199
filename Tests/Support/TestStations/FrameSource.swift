/// A programme that never ends and whose every unit is known: the truth that a judge compares with.
///
/// A unit is what a server sends whole: a frame, or a page with its packets.
package protocol FrameSource: Sendable {
    /// Seconds of sound in one unit.
    var secondsPerUnit: Double { get }
    /// The bytes of unit `number`, counted from 0.
    func unit(_ number: Int) -> [UInt8]
    /// What a server sends to somebody who joins at unit `number`, before it: header pages, or nothing.
    func preamble(joiningAt number: Int) -> [UInt8]
}

extension FrameSource {
    package func preamble(joiningAt number: Int) -> [UInt8] { [] }

    /// The bytes of several units, one after another.
    package func units(_ numbers: Range<Int>) -> [UInt8] { numbers.flatMap { unit($0) } }
}

/// Frames of MPEG audio or ADTS AAC that decode to silence and carry their number and their programme's letter.
///
/// No byte of a payload is 0xFF, so no false sync word is inside; all differ, so that a cut in mid-frame shows.
package struct NumberedFrames: FrameSource, Hashable {
    package enum Kind: Sendable, Hashable, CaseIterable {
        /// MPEG-1 layer III, 128 kbit/s, 44.1 kHz, joint stereo: 417 bytes, 26.1 ms.
        case mp3
        /// MPEG-1 layer III, 128 kbit/s, 48 kHz: 384 bytes, 24 ms.
        case mp3At48k
        /// AAC-LC in ADTS, 128 kbit/s, 44.1 kHz stereo: 371 bytes, 23.2 ms.
        case adts
    }

    package let kind: Kind
    /// One programme's frames differ from another's by this letter.
    package let programme: Character

    package init(_ kind: Kind = .mp3, programme: Character = "A") {
        precondition(programme.isASCII && programme.isLetter, "a programme is named by one ASCII letter")
        self.kind = kind
        self.programme = programme
    }

    /// Bytes of every frame.
    package var frameLength: Int {
        switch kind {
        case .mp3: 417
        case .mp3At48k: 384
        case .adts: 371
        }
    }

    package var samplesPerFrame: Int { kind == .adts ? 1024 : 1152 }
    package var sampleRate: Int { kind == .mp3At48k ? 48_000 : 44_100 }
    package var secondsPerUnit: Double { Double(samplesPerFrame) / Double(sampleRate) }

    /// What every frame begins with: the header, and as much of the payload as says "silence".
    package var opening: [UInt8] {
        switch kind {
        // A side information of zeros: nothing is coded, and what follows is ancillary data.
        case .mp3: [0xFF, 0xFB, 0x90, 0x64] + [UInt8](repeating: 0, count: 32)
        case .mp3At48k: [0xFF, 0xFB, 0x94, 0x64] + [UInt8](repeating: 0, count: 32)
        case .adts: [0xFF, 0xF1, 0x50, 0x80, 0x2E, 0x7F, 0xFC] + Self.silentPair
        }
    }

    /// A channel pair without spectrum, then the head of a data element of 354 bytes (ISO 14496-3, 4.4.2).
    private static let silentPair: [UInt8] = {
        var bits = BitWriter()
        bits.write(0b001, bits: 3)  // channel pair
        bits.write(0, bits: 4)
        bits.write(1, bits: 1)  // common window
        bits.write(0, bits: 4)  // reserved, long window, sine
        bits.write(0, bits: 7)  // no bands, no prediction
        bits.write(0, bits: 2)  // no mid/side
        for _ in 0..<2 {
            bits.write(100, bits: 8)  // gain of nothing
            bits.write(0, bits: 3)  // no pulse, no TNS, no gain control
        }
        bits.write(0b100, bits: 3)  // data element
        bits.write(0, bits: 4)
        bits.write(1, bits: 1)  // bytes are aligned
        bits.write(255, bits: 8)
        bits.write(354 - 255, bits: 8)
        return bits.bytes
    }()

    /// What every frame ends with.
    private var closing: [UInt8] { kind == .adts ? [0b1110_0000] : [] }

    package func unit(_ number: Int) -> [UInt8] {
        var frame = opening
        frame.reserveCapacity(frameLength)
        frame += mark(number)
        let seed = number &* 13
        let end = frameLength - closing.count
        while frame.count < end { frame.append(UInt8(truncatingIfNeeded: frame.count &* 7 &+ seed) & 0x7F) }
        return frame + closing
    }

    /// The number as text inside the frame: `ACK:A0000002a`.
    private func mark(_ number: Int) -> [UInt8] {
        let digits = String(UInt32(truncatingIfNeeded: number), radix: 16)
        return Array("ACK:\(programme)\(String(repeating: "0", count: 8 - digits.count))\(digits)".utf8)
    }

    /// The number of the frame that begins at `offset` and is there whole and unhurt, or nil.
    package func number(of bytes: [UInt8], at offset: Int) -> Int? {
        guard offset >= 0, bytes.count - offset >= frameLength else { return nil }
        let opening = opening
        guard bytes[offset..<(offset + opening.count)].elementsEqual(opening) else { return nil }
        let digits = bytes[(offset + opening.count + 5)..<(offset + opening.count + 13)]
        let text = String(decoding: digits, as: UTF8.self)
        guard let number = Int(text, radix: 16) else { return nil }
        guard bytes[offset..<(offset + frameLength)].elementsEqual(unit(number)) else { return nil }
        return number
    }
}

/// Writes bits, most significant first.
struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var filled = 0

    mutating func write(_ value: UInt32, bits: Int) {
        for bit in (0..<bits).reversed() {
            if filled % 8 == 0 { bytes.append(0) }
            if value >> UInt32(bit) & 1 == 1 { bytes[bytes.count - 1] |= 0x80 >> UInt8(filled % 8) }
            filled += 1
        }
    }
}

/// The header of a frame that finds its own end: MPEG audio or ADTS.
enum FrameHeader: Sendable, Hashable {
    case mpeg(MPEGAudioHeader)
    case adts(ADTSHeader)

    enum Reading {
        case header(FrameHeader)
        case none
        /// The bytes so far may be a header.
        case needsMore
    }

    /// Looks for a header at `index`.
    static func read(_ window: borrowing ByteWindow, at index: Int) -> Reading {
        guard index < window.count else { return .needsMore }
        guard window[index] == 0xFF else { return .none }
        guard index + 1 < window.count else { return .needsMore }
        let second = window[index + 1]
        guard second & 0xE0 == 0xE0 else { return .none }
        if second & 0xF6 == 0xF0 { return readADTS(window, at: index) }
        guard index + 3 < window.count else { return .needsMore }
        let header = MPEGAudioHeader(0xFF, second, window[index + 2], window[index + 3])
        return header.map { .header(.mpeg($0)) } ?? .none
    }

    private static func readADTS(_ window: borrowing ByteWindow, at index: Int) -> Reading {
        guard index + ADTSHeader.length <= window.count else { return .needsMore }
        let header = ADTSHeader(
            (
                window[index], window[index + 1], window[index + 2], window[index + 3], window[index + 4],
                window[index + 5], window[index + 6]
            ))
        return header.map { .header(.adts($0)) } ?? .none
    }

    /// Core samples per channel.
    var samples: Int {
        switch self {
        case .mpeg(let header): header.samples
        case .adts(let header): header.samples
        }
    }

    var isFreeFormat: Bool {
        switch self {
        case .mpeg(let header): header.isFreeFormat
        case .adts: false
        }
    }

    /// Bytes of the frame. `freeLength` is the length of an unpadded free-format frame, where it has been learned. Nil
    /// where the length is not known or cannot be true.
    func length(freeLength: Int?) -> Int? {
        switch self {
        case .mpeg(let header): header.frameLength ?? freeLength.map { $0 + header.paddingLength }
        case .adts(let header): header.frameLength
        }
    }

    /// True where `other` may follow in the same stream.
    func isConsistent(with other: FrameHeader) -> Bool {
        switch (self, other) {
        case (.mpeg(let one), .mpeg(let other)): one.isConsistent(with: other)
        case (.adts(let one), .adts(let other)): one.isConsistent(with: other)
        default: false
        }
    }
}

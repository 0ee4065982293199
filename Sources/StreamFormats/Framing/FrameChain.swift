/// Decides whether a header that was met is the first of a row of frames: the one proof that a sync word is no chance.
///
/// Three headers that agree in version, layer and rate, each where the one before says, are a chain; at the end of the
/// input, or in front of a tag, two frames are enough, and one where it continues the stream that was running.
struct FrameChain {
    /// Headers that make a chain.
    static let links = 3
    /// No free-format frame is longer: 640 kbit/s at 8 kHz in layer III of MPEG-2.5.
    static let longestFreeFrame = 5761
    /// Headers closer than this are junk that repeats itself.
    private static let shortestFreeFrame = 24

    enum Result: Equatable {
        /// `freeLength`: unpadded length, where the frames are free format.
        case confirmed(freeLength: Int?)
        case refuted
        case needsMore
    }

    let window: ByteWindow
    /// The stream that ran before, if any, and the unpadded length of its frames where it is free format.
    let running: FrameHeader?
    let freeLength: Int?
    /// No more bytes will come.
    let atEnd: Bool

    func check(_ first: FrameHeader, at index: Int) -> Result {
        let continues = running.map { $0.isConsistent(with: first) } ?? false
        let enough = continues ? 1 : Self.links - 1
        guard first.isFreeFormat else {
            return follow(first, at: index, freeLength: nil, enoughAtEnd: enough)
        }
        if continues, let freeLength {
            let result = follow(first, at: index, freeLength: freeLength, enoughAtEnd: enough)
            if result != .refuted { return result }
        }
        return learnFreeLength(first, at: index, enoughAtEnd: enough)
    }

    /// As `check`, for a stream that turns into another: its first frame may hold no sync word of its own kind, as a
    /// burst of sync words would.
    func checkChange(to first: FrameHeader, at index: Int) -> Result {
        let result = check(first, at: index)
        guard case .confirmed(let freeLength) = result else { return result }
        return hasOwnHeaderInside(first, at: index, freeLength) ? .refuted : result
    }

    /// A sync word of the junk may stand by chance as far before the first true frame as a frame is long; behind junk,
    /// a frame that has such a word inside is not taken for the first.
    func hasOwnHeaderInside(_ header: FrameHeader, at index: Int, _ freeLength: Int?) -> Bool {
        guard let length = header.length(freeLength: freeLength) else { return false }
        return hasHeader(like: header, in: index + 1..<min(index + length, window.count))
    }

    /// `enoughAtEnd` whole frames will do where the input or a tag ends the row.
    func follow(_ first: FrameHeader, at index: Int, freeLength: Int?, enoughAtEnd: Int) -> Result {
        var header = first
        var place = index
        for whole in 0..<Self.links - 1 {
            guard let length = header.length(freeLength: freeLength) else { return .refuted }
            place += length
            let ended: Result = whole >= enoughAtEnd ? .confirmed(freeLength: freeLength) : .refuted
            if place > window.count { return atEnd ? ended : .needsMore }
            let ending: Result = whole + 1 >= enoughAtEnd ? .confirmed(freeLength: freeLength) : .refuted
            switch FrameHeader.read(window, at: place) {
            case .needsMore:
                return atEnd ? ending : .needsMore
            case .header(let next) where next.isConsistent(with: first):
                header = next
            case .header, .none:
                guard let isTag = StreamTag.begins(window, at: place, atEnd: atEnd) else { return .needsMore }
                return isTag ? ending : .refuted
            }
        }
        return .confirmed(freeLength: freeLength)
    }

    /// True where a header that would continue `header` stands inside `range`.
    func hasHeader(like header: FrameHeader, in range: Range<Int>) -> Bool {
        var rest = range
        while let place = window.firstFF(in: rest) {
            if case .header(let other) = FrameHeader.read(window, at: place), other.isConsistent(with: header)
            {
                return true
            }
            rest = place + 1..<max(place + 1, range.upperBound)
        }
        return false
    }

    /// The distance to the next header is the length; the one after must stand as far again.
    private func learnFreeLength(_ first: FrameHeader, at index: Int, enoughAtEnd: Int) -> Result {
        guard case .mpeg(let header) = first else { return .refuted }
        let last = index + Self.longestFreeFrame
        var isOpen = false
        var place = index + MPEGAudioHeader.length
        while place <= last, place < window.count {
            defer { place += 1 }
            guard case .header(let next) = FrameHeader.read(window, at: place), next.isConsistent(with: first)
            else {
                continue
            }
            guard place - index >= Self.shortestFreeFrame else { return .refuted }
            let length = place - index - header.paddingLength
            switch follow(first, at: index, freeLength: length, enoughAtEnd: enoughAtEnd) {
            case .confirmed: return .confirmed(freeLength: length)
            case .needsMore: isOpen = true
            case .refuted: break
            }
        }
        return (isOpen || place <= last) && !atEnd ? .needsMore : .refuted
    }
}

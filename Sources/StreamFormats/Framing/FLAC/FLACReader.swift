/// Takes a native FLAC stream apart: `fLaC`, metadata blocks, frames (RFC 9639).
///
/// A frame has no length: it ends where the next header (CRC-8) begins and its own CRC-16 comes out right.
struct FLACReader: Sendable {
    enum Outcome {
        case needsMore
        /// No FLAC at the front of the window.
        case lost
    }

    /// A metadata block that is longer ends the patience.
    private static let longestBlock = 16 << 20
    /// No frame is longer, where STREAMINFO does not say less.
    private static let longestFrame = 1 << 20
    /// So many frames may be missing between a broken frame and the next good one.
    private static let widestGap = 100_000

    /// Junk behind which the stream may have become something else.
    private static let longestJunk = 64 * 1024

    private enum State {
        case metadata
        /// Bytes of a block that is not kept.
        case skipping(Int)
        case frames
    }

    private var state = State.metadata
    private var hasMark = false
    private var isLastBlock = false
    private var setup: [UInt8] = []
    private var info: FLACStreamInfo?
    private var comments: VorbisComments?
    private var scan = Scan()
    private var junk = 0
    private(set) var codec: Codec?

    /// How far the frame at the front has been looked through.
    private struct Scan {
        var place = 0
        var sum: UInt16 = 0
    }

    mutating func read(_ window: inout ByteWindow, atEnd: Bool, _ outlet: inout FrameOutlet) -> Outcome {
        while window.count > 0 {
            let outcome: Outcome? =
                switch state {
                case .metadata: metadata(&window, &outlet)
                case .skipping(let left): skip(left, &window)
                case .frames: frame(&window, atEnd, &outlet)
                }
            if let outcome { return outcome }
        }
        return .needsMore
    }

    // MARK: Metadata

    /// One block. Only what a decoder and a reader of names need is kept: no pictures, no padding, no seek table, and the
    /// first comments alone, so that a stream of nothing but comments takes no memory.
    private mutating func metadata(_ window: inout ByteWindow, _ outlet: inout FrameOutlet) -> Outcome? {
        if !hasMark {
            guard window.mayHave("fLaC", at: 0) else { return .lost }
            guard window.count >= 4 else { return .needsMore }
            setup = Array("fLaC".utf8)
            hasMark = true
            window.drop(4)
        }
        guard window.count >= 4 else { return .needsMore }
        let length = window.big32(at: 0) & 0xFFFFFF
        let type = window[0] & 0x7F
        guard length <= Self.longestBlock, type != 0x7F, (info == nil) == (type == 0) else { return .lost }
        let isKept = type == 0 || (type == 4 && comments == nil && length <= OggPage.longestBody)
        guard isKept else {
            isLastBlock = window[0] & 0x80 != 0
            state = .skipping(length + 4)
            return nil
        }
        guard window.count >= 4 + length else { return .needsMore }
        isLastBlock = window[0] & 0x80 != 0
        guard take(type, window.slice(4..<4 + length)) else { return .lost }
        window.drop(4 + length)
        if isLastBlock { begin(window.offset, &outlet) }
        return nil
    }

    private mutating func take(_ type: UInt8, _ body: ArraySlice<UInt8>) -> Bool {
        if type == 0 {
            guard let info = FLACStreamInfo(body) else { return false }
            self.info = info
        } else {
            comments = VorbisComments(body)
        }
        setup += [type] + [16, 8, 0].map { UInt8(truncatingIfNeeded: body.count >> $0) } + body
        return true
    }

    private mutating func skip(_ left: Int, _ window: inout ByteWindow) -> Outcome? {
        let taken = min(left, window.count)
        window.drop(taken)
        state = left > taken ? .skipping(left - taken) : .metadata
        if left == taken, isLastBlock { state = .frames }
        return nil
    }

    private mutating func begin(_ place: Int64, _ outlet: inout FrameOutlet) {
        guard let info else { return }
        markLastBlock()
        codec = .flac
        outlet.begin(
            AudioFormat(
                codec: .flac, container: .nativeFLAC, sampleRate: info.sampleRate, channels: info.channels,
                setup: [setup]))
        if let comments { outlet.push(title: comments.title(source: .flac), at: place) }
        state = .frames
        scan = Scan()
    }

    /// The last of the blocks that are kept says that it is the last.
    private mutating func markLastBlock() {
        var place = 4
        while true {
            let length = setup[place + 1...place + 3].reduce(0) { $0 << 8 | Int($1) }
            guard place + 4 + length < setup.count else { break }
            place += 4 + length
        }
        setup[place] |= 0x80
    }
}

// MARK: - Frames

extension FLACReader {
    /// Finds the end of the frame at the front.
    private mutating func frame(_ window: inout ByteWindow, _ atEnd: Bool, _ outlet: inout FrameOutlet)
        -> Outcome?
    {
        if codec == nil { begin(window.offset, &outlet) }
        guard window.count >= FLACFrameHeader.longest || atEnd else { return .needsMore }
        guard let header = header(window, at: 0) else { return foreign(&window, &outlet, atEnd) }
        let limit =
            info.map { $0.longestFrame > 0 ? $0.longestFrame + 16 : Self.longestFrame } ?? Self.longestFrame
        while true {
            if scan.place >= header.length, isEnd(header, window, atEnd, &outlet) {
                finish(header, &window, &outlet)
                return nil
            }
            guard scan.place < window.count, atEnd || scan.place + FLACFrameHeader.longest < window.count
            else {
                return atEnd ? foreign(&window, &outlet, atEnd) : .needsMore
            }
            guard scan.place <= limit else { return foreign(&window, &outlet, atEnd) }
            if let skipped = brokenLength(header, window) {
                outlet.skip(skipped)
                window.drop(skipped)
                scan = Scan()
                return nil
            }
            scan.sum = FLACChecksum.crc16(scan.sum, window[scan.place])
            scan.place += 1
        }
    }

    private func header(_ window: ByteWindow, at index: Int) -> FLACFrameHeader? {
        guard window.count - index >= 2, window[index] == 0xFF, window[index + 1] & 0xFE == 0xF8 else {
            return nil
        }
        return FLACFrameHeader(window.slice(index..<min(index + FLACFrameHeader.longest, window.count)))
    }

    private func isEnd(
        _ header: FLACFrameHeader, _ window: ByteWindow, _ atEnd: Bool, _ outlet: inout FrameOutlet
    ) -> Bool {
        guard scan.sum == 0 else { return false }
        if scan.place == window.count { return atEnd }
        guard window[scan.place] == 0xFF || window[scan.place] == 0x66 else { return false }
        return window.has("fLaC", at: scan.place) || self.header(window, at: scan.place) != nil
    }

    /// The frame came to a header that continues the stream, though its own sum is wrong: it is broken.
    private func brokenLength(_ header: FLACFrameHeader, _ window: ByteWindow) -> Int? {
        guard scan.place >= header.length, let next = self.header(window, at: scan.place),
            next.isVariable == header.isVariable, next.channels == header.channels
        else { return nil }
        let step = header.isVariable ? header.blockSize : 1
        return next.number >= header.number + step && next.number - header.number < Self.widestGap * step
            ? scan.place : nil
    }

    private mutating func finish(
        _ header: FLACFrameHeader, _ window: inout ByteWindow, _ outlet: inout FrameOutlet
    ) {
        outlet.emit(window.slice(0..<scan.place), samples: header.blockSize, start: window.offset)
        window.drop(scan.place)
        scan = Scan()
        junk = 0
    }

    /// Something else than a frame: a new stream of FLAC, or junk that is left out up to the next header of ours.
    private mutating func foreign(_ window: inout ByteWindow, _ outlet: inout FrameOutlet, _ atEnd: Bool)
        -> Outcome?
    {
        scan = Scan()
        if window.has("fLaC", at: 0) {
            self = FLACReader()
            return nil
        }
        let limit = atEnd ? window.count : max(1, window.count - FLACFrameHeader.longest)
        var place = 1
        while place < limit, !isOurs(window, at: place) { place += 1 }
        junk += place
        outlet.skip(place)
        window.drop(place)
        return junk > Self.longestJunk
            ? .lost : window.count == 0 || place == limit && !atEnd ? .needsMore : nil
    }

    private func isOurs(_ window: ByteWindow, at index: Int) -> Bool {
        if window.has("fLaC", at: index) { return true }
        return header(window, at: index).map { $0.channels == info?.channels } ?? false
    }
}

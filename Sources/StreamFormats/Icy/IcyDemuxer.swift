/// One stretch of a stream that carries titles, in the order of the stream.
package enum IcyPiece: Sendable, Hashable {
    /// Audio: a range of the bytes just pushed.
    case audio(Range<Int>)
    /// A title block was read; it is valid from the next audio byte on.
    case title(RawTitle)
    /// Two blocks one after the other held no `Key=`: we are out of step with the server. Connect again.
    case drift
}

/// Takes the titles out of a stream that has a block of metadata after every `interval` bytes of audio.
///
/// It stops and goes on at any byte; no cut of the input changes what comes out. Layout (SHOUTcast, never written down):
/// `interval` audio bytes, one byte L, then 16·L bytes of text padded with NUL. L = 0 says "unchanged".
package struct IcyDemuxer: Sendable {
    private enum State: Sendable {
        case audio(left: Int)
        case length
        case block(left: Int)
    }

    private let interval: Int
    private var state: State
    private var block: [UInt8] = []
    private var reader = IcyBlockReader()
    private var unreadable = 0

    /// - Parameter interval: what `icy-metaint` says. At 0 or below there is no metadata and all bytes are audio.
    package init(interval: Int) {
        self.interval = max(interval, 0)
        state = .audio(left: self.interval)
    }

    /// Sorts the next bytes of the stream. Adds to `pieces`; ranges count from the start of `bytes`.
    package mutating func push(_ bytes: Span<UInt8>, into pieces: inout [IcyPiece]) {
        guard interval > 0 else {
            if !bytes.isEmpty { pieces.append(.audio(0..<bytes.count)) }
            return
        }
        var index = 0
        while index < bytes.count {
            switch state {
            case .audio(let left):
                let end = index + min(left, bytes.count - index)
                pieces.append(.audio(index..<end))
                state = left == end - index ? .length : .audio(left: left - (end - index))
                index = end
            case .length:
                let length = Int(bytes[index]) * 16
                state = length == 0 ? .audio(left: interval) : .block(left: length)
                index += 1
            case .block(let left):
                let end = index + min(left, bytes.count - index)
                for position in index..<end { block.append(bytes[position]) }
                state = .block(left: left - (end - index))
                index = end
                if left == 0 || block.count == 0 { break }
                finishBlock(into: &pieces)
            }
        }
    }

    private mutating func finishBlock(into pieces: inout [IcyPiece]) {
        guard case .block(left: 0) = state else { return }
        state = .audio(left: interval)
        defer { block.removeAll(keepingCapacity: true) }
        guard let title = reader.read(block) else {
            unreadable += 1
            if unreadable == 2 {
                pieces.append(.drift)
                unreadable = 0
            }
            return
        }
        unreadable = 0
        pieces.append(.title(title))
    }
}

/// One stretch of a stream that carries titles, in the order of the stream.
package enum IcyPiece: Sendable, Hashable {
    /// Audio: a range of the bytes just pushed.
    case audio(Range<Int>)
    /// A title block was read; it is valid from the next audio byte on.
    case title(RawTitle)
    /// Two blocks one after the other were no text: we are out of step with the server, and connecting again is the way
    /// back. Told once; a server that does it again right after a new connection just sends rubbish.
    case drift
}

/// Takes the titles out of a stream that has a block of metadata after every `interval` bytes of audio.
///
/// It stops and goes on at any byte; no cut of the input changes what comes out. Layout (SHOUTcast, never written down):
/// `interval` audio bytes, one byte L, then 16·L bytes of text padded with NUL. L = 0 says "unchanged". A partial block
/// at the end of a connection is lost with the demuxer, as it should be.
package struct IcyDemuxer: Sendable {
    private enum State: Sendable {
        /// All is audio; an unannounced block may turn up.
        case watching
        case audio(left: Int)
        case length
        case block(left: Int)
    }

    private var interval: Int
    private var state: State
    private var block: [UInt8] = []
    private var reader = IcyBlockReader()
    private var search = UnannouncedBlock()
    private var unreadable = 0

    /// - Parameter interval: what `icy-metaint` says. At 0 or below all bytes are audio, but for a block that comes
    ///   unannounced: it is known by `StreamTitle='` and taken out, and so are those after it (StreamingKit issue 460).
    package init(interval: Int) {
        self.interval = max(interval, 0)
        state = interval > 0 ? .audio(left: interval) : .watching
    }

    /// Sorts the next bytes of the stream. Adds to `pieces`; ranges count from the start of `bytes`.
    package mutating func push(_ bytes: Span<UInt8>, into pieces: inout [IcyPiece]) {
        var index = 0
        while index < bytes.count {
            switch state {
            case .watching:
                index = watch(bytes, from: index, into: &pieces)
            case .audio(let left):
                let end = index + min(left, bytes.count - index)
                pieces.append(.audio(index..<end))
                state = end - index == left ? .length : .audio(left: left - (end - index))
                index = end
            case .length:
                let length = Int(bytes[index]) * 16
                state = length == 0 ? afterBlock : .block(left: length)
                index += 1
            case .block(let left):
                let end = index + min(left, bytes.count - index)
                for position in index..<end { block.append(bytes[position]) }
                state = .block(left: left - (end - index))
                if end - index == left { finishBlock(into: &pieces) }
                index = end
            }
        }
    }

    private var afterBlock: State { interval > 0 ? .audio(left: interval) : .watching }

    private mutating func finishBlock(into pieces: inout [IcyPiece]) {
        state = afterBlock
        defer { block.removeAll(keepingCapacity: true) }
        if let title = reader.read(block) {
            pieces.append(.title(title))
            unreadable = 0
        } else if IcyBlockReader.isText(block) {
            unreadable = 0
        } else {
            unreadable += 1
            if unreadable == 2 { pieces.append(.drift) }
        }
    }

    /// Passes audio on until a block shows; then its start is in `block` and the rest is read like any other.
    private mutating func watch(_ bytes: Span<UInt8>, from start: Int, into pieces: inout [IcyPiece]) -> Int {
        guard let found = search.push(bytes, from: start) else {
            pieces.append(.audio(start..<bytes.count))
            return bytes.count
        }
        if found.lengthByte > start { pieces.append(.audio(start..<found.lengthByte)) }
        interval = found.interval
        block = UnannouncedBlock.mark
        state = .block(left: found.left)
        return found.end
    }
}

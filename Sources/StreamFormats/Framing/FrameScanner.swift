/// Finds MPEG audio and ADTS frames in a row of bytes, through junk, tags and changes of format.
///
/// A frame is let go when what follows it shows that it is whole: a header that continues the stream, a tag, the end of
/// the input. So at most one frame is ever held, for the time that four more bytes take. Where something else follows,
/// the frame was cut by junk or stands right in front of it: it goes on only if `JunkEvidence` tells the two apart.
/// After junk, frames count again from the first of three chained headers.
struct FrameScanner: Sendable {
    /// What a call of `scan` ended with.
    enum Outcome {
        case needsMore
        /// At the front of the window a container begins that is read by somebody else.
        case container(StreamContainer)
    }

    private enum State {
        /// Nothing is known about the bytes at the front. `held` bytes of them are a frame that was not confirmed;
        /// those before `place` have been looked at.
        case hunting(held: Int, place: Int)
        /// A frame should begin at the front of the window.
        case locked
    }

    private var state = State.hunting(held: 0, place: 0)
    private var running: FrameHeader?
    private var freeLength: Int?
    private var shape = AudioShape()
    /// Stream offset before which no free-format search begins.
    private var nextFreeSearch: Int64 = 0
    /// Inside a container that has been unpacked, other containers are not looked for.
    private let isInner: Bool

    init(isInner: Bool = false) {
        self.isInner = isInner
    }

    /// 90 kHz: the time stamp of the last ID3 tag that had one (HLS packed audio).
    private(set) var timestamp: UInt64?

    /// Forgets the place, not the stream that ran.
    mutating func restart() {
        state = .hunting(held: 0, place: 0)
    }

    /// Reads as far as the bytes allow. At the end of the input, what remains is decided.
    mutating func scan(_ window: inout ByteWindow, atEnd: Bool, _ outlet: inout FrameOutlet) -> Outcome {
        while true {
            let next: Step =
                switch state {
                case .locked: step(&window, atEnd, &outlet)
                case .hunting(let held, let place): hunt(&window, held, place, atEnd, &outlet)
                }
            switch next {
            case .onward: continue
            case .stop: return .needsMore
            case .container(let container): return .container(container)
            }
        }
    }

    private enum Step {
        case onward
        case stop
        case container(StreamContainer)
    }
}

// MARK: - Locked

extension FrameScanner {
    /// What stands behind a frame.
    private enum Boundary {
        case frame(FrameHeader)
        /// A header of another format.
        case otherFrame(FrameHeader)
        case tag
        case end
        case nothing
        case needsMore
    }

    /// One frame or one tag.
    private mutating func step(_ window: inout ByteWindow, _ atEnd: Bool, _ outlet: inout FrameOutlet) -> Step
    {
        guard window.count > 0 else { return .stop }
        switch FrameHeader.read(window, at: 0) {
        case .needsMore:
            return atEnd ? abandon(0) : .stop
        case .none:
            return stepOverTag(&window, atEnd, &outlet)
        case .header(let header):
            if let running, header.isConsistent(with: running) {
                return stepOver(header, &window, atEnd, &outlet)
            }
            return change(to: header, window, atEnd)
        }
    }

    private mutating func stepOver(
        _ header: FrameHeader, _ window: inout ByteWindow, _ atEnd: Bool, _ outlet: inout FrameOutlet
    ) -> Step {
        guard let length = header.length(freeLength: freeLength) else { return abandon(0) }
        guard length <= window.count else { return atEnd ? abandon(0) : .stop }
        switch confirmed(header, length, window, atEnd) {
        case .needsMore:
            return .stop
        case .refuted:
            return abandon(length)
        case .confirmed:
            guard !shape.isOpen(for: header) || lookAhead(window, atEnd) else { return .stop }
            emit(header, length, &window, &outlet)
            return .onward
        }
    }

    /// Decides what kind of AAC begins here, from the frames that are there; false while more are needed.
    private mutating func lookAhead(_ window: ByteWindow, _ atEnd: Bool) -> Bool {
        var trial = shape
        var place = 0
        while case .header(let header) = FrameHeader.read(window, at: place),
            running.map({ $0.isConsistent(with: header) }) ?? false,
            let length = header.length(freeLength: nil)
        {
            guard place + length <= window.count else { break }
            trial.consider(header, window.slice(place..<place + length))
            place += length
            if !trial.isOpen(for: header) {
                shape = trial
                return true
            }
        }
        if !atEnd, isFrameAhead(window, at: place) { return false }
        trial.decide()
        shape = trial
        return true
    }

    /// A frame of the stream may still come whole at `index`.
    private func isFrameAhead(_ window: ByteWindow, at index: Int) -> Bool {
        switch FrameHeader.read(window, at: index) {
        case .needsMore: true
        case .none: false
        case .header(let header):
            (running.map { $0.isConsistent(with: header) } ?? false) && header.length(freeLength: nil) != nil
        }
    }

    private func confirmed(_ header: FrameHeader, _ length: Int, _ window: ByteWindow, _ atEnd: Bool)
        -> FrameChain.Result
    {
        let chain = FrameChain(window: window, running: header, freeLength: freeLength, atEnd: atEnd)
        switch boundary(at: length, header, window, atEnd) {
        case .needsMore: return .needsMore
        case .nothing:
            return isCutHeader(at: length, chain, header) ? .confirmed(freeLength: freeLength) : .refuted
        case .tag, .end: return .confirmed(freeLength: freeLength)
        case .otherFrame(let other):
            let result = chain.checkChange(to: other, at: length)
            if result != .refuted { return result }
            return isCutHeader(at: length, chain, header) ? .confirmed(freeLength: freeLength) : .refuted
        case .frame(let next):
            // Junk may itself be full of sync words: a frame with one inside must be followed by a whole chain.
            guard chain.hasHeader(like: header, in: 1..<length) else {
                return .confirmed(freeLength: freeLength)
            }
            return chain.follow(next, at: length, freeLength: freeLength, enoughAtEnd: 0)
        }
    }

    /// True where the next header began right behind the frame and then the burst hit it: that frame is whole.
    private func isCutHeader(at index: Int, _ chain: FrameChain, _ header: FrameHeader) -> Bool {
        index + 1 < chain.window.count && chain.window[index] == 0xFF
            && chain.window[index + 1] == chain.window[1]
            && !chain.hasHeader(like: header, in: 1..<index)
    }

    private func boundary(at index: Int, _ header: FrameHeader, _ window: ByteWindow, _ atEnd: Bool)
        -> Boundary
    {
        if index == window.count { return atEnd ? .end : .needsMore }
        switch FrameHeader.read(window, at: index) {
        case .header(let next): return next.isConsistent(with: header) ? .frame(next) : .otherFrame(next)
        case .needsMore: return atEnd ? .end : .needsMore
        case .none:
            guard let isTag = StreamTag.begins(window, at: index, atEnd: atEnd) else { return .needsMore }
            return isTag ? .tag : .nothing
        }
    }

    private mutating func emit(
        _ header: FrameHeader, _ length: Int, _ window: inout ByteWindow, _ outlet: inout FrameOutlet
    ) {
        let frame = window.slice(0..<length)
        if !InfoFrame.isOne(header, frame) {
            if let format = shape.update(header, frame) { outlet.begin(format) }
            outlet.emit(frame, samples: shape.samples(of: header), start: window.offset)
        }
        window.drop(length)
    }

    private mutating func change(to header: FrameHeader, _ window: ByteWindow, _ atEnd: Bool) -> Step {
        let chain = FrameChain(window: window, running: running, freeLength: freeLength, atEnd: atEnd)
        switch window.offset == 0 ? chain.check(header, at: 0) : chain.checkChange(to: header, at: 0) {
        case .needsMore:
            return .stop
        case .refuted:
            return abandon(0)
        case .confirmed(let length):
            running = header
            freeLength = length
            return .onward
        }
    }

    private mutating func stepOverTag(_ window: inout ByteWindow, _ atEnd: Bool, _ outlet: inout FrameOutlet)
        -> Step
    {
        switch tag(at: 0, window, atEnd) {
        case .needsMore:
            return .stop
        case .none:
            return abandon(0)
        case .tag(let tag):
            if case .id3 = tag { take(tag: window.slice(0..<tag.length), window.offset, &outlet) }
            window.drop(tag.length)
            return .onward
        }
    }

    private mutating func take(tag bytes: ArraySlice<UInt8>, _ offset: Int64, _ outlet: inout FrameOutlet) {
        guard let tag = ID3Tag(bytes) else { return }
        timestamp = tag.timestamp ?? timestamp
        if let title = tag.rawTitle(block: bytes) { outlet.push(title: title, at: offset) }
    }

    /// A whole tag with something sensible behind it. One that lies about its length is junk, and what it seemed to
    /// cover is looked through for frames.
    private func tag(at index: Int, _ window: ByteWindow, _ atEnd: Bool) -> StreamTag.Reading {
        guard case .tag(let tag) = StreamTag.read(window, at: index, atEnd: atEnd) else {
            return StreamTag.read(window, at: index, atEnd: atEnd)
        }
        let end = index + tag.length
        guard end < window.count else {
            return end == window.count && atEnd ? .tag(tag) : atEnd ? .none : .needsMore
        }
        switch FrameHeader.read(window, at: end) {
        case .needsMore:
            return atEnd ? .tag(tag) : .needsMore
        case .header(let header):
            if let running, running.isConsistent(with: header) { return .tag(tag) }
            let chain = FrameChain(window: window, running: running, freeLength: freeLength, atEnd: atEnd)
            switch chain.check(header, at: end) {
            case .needsMore: return .needsMore
            case .refuted: return .none
            case .confirmed: return .tag(tag)
            }
        case .none:
            guard let isTag = StreamTag.begins(window, at: end, atEnd: atEnd) else { return .needsMore }
            return isTag || StreamContainer.isMarker(window, at: end) ? .tag(tag) : .none
        }
    }

    private mutating func abandon(_ held: Int) -> Step {
        state = .hunting(held: held, place: held > 0 ? 1 : 0)
        return .onward
    }
}

// MARK: - Hunting

extension FrameScanner {
    private enum Sighting {
        case start(FrameHeader?, freeLength: Int?)
        case container(StreamContainer)
        case nothing
        case needsMore
    }

    /// Looks for the next chain, tag or container, byte by byte.
    private mutating func hunt(
        _ window: inout ByteWindow, _ held: Int, _ from: Int, _ atEnd: Bool, _ outlet: inout FrameOutlet
    ) -> Step {
        var place = from
        var isOpen = false
        let limit = held > 0 ? min(window.count, held + JunkEvidence.longestSample) : window.count
        while place < limit {
            guard Self.mayStart[Int(window[place])] else {
                place += 1
                continue
            }
            switch look(at: place, window, atEnd) {
            case .nothing:
                place += 1
                continue
            case .needsMore:
                isOpen = true
            case .start(let header, let length):
                settle(held, upTo: place, &window, &outlet)
                if let header {
                    running = header
                    freeLength = length
                }
                state = .locked
                return .onward
            case .container(let container):
                settle(held, upTo: place, isWhole: held == place, &window, &outlet)
                return .container(container)
            }
            break
        }
        if held > 0, !atEnd, place < held + JunkEvidence.longestSample {
            state = .hunting(held: held, place: place)
            return .stop
        }
        settle(held, upTo: place, &window, &outlet)
        state = .hunting(held: 0, place: 0)
        return isOpen || window.count == 0 ? .stop : .onward
    }

    private mutating func look(at place: Int, _ window: ByteWindow, _ atEnd: Bool) -> Sighting {
        if window[place] == 0xFF { return lookForChain(at: place, window, atEnd) }
        if window[place] == UInt8(ascii: "I") {
            switch tag(at: place, window, atEnd) {
            case .tag: return .start(nil, freeLength: nil)
            case .needsMore: return .needsMore
            case .none: return .nothing
            }
        }
        if isInner { return .nothing }
        switch StreamContainer.read(window, at: place, atEnd: atEnd) {
        case .container(let container): return .container(container)
        case .needsMore: return .needsMore
        case .none: return .nothing
        }
    }

    private mutating func lookForChain(at place: Int, _ window: ByteWindow, _ atEnd: Bool) -> Sighting {
        switch FrameHeader.read(window, at: place) {
        case .needsMore: return atEnd ? .nothing : .needsMore
        case .none: return .nothing
        case .header(let header):
            let offset = window.offset + Int64(place)
            if header.isFreeFormat, offset < nextFreeSearch { return .nothing }
            let chain = FrameChain(window: window, running: running, freeLength: freeLength, atEnd: atEnd)
            switch chain.check(header, at: place) {
            case .needsMore: return .needsMore
            case .confirmed(let length):
                let isFirst = offset == 0 || !chain.hasOwnHeaderInside(header, at: place, length)
                return isFirst ? .start(header, freeLength: length) : .nothing
            case .refuted:
                if header.isFreeFormat { nextFreeSearch = offset + Self.freeSearchDistance }
                return .nothing
            }
        }
    }

    /// Decides about the held frame, and leaves out everything before `place`.
    private mutating func settle(
        _ held: Int, upTo place: Int, isWhole: Bool = false, _ window: inout ByteWindow,
        _ outlet: inout FrameOutlet
    ) {
        var left = place
        if held > 0, place >= held, case .header(let header) = FrameHeader.read(window, at: 0),
            isWhole || JunkEvidence.isWhole(window, frame: held, junkEnd: place)
        {
            emit(header, held, &window, &outlet)
            left -= held
        }
        outlet.skip(left)
        window.drop(left)
    }

    /// A free-format search reads kilobytes; a stream made of their headers may not cost more than one in so many bytes.
    private static let freeSearchDistance: Int64 = 128

    /// First bytes of a frame, a tag or a container.
    private static let mayStart: [Bool] = {
        var table = [Bool](repeating: false, count: 256)
        for byte in [0xFF, 0x49] + StreamContainer.firstBytes { table[byte] = true }
        return table
    }()
}

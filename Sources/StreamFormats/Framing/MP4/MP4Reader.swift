/// Takes fragmented MP4 apart, as HLS and DASH send it: `moov` once, then `moof` and `mdat` again and again.
///
/// AAC samples come out as ADTS frames, MP3 as it is, Opus as packets for Ogg, FLAC as native frames.
struct MP4Reader: Sendable {
    enum Outcome {
        case needsMore
        /// No box at the front of the window.
        case lost
    }

    /// A box that is read whole; longer ones are stepped over.
    private static let longestBox = 4 << 20
    /// No sample of audio is longer.
    private static let longestSample = 1 << 20

    private enum State {
        case box
        /// Bytes up to this stream offset are of no use.
        case skipping(until: Int64)
        case media(until: Int64)
    }

    private var state = State.box
    private var track: MP4Track?
    private var samples: ArraySlice<MP4Fragment.Sample> = []
    private var shape = AudioShape()
    private(set) var foreignName: String?

    mutating func read(_ window: inout ByteWindow, atEnd: Bool, _ outlet: inout FrameOutlet) -> Outcome {
        while window.count > 0 {
            let outcome: Outcome? =
                switch state {
                case .box: box(&window, &outlet)
                case .skipping(let end): skip(to: end, &window)
                case .media(let end): media(end, &window, &outlet)
                }
            if let outcome { return outcome }
        }
        return .needsMore
    }

    /// A top-level box.
    private mutating func box(_ window: inout ByteWindow, _ outlet: inout FrameOutlet) -> Outcome? {
        guard window.count >= 8 else { return .needsMore }
        let head = window.slice(0..<min(16, window.count))
        guard Self.isType(head.dropFirst(4).prefix(4)) else { return .lost }
        if MP4Fields.number(head, 0, 4) == 1, window.count < 16 { return .needsMore }
        guard let (known, header) = MP4Fields.boxLength(head) else { return .lost }
        // 0 says: up to the end of the file.
        let length = MP4Fields.number(head, 0, 4) == 0 ? Int(Int32.max) : known
        let type = UInt32(MP4Fields.number(head, 4, 4))
        let end = window.offset + Int64(length)
        if type == MP4Box.code("mdat") {
            window.drop(header)
            state = .media(until: end)
            return nil
        }
        let isRead = ["moov", "moof", "emsg"].contains { MP4Box.code($0) == type }
        guard isRead, length <= Self.longestBox else {
            state = .skipping(until: end)
            return nil
        }
        guard window.count >= length else { return .needsMore }
        take(MP4Box(type: type, body: window.slice(header..<length)), window.offset, &outlet)
        window.drop(length)
        return nil
    }

    private mutating func take(_ box: MP4Box, _ offset: Int64, _ outlet: inout FrameOutlet) {
        if box.has("moov") {
            (track, foreignName) = MP4Track.choose(in: box)
            samples = []
            if track != nil, box.child("mvex") == nil { foreignName = "MP4 that is not fragmented" }
        } else if box.has("moof"), let track {
            samples = MP4Fragment.samples(of: track, in: box, start: offset)[...]
        } else if box.has("emsg") {
            let message = Self.message(box.body)
            if let title = ID3Tag(message)?.rawTitle(block: message) { outlet.push(title: title, at: offset) }
        }
    }

    private func skip(end: Int64, _ window: inout ByteWindow) {
        window.drop(Int(min(Int64(window.count), max(0, end - window.offset))))
    }

    private mutating func skip(to end: Int64, _ window: inout ByteWindow) -> Outcome? {
        skip(end: end, &window)
        if window.offset >= end { state = .box }
        return nil
    }

    /// The samples of the fragment that lie in this `mdat`; other tracks' are stepped over.
    private mutating func media(_ end: Int64, _ window: inout ByteWindow, _ outlet: inout FrameOutlet)
        -> Outcome?
    {
        while let sample = samples.first, sample.offset < window.offset { samples.removeFirst() }
        guard let sample = samples.first, sample.offset < end, sample.length <= Self.longestSample else {
            return skip(to: end, &window)
        }
        skip(end: sample.offset, &window)
        guard window.offset == sample.offset, window.count >= sample.length else { return .needsMore }
        emit(window.slice(0..<sample.length), sample.offset, &outlet)
        window.drop(sample.length)
        samples.removeFirst()
        return nil
    }

    private mutating func emit(_ sample: ArraySlice<UInt8>, _ start: Int64, _ outlet: inout FrameOutlet) {
        guard let track, !sample.isEmpty else { return }
        switch track.coding {
        case .aac(let config): emitAAC(sample, config, start, &outlet)
        case .mpeg:
            var bare = ByteWindow()
            bare.append(sample)
            guard case .header(let header) = FrameHeader.read(bare, at: 0),
                header.length(freeLength: nil) == sample.count
            else { return outlet.skip(sample.count) }
            if let format = shape.update(header, sample) { outlet.begin(format) }
            outlet.emit(sample, samples: shape.samples(of: header), start: start)
        case .opus:
            if let format = track.format { outlet.begin(format) }
            outlet.emit(sample, samples: OpusPacket.samples(of: sample), start: start)
        case .flac:
            guard let header = FLACFrameHeader(sample) else { return outlet.skip(sample.count) }
            if let format = track.format { outlet.begin(format) }
            outlet.emit(sample, samples: header.blockSize, start: start)
        }
    }

    private mutating func emitAAC(
        _ sample: ArraySlice<UInt8>, _ config: AudioSpecificConfig, _ start: Int64,
        _ outlet: inout FrameOutlet
    ) {
        guard let bytes = ADTSHeader.bytes(for: config, payload: sample.count),
            let header = ADTSHeader(bytes.span)
        else {
            return outlet.skip(sample.count)
        }
        if let format = shape.update(.adts(header), sample, told: config) { outlet.begin(format) }
        outlet.emit(sample, header: bytes, samples: shape.samples(of: .adts(header)), start: start)
    }

    private static func isType(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.allSatisfy { 0x20...0x7E ~= $0 || $0 == 0xA9 }
    }

    /// The message of an `emsg` box (ISO 23009-1 §5.10.3.3): behind two texts and four numbers.
    private static func message(_ body: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isNew = body.first == 1
        var rest = body.dropFirst(isNew ? 4 + 20 : 4)
        for _ in 0..<2 { rest = rest.drop { $0 != 0 }.dropFirst() }
        return rest.dropFirst(isNew ? 0 : 16)
    }
}

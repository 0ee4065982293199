internal import Feed
internal import JSONText
internal import Platform
internal import StreamFormats

/// One entry of a window on the disk: an event of the feed, as bytes with a length in front.
enum WindowRecord {
    private enum Kind: UInt8 { case format = 1, audio, title, gap }

    /// Longest record that is read back: a second of FLAC with its frame table is far below.
    static let limit = 16 << 20
    static let headLength = 5

    // MARK: Writing

    static func append(_ event: FeedEvent, to bytes: inout [UInt8]) {
        switch event {
        case .format(let format, at: let place):
            append(.format, Array(json(format, place).text().utf8), to: &bytes)
        case .audio(let chunk): append(.audio, audio(chunk), to: &bytes)
        case .title(let mark): append(.title, Array(json(mark).text().utf8), to: &bytes)
        case .gap(let gap): append(.gap, Array(json(gap).text().utf8), to: &bytes)
        // Who reads the window reads titles with what is known of the charset then.
        case .retitled: break
        }
    }

    private static func append(_ kind: Kind, _ body: [UInt8], to bytes: inout [UInt8]) {
        bytes.append(kind.rawValue)
        appendLittle(UInt64(body.count), 4, to: &bytes)
        bytes += body
    }

    private static func audio(_ chunk: Chunk) -> [UInt8] {
        var body: [UInt8] = []
        body.reserveCapacity(4 * 8 + 4 + chunk.run.frames.count * 8 + chunk.bytes.count)
        for value in [
            chunk.start.bytes, chunk.start.nanoseconds, chunk.end.nanoseconds, chunk.wall.nanoseconds,
        ] {
            appendLittle(UInt64(bitPattern: value), 8, to: &body)
        }
        appendLittle(UInt64(chunk.run.frames.count), 4, to: &body)
        for frame in chunk.run.frames {
            appendLittle(UInt64(UInt32(bitPattern: frame.length)), 4, to: &body)
            appendLittle(UInt64(UInt32(bitPattern: frame.samples)), 4, to: &body)
        }
        body += chunk.bytes
        return body
    }

    private static func json(_ format: AudioFormat, _ place: StreamPosition) -> JSONValue {
        [
            "codec": .string(format.codec.rawValue), "container": .string(format.container.rawValue),
            "rate": .int(Int64(format.sampleRate)), "channels": .int(Int64(format.channels)),
            "setup": .array(format.setup.map { .string(Sidecar.hex($0)) }), "position": json(place),
        ]
    }

    private static func json(_ place: StreamPosition) -> JSONValue {
        [.int(place.bytes), .int(place.nanoseconds)]
    }

    private static func json(_ mark: TitleMark) -> JSONValue {
        [
            "source": .string(mark.raw.source.rawValue), "encoding": .string(mark.raw.encoding.rawValue),
            "raw": .string(Sidecar.hex(mark.raw.text)), "text": .string(mark.text.text),
            "artist": JSONValue(mark.text.artist), "title": JSONValue(mark.text.title),
            "class": .string(mark.text.kind.rawValue), "position": json(mark.position),
            "wall": .int(mark.wall.nanoseconds),
        ]
    }

    private static func json(_ gap: Gap) -> JSONValue {
        [
            "position": json(gap.position), "from": .int(gap.from.nanoseconds),
            "to": .int(gap.to.nanoseconds),
            "cause": .string(gap.cause.rawValue), "lost": .number(gap.lostSeconds),
        ]
    }

    // MARK: Reading

    /// The body's length that a record's head announces; nil where it is no head of ours.
    static func bodyLength(_ head: ArraySlice<UInt8>) -> Int? {
        guard head.count == headLength, let first = head.first, Kind(rawValue: first) != nil else {
            return nil
        }
        let length = Int(number(head.dropFirst()))
        return length <= limit ? length : nil
    }

    /// Whether a head is that of a title.
    static func isTitle(_ head: [UInt8]) -> Bool { head.first == Kind.title.rawValue }

    /// The event of a whole record; nil where it is damaged. `format` is the one that holds, and is changed by the record.
    static func event(_ kind: UInt8, _ body: ArraySlice<UInt8>, format: inout AudioFormat?) -> FeedEvent? {
        switch Kind(rawValue: kind) {
        case .audio: return format.flatMap { audio(body, $0) }
        case .format:
            guard let json = parsed(body), let new = readFormat(json), let place = place(json["position"])
            else { return nil }
            format = new
            return .format(new, at: place)
        case .title: return parsed(body).flatMap(title).map { .title($0) }
        case .gap: return parsed(body).flatMap(gap).map { .gap($0) }
        case nil: return nil
        }
    }

    private static func parsed(_ body: ArraySlice<UInt8>) -> JSONValue? {
        try? JSONValue.parse(Array(body), limit: limit)
    }

    private static func audio(_ body: ArraySlice<UInt8>, _ format: AudioFormat) -> FeedEvent? {
        let fixed = 4 * 8 + 4
        guard body.count >= fixed else { return nil }
        let start = body.startIndex
        let values = (0..<4).map { Int64(bitPattern: number(body[start + $0 * 8..<start + $0 * 8 + 8])) }
        let count = Int(number(body[start + 32..<start + 36]))
        guard count <= (body.count - fixed) / 8 else { return nil }
        let frames = (0..<count).map { index -> FrameInfo in
            let place = start + fixed + index * 8
            return FrameInfo(
                length: Int32(truncatingIfNeeded: number(body[place..<place + 4])),
                samples: Int32(truncatingIfNeeded: number(body[place + 4..<place + 8])))
        }
        let bytes = Array(body[(start + fixed + count * 8)...])
        guard frames.allSatisfy({ $0.length >= 0 && $0.samples >= 0 }),
            frames.reduce(0, { $0 + Int($1.length) }) == bytes.count
        else { return nil }
        let wall = WallTime(nanoseconds: values[3])
        return .audio(
            Chunk(
                run: FrameRun(bytes: bytes, frames: frames), format: format,
                start: StreamPosition(bytes: values[0], nanoseconds: values[1]),
                end: StreamPosition(bytes: values[0] &+ Int64(bytes.count), nanoseconds: values[2]),
                arrival: MonotonicTime(nanoseconds: 0), wall: wall))
    }

    private static func readFormat(_ json: JSONValue) -> AudioFormat? {
        guard let codec = json["codec"]?.string.flatMap(Codec.init),
            let container = json["container"]?.string.flatMap(Container.init), let rate = json["rate"]?.int,
            let channels = json["channels"]?.int
        else { return nil }
        return AudioFormat(
            codec: codec, container: container, sampleRate: Int(clamping: rate),
            channels: Int(clamping: channels),
            setup: (json["setup"]?.array ?? []).map { Sidecar.bytes($0.string ?? "") })
    }

    private static func place(_ json: JSONValue?) -> StreamPosition? {
        guard let numbers = json?.array?.compactMap(\.int), numbers.count == 2 else { return nil }
        return StreamPosition(bytes: numbers[0], nanoseconds: numbers[1])
    }

    private static func title(_ json: JSONValue) -> TitleMark? {
        guard let source = json["source"]?.string.flatMap(RawTitle.Source.init),
            let place = place(json["position"]),
            let wall = json["wall"]?.int, let text = json["text"]?.string
        else { return nil }
        let raw = RawTitle(
            source: source, encoding: json["encoding"]?.string.flatMap(RawTitle.Encoding.init) ?? .unknown,
            text: Sidecar.bytes(json["raw"]?.string ?? ""))
        let reading = TitleText(
            text: text, artist: json["artist"]?.string, title: json["title"]?.string,
            kind: json["class"]?.string.flatMap(TitleClass.init) ?? .track)
        return TitleMark(raw: raw, text: reading, position: place, wall: WallTime(nanoseconds: wall))
    }

    private static func gap(_ json: JSONValue) -> Gap? {
        guard let place = place(json["position"]), let from = json["from"]?.int, let to = json["to"]?.int
        else { return nil }
        return Gap(
            position: place, from: WallTime(nanoseconds: from), to: WallTime(nanoseconds: to),
            cause: json["cause"]?.string.flatMap(Gap.Cause.init) ?? .unknown,
            lostSeconds: json["lost"]?.double ?? 0)
    }

    /// The lowest bytes first. For every frame of every station: makes no array.
    private static func appendLittle(_ value: UInt64, _ count: Int, to bytes: inout [UInt8]) {
        for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(index * 8))) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

import StreamFormats

/// What a reader made of a stream, in a form that does not depend on how the stream was cut.
struct Heard: Equatable {
    var elements: [StreamElement] = []
    var verdict: StreamVerdict = .undecided

    var runs: [FrameRun] { elements.compactMap { if case .frames(let run) = $0 { run } else { nil } } }
    var frames: [FrameInfo] { runs.flatMap(\.frames) }
    var bytes: [UInt8] { runs.flatMap(\.bytes) }
    var samples: Int { frames.reduce(0) { $0 + Int($1.samples) } }
    var formats: [AudioFormat] {
        elements.compactMap { if case .format(let format) = $0 { format } else { nil } }
    }
    var titles: [RawTitle] { elements.compactMap { if case .title(let title) = $0 { title } else { nil } } }
    var junk: Int { elements.reduce(0) { if case .junk(let count) = $1 { $0 + count } else { $0 } } }

    /// Each element in one word, for tests of the order.
    var story: [String] {
        elements.map { element in
            switch element {
            case .format(let format): "\(format.codec.rawValue) \(format.sampleRate)/\(format.channels)"
            case .frames(let run): "\(run.frames.count) frames"
            case .title(let title): "title \(String(decoding: title.text, as: UTF8.self))"
            case .junk(let count): "\(count) junk"
            }
        }
    }

    /// Reads `stream` in pieces of `chunk` bytes, 0 for all at once; `titles` come in front of the bytes at their places.
    init(
        _ stream: [UInt8], chunk: Int = 0, hint: ContentHint = ContentHint(),
        titles: [(at: Int, title: RawTitle)] = []
    ) {
        var reader = ElementaryReader(hint: hint)
        var found: [StreamElement] = []
        var place = 0
        var waiting = titles
        while place < stream.count || !waiting.isEmpty {
            while let first = waiting.first, first.at <= place {
                reader.push(title: first.title, into: &found)
                waiting.removeFirst()
            }
            let end = min(
                stream.count, place + (chunk == 0 ? stream.count : chunk), waiting.first?.at ?? .max)
            guard end > place else { break }
            reader.push(stream.span.extracting(place..<end), into: &found)
            place = end
        }
        reader.finish(into: &found)
        verdict = reader.verdict
        for element in found { append(element) }
    }

    /// Neighbouring runs and neighbouring junk are one.
    private mutating func append(_ element: StreamElement) {
        switch (elements.last, element) {
        case (.frames(let run), .frames(let more)):
            elements[elements.count - 1] = .frames(
                FrameRun(bytes: run.bytes + more.bytes, frames: run.frames + more.frames))
        case (.junk(let count), .junk(let more)):
            elements[elements.count - 1] = .junk(byteCount: count + more)
        default:
            elements.append(element)
        }
    }

    /// Pieces that the streams of the tests are cut into.
    static let chunks = [1, 2, 3, 7, 255, 0]
}

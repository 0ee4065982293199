import Feed
import Platform
import StreamFormats
import Testing

@testable import Recording

/// A file that goes through a recorder as a station would have sent it.
enum StreamFile {
    /// Records all of `bytes` at once.
    /// - Parameter titles: from outside the container, at these seconds.
    static func record(
        _ bytes: [UInt8], to target: RecordingRequest.Target, tracks: String? = nil,
        sound: (any SoundSource)? = nil, pictures: any PictureSource = NoPictures(),
        titles: [(seconds: Double, text: String)] = []
    ) throws -> RecordingFacts {
        let feed = Feed(station: Station(id: "o", name: "Ogg FM", urls: []))
        let done = Lock<RecordingFacts?>(nil)
        let recorder = Recorder(sound: sound, pictures: pictures) { event in
            if case .finished(let facts) = event { done.withLock { $0 = facts } }
        }
        let id = try recorder.start(
            RecordingRequest(target: target, tracks: tracks.map { TrackRequest(folder: $0) }), feed: feed)
        publish(bytes, to: feed, titles)
        try recorder.stopAndWait(id)
        recorder.shutDown()
        return try #require(done.withLock { $0 })
    }

    private static func publish(
        _ bytes: [UInt8], to feed: Feed, _ titles: [(seconds: Double, text: String)]
    ) {
        var titles = titles[...]
        var reader = ElementaryReader()
        var found: [StreamElement] = []
        reader.push(bytes.span, into: &found)
        reader.finish(into: &found)
        for element in found {
            switch element {
            case .format(let format): feed.publish(format: format)
            case .frames(let run):
                let step = titles.isEmpty ? run.frames.count : 10
                for start in stride(from: 0, to: run.frames.count, by: max(step, 1)) {
                    announce(&titles, to: feed)
                    feed.publish(frames: run.frames(start..<min(start + step, run.frames.count)))
                }
            case .title(let raw):
                let text = String(decoding: raw.text, as: UTF8.self)
                feed.publish(title: raw, reading: TitleText(text: text, title: text, kind: .track))
            case .junk: break
            }
        }
    }

    private static func announce(
        _ titles: inout ArraySlice<(seconds: Double, text: String)>, to feed: Feed
    ) {
        while let title = titles.first, title.seconds <= feed.position.seconds {
            feed.publish(
                title: RawTitle(source: .icy, text: Array(title.text.utf8)),
                reading: TitleText(text: title.text, title: title.text, kind: .track))
            titles.removeFirst()
        }
    }
}

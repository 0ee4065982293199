import Feed
import Platform
import StreamFormats
import Testing

@testable import Recording

/// A file that goes through a recorder as a station would have sent it.
enum StreamFile {
    /// Records all of `bytes` at once.
    static func record(
        _ bytes: [UInt8], to target: RecordingRequest.Target, tracks: String? = nil,
        sound: (any SoundSource)? = nil
    ) throws -> RecordingFacts {
        let feed = Feed(station: Station(id: "o", name: "Ogg FM", urls: []))
        let done = Lock<RecordingFacts?>(nil)
        let recorder = Recorder(sound: sound) { event in
            if case .finished(let facts) = event { done.withLock { $0 = facts } }
        }
        let id = try recorder.start(
            RecordingRequest(target: target, tracks: tracks.map { TrackRequest(folder: $0) }), feed: feed)
        publish(bytes, to: feed)
        try recorder.stopAndWait(id)
        recorder.shutDown()
        return try #require(done.withLock { $0 })
    }

    private static func publish(_ bytes: [UInt8], to feed: Feed) {
        var reader = ElementaryReader()
        var found: [StreamElement] = []
        reader.push(bytes.span, into: &found)
        reader.finish(into: &found)
        for element in found {
            switch element {
            case .format(let format): feed.publish(format: format)
            case .frames(let run): feed.publish(frames: run)
            case .title(let raw):
                let text = String(decoding: raw.text, as: UTF8.self)
                feed.publish(title: raw, reading: TitleText(text: text, title: text, kind: .track))
            case .junk: break
            }
        }
    }
}

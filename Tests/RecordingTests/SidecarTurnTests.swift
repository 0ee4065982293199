import Feed
import Platform
import StreamFormats
import Testing

@testable import Recording

@Suite("Two threads write one sidecar")
struct SidecarTurnTests {
    private final class Once: Sendable {
        private let body: Lock<(@Sendable () -> Void)?>

        init(_ body: @escaping @Sendable () -> Void) { self.body = Lock(body) }

        func run() {
            let body = body.withLock { body in
                defer { body = nil }
                return body
            }
            body?()
        }
    }

    @Test("the newer facts win, whole, whichever thread is slower", arguments: [1, 2])
    func newest(synchronisation: Int) throws {
        let rig = try RecordingRig()
        rig.title("A")
        rig.run(ticks: 10)
        rig.title("A much longer title than the other, so that the file is longer, too")
        rig.run(ticks: 10)
        // The keeper has its facts and waits for the disk; first for the audio, then for the sidecar.
        let (session, source, feed) = (rig.session, rig.source, rig.feed)
        let overtake = Once {
            // With a title, so that the facts are shown anew.
            feed.publish(
                title: RawTitle(source: .icy, text: Array("B".utf8)),
                reading: TitleText(text: "B", artist: nil, title: "B", kind: .track))
            feed.publish(frames: RecordingRig.run(200..<210, source))
            _ = session.tick()
            session.tellAtOnce()
        }
        let before = rig.disk.state.withLock { $0.done[.synchronize, default: 0] }
        rig.disk.state.withLock { state in
            state.pause = { operation, number in
                if operation == .synchronize, number == before + synchronisation - 1 { overtake.run() }
            }
        }
        rig.session.keep(journal: NoJournal())
        let folder = try rig.disk.folder("/r", below: [], creating: false)
        let read = try #require(SidecarFile(folder: folder).read(named: "a.json"))
        #expect(read.frames == 210)
        #expect(rig.disk.paths == ["/r/a.json", "/r/a.mp3"])
    }
}

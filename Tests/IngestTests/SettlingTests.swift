import StreamFormats
import Testing

@testable import Ingest

@Suite("When a stream flows as it always will")
struct SettlingTests {
    /// Seconds of audio after which it is said to have settled, each time.
    private func times(_ count: Int, isInRounds: (Int) -> Bool) -> [Double] {
        var settling = Settling()
        var (said, seconds): ([Double], Double) = ([], 0)
        let tenth = StreamElement.frames(
            FrameRun(bytes: [0], frames: [FrameInfo(length: 1, samples: 4410)]))
        while said.count < count, seconds < 20_000 {
            seconds += 0.1
            if settling.hasSettled(after: [tenth], isInRounds: isInRounds(said.count)) {
                said.append(seconds)
            }
        }
        return said
    }

    @Test("twelve seconds of audio come first, and again after each time that it was said")
    func calm() {
        #expect(times(4) { $0 > 0 }.map { $0.rounded() } == [12, 24, 36, 48])
    }

    @Test("what comes faster than rounds can take is left alone for longer and longer, and not for ever")
    func hurried() {
        #expect(times(6) { _ in false }.map { $0.rounded() } == [12, 24, 48, 96, 192, 384])
        // A burst of fifty minutes waits for eight rounds and not for 250.
        #expect(times(12) { _ in false }.count { $0 < 3000 } == 8)
    }

    @Test("one hurry is forgotten once it has flowed in rounds")
    func again() {
        let said = times(6) { $0 == 1 || $0 == 3 ? false : $0 > 0 }.map { $0.rounded() }
        #expect(said == [12, 24, 48, 60, 84, 96])
    }
}

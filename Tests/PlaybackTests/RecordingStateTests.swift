import Playback
import StreamFormats
import Testing

private let recording = PlayedRecording(
    id: "r", title: "Show", stationID: "a", stationName: "A", length: 100,
    chapters: [0, 20, 60].map { .init(seconds: $0, text: TitleText(text: "\($0)", kind: .track)) })
private let station = Station(id: "a", name: "A", urls: [])

private func playing(at place: Double = 30) -> PlayerState {
    var state = PlayerState()
    _ = state.command(.hear(recording, from: place))
    _ = state.event(.sounding)
    return state
}

@Suite("Player's state machine, with recordings")
struct RecordingStateTests {
    @Test(
        "a recording is put on where it was asked for, paused, gone on with, stopped and gone on with there")
    func life() {
        var state = PlayerState()
        #expect(
            state.command(.hear(recording, from: 30)) == [.put(recording, at: 30, isHeld: false), .warm([])])
        #expect(state.phase == .joining)
        #expect(state.event(.sounding).isEmpty && state.phase == .live)
        #expect(state.command(.pause) == [.hold(true)] && state.phase == .paused)
        #expect(state.command(.pause).isEmpty)
        #expect(state.command(.play) == [.hold(false)] && state.phase == .live)
        _ = state.event(.reached(42))
        #expect(state.command(.stop) == [.leave, .warm([])] && state.phase == .stopped)
        #expect(state.command(.play) == [.put(recording, at: 42, isHeld: false)])
    }

    @Test("live has neither pause nor place")
    func live() {
        var state = PlayerState()
        _ = state.command(.tune(station, among: []))
        _ = state.event(.sounding)
        #expect(state.command(.pause).isEmpty && state.phase == .live)
        #expect(state.command(.seek(10)).isEmpty && state.place == 0)
        #expect(state.event(.ended).isEmpty && state.phase == .live)
    }

    @Test(
        "a seek stays within the recording, and a number that is none goes to the beginning",
        arguments: [(50.0, 50.0), (-5, 0), (1e9, 100), (.nan, 0), (.infinity, 0)])
    func seek(asked: Double, place: Double) {
        var state = playing()
        #expect(state.command(.seek(asked)) == [.put(recording, at: place, isHeld: false)])
        _ = state.command(.pause)
        #expect(state.command(.seek(asked)) == [.put(recording, at: place, isHeld: true)])
        #expect(state.phase == .paused)
        _ = state.command(.stop)
        #expect(state.command(.seek(asked)).isEmpty && state.place == place)
    }

    @Test("next and previous walk its titles, and behind the last one it is over")
    func chapters() {
        var state = playing(at: 30)
        #expect(state.command(.previous) == [.put(recording, at: 20, isHeld: false)])
        #expect(state.command(.previous) == [.put(recording, at: 0, isHeld: false)])
        _ = state.event(.reached(30))
        #expect(state.command(.next) == [.put(recording, at: 60, isHeld: false)])
        #expect(state.command(.next) == [.heardOut(recording)])
        #expect(state.phase == .stopped && state.recording == nil)
    }

    @Test("a new helper gets the recording from where it stands, a paused one held")
    func helper() {
        var state = playing()
        _ = state.event(.reached(33))
        _ = state.event(.helperLost)
        #expect(state.phase == .rejoining)
        #expect(state.event(.helperReady) == [.put(recording, at: 33, isHeld: false)])
        #expect(state.event(.sounding).isEmpty && state.phase == .live)
        _ = state.command(.pause)
        _ = state.event(.helperLost)
        #expect(state.phase == .paused)
        #expect(state.event(.helperReady) == [.put(recording, at: 33, isHeld: true)])
    }

    @Test("a tuned station takes the recording's place, and nothing of it comes back")
    func tuned() {
        var state = playing()
        #expect(state.command(.tune(station, among: [])).first == .join(station))
        #expect(state.recording == nil)
        #expect(state.event(.ended).isEmpty)
        _ = state.command(.stop)
        #expect(state.command(.play).first == .join(station))
    }

    @Test("the sleep timer leaves it where it is")
    func slept() {
        var state = playing()
        _ = state.event(.reached(50))
        #expect(state.event(.slept) == [.leave, .warm([])])
        #expect(state.recording == recording && state.place == 50)
    }
}

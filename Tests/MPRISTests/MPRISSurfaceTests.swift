import Testing

@testable import MPRIS

@Suite("MPRIS")
struct MPRISSurfaceTests {
    private func playing(_ title: String?, artist: String? = nil) -> MPRISView {
        var view = MPRISView()
        view.isPlaying = true
        view.station = "Night Drive"
        view.title = title
        view.artist = artist
        view.canSkip = true
        return view
    }

    private func value(_ name: String, _ surface: MPRISSurface) -> BusValue? {
        surface.facts(of: MPRISSurface.player)?.first { $0.name == name }?.value
    }

    private func metadata(_ surface: MPRISSurface) -> [String: BusValue] {
        guard case .facts(let facts) = value("Metadata", surface) else { return [:] }
        return Dictionary(uniqueKeysWithValues: facts.map { ($0.name, $0.value) })
    }

    @Test("what cannot be said of live is not said")
    func live() {
        let surface = MPRISSurface(playing("Song", artist: "Band"))
        #expect(value("CanSeek", surface) == .truth(false) && value("CanPause", surface) == .truth(false))
        #expect(metadata(surface)["mpris:length"] == nil)
        #expect(metadata(surface)["xesam:artist"] == .texts(["Band"]))
        #expect(metadata(MPRISSurface(playing("News")))["xesam:artist"] == .texts(["Night Drive"]))
        #expect(
            metadata(MPRISSurface())["mpris:trackid"] == .path("/org/mpris/MediaPlayer2/TrackList/NoTrack"))
        #expect(value("CanPlay", MPRISSurface()) == .truth(false))
    }

    @Test("what can only be read is not set, and what is no method is none")
    func access() {
        let facts = (MPRISSurface().facts(of: MPRISSurface.player) ?? []).map(\.name)
        let settable = facts.filter { MPRISSurface.access(to: $0) != .readOnly }
        #expect(Set(settable) == ["Volume", "Rate", "LoopStatus", "Shuffle"])
        #expect(MPRISSurface.access(to: "Identity") == .readOnly)
        #expect(MPRISSurface.rootMethods == ["Raise", "Quit"])
    }

    @Test("only what is new is told, and each title is another track")
    func changes() {
        var surface = MPRISSurface()
        #expect(
            Set(surface.take(playing("One")).map(\.name)) == [
                "PlaybackStatus", "Metadata", "CanGoNext", "CanGoPrevious", "CanPlay",
            ])
        let first = metadata(surface)["mpris:trackid"]
        #expect(surface.take(playing("One")).isEmpty)
        #expect(surface.take(playing("Two")).map(\.name) == ["Metadata"])
        #expect(metadata(surface)["mpris:trackid"] != first)
    }

    private func recording(_ position: Int64, isPaused: Bool = false, rate: Double = 1) -> MPRISView {
        var view = playing("Song", artist: "Band")
        view.recording = .init(
            isPaused: isPaused, length: 90_000_000, position: position, rate: rate, rates: 0.5...3)
        return view
    }

    @Test("a recording has a length, a position, a pause and speeds")
    func recorded() {
        let surface = MPRISSurface(recording(5_000_000, rate: 1.5))
        #expect(value("CanSeek", surface) == .truth(true) && value("CanPause", surface) == .truth(true))
        #expect(metadata(surface)["mpris:length"] == .whole(90_000_000))
        #expect(value("Position", surface) == .whole(5_000_000) && value("Rate", surface) == .real(1.5))
        #expect(surface.order("PlayPause") == .some(.pause) && surface.order("Pause") == .some(.pause))
        let paused = MPRISSurface(recording(5_000_000, isPaused: true))
        #expect(value("PlaybackStatus", paused) == .text("Paused"))
        #expect(paused.order("PlayPause") == .some(.play) && paused.order("Stop") == .some(.stop))
        #expect(paused.rate(7) == .rate(3) && paused.rate(0) == .pause)
        #expect(MPRISSurface(playing("One")).rate(2) == nil)
    }

    @Test("seeking stays in the recording; places of another track are left alone")
    func seeking() {
        let surface = MPRISSurface(recording(5_000_000))
        #expect(surface.seek(by: 10_000_000) == .position(15_000_000))
        #expect(surface.seek(by: -10_000_000) == .position(0))
        #expect(surface.seek(by: 90_000_000) == .next && surface.seek(by: .max) == .next)
        guard case .path(let track) = metadata(surface)["mpris:trackid"] else { return }
        #expect(surface.position(1_000_000, of: track) == .position(1_000_000))
        #expect(surface.position(1_000_000, of: track + "0") == nil)
        #expect(surface.position(91_000_000, of: track) == nil && surface.position(-1, of: track) == nil)
        #expect(MPRISSurface(playing("One")).seek(by: 1) == nil)
    }

    @Test("a jump is told, and time that merely passes is not")
    func jumps() {
        var surface = MPRISSurface(recording(5_000_000, rate: 2))
        #expect(surface.jump(at: 100) == nil)
        _ = surface.take(recording(25_000_000, rate: 2))
        #expect(surface.jump(at: 110) == nil, "ten seconds at twice the speed")
        _ = surface.take(recording(60_000_000, rate: 2))
        #expect(surface.jump(at: 110.1) == 60_000_000)
        _ = surface.take(recording(60_000_000, isPaused: true))
        #expect(surface.jump(at: 110.2) == nil)
        #expect(surface.jump(at: 200) == nil, "paused, nothing moves")
    }

    @Test("keys do what live can do: pause leaves, seeking means nothing, skipping needs somewhere to go")
    func keys() {
        let surface = MPRISSurface(playing("One"))
        #expect(surface.order("PlayPause") == .some(.stop) && surface.order("Pause") == .some(.stop))
        #expect(MPRISSurface().order("PlayPause") == .some(.play))
        #expect(surface.order("Seek") == .some(nil) && MPRISSurface().order("Next") == .some(nil))
        #expect(surface.order("Next") == .some(.next))
        #expect(surface.order("Dance") == nil)
    }
}

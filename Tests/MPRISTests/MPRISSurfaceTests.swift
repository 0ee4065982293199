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

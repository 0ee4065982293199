import StreamFormats
import Testing

private func track(_ text: String) -> TitleText { TitleText(text: text, kind: .track) }
private let ident = TitleText(text: "Radio X", kind: .ident)

/// What a debouncer says of titles at these seconds, as short words.
private func told(_ heard: [(TitleText, Double)], settings: TitleDebouncer.Settings = .init()) -> [String] {
    var debouncer = TitleDebouncer(settings: settings)
    var told: [String] = []
    func note(_ change: TitleDebouncer.Change?) {
        switch change {
        case .began(let title, let time): told.append("\(title.text)@\(time / .seconds(1))")
        case .resumed(let title, let time): told.append("\(title.text) again@\(time / .seconds(1))")
        case nil: break
        }
    }
    for (title, time) in heard {
        note(debouncer.advance(to: .seconds(time)))
        note(debouncer.heard(title, at: .seconds(time)))
    }
    return told
}

@Suite("Titles: which are news")
struct TitleDebouncerTests {
    @Test("the same title in every block is one track")
    func repeated() {
        let blocks = (0..<300).map { (track("A"), Double($0)) }
        #expect(told(blocks) == ["A@0.0"])
    }

    @Test("a track goes on after an ident in its middle, a gap without a title or a title that flaps")
    func resumed() {
        #expect(
            told([(track("A"), 0), (ident, 60), (track("A"), 63)]) == [
                "A@0.0", "Radio X@60.0", "A again@63.0",
            ])
        #expect(
            told([(track("A"), 0), (.none, 60), (track("A"), 80)]) == ["A@0.0", "@60.0", "A again@80.0"])
        #expect(
            told([(track("A"), 0), (track("B"), 60), (track("A"), 62)]) == [
                "A@0.0", "B@60.0", "A again@62.0",
            ])
        #expect(
            told([(track("A"), 0), (ident, 60), (.none, 65), (track("A"), 70)]).last == "A again@70.0")
    }

    @Test("a track starts anew after a longer break, and after another track behind an ident")
    func restarted() {
        #expect(told([(track("A"), 0), (ident, 60), (track("A"), 80.5)]).last == "A@80.5")
        #expect(told([(track("A"), 0), (ident, 60), (track("B"), 63), (track("A"), 66)]).last == "A@66.0")
    }

    @Test("titles that come too fast are told once, the last of them, at its own time")
    func tooFast() {
        let flood = [(track("A"), 0), (track("B"), 0.25), (track("C"), 0.5), (track("C"), 1.2)]
        #expect(told(flood) == ["A@0.0", "C@0.5"])
        #expect(told([(track("A"), 0), (track("B"), 0.5), (track("A"), 0.75), (track("A"), 5)]) == ["A@0.0"])
        var settings = TitleDebouncer.Settings()
        settings.mostPerMinute = 3
        var many = (0..<59).map { (track("\($0)"), Double($0)) }
        many += [(track("end"), 60), (track("end"), 61)]
        #expect(told(many, settings: settings) == ["0@0.0", "1@1.0", "2@2.0", "58@58.0", "end@60.0"])
    }

    @Test("an advert of known length ends by itself, and so does one that a title ends")
    func adverts() {
        let advert = TitleText(text: "", kind: .advert, details: TitleDetails(duration: .seconds(30)))
        #expect(
            told([(track("A"), 0), (advert, 100), (advert, 134), (advert, 136)]) == [
                "A@0.0", "@100.0", "@135.0",
            ])
        #expect(told([(advert, 0), (track("A"), 10), (track("A"), 60)]) == ["@0.0", "A@10.0"])
    }
}

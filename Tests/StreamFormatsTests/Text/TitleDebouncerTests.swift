import StreamFormats
import Testing

private func track(_ text: String) -> TitleText { TitleText(text: text, kind: .track) }

/// What a debouncer tells of titles at these seconds, as short words.
private func told(_ heard: [(TitleText, Double)], settings: TitleDebouncer.Settings = .init()) -> [String] {
    var debouncer = TitleDebouncer(settings: settings)
    var changes: [TitleDebouncer.Change?] = []
    /// The words of a title stand for what it is read as.
    func read(_ arrival: TitleDebouncer.Arrival?, at time: Duration) {
        guard let arrival, let meaning = heard.first(where: { raw($0.0) == arrival.raw })?.0 else { return }
        changes.append(debouncer.read(arrival, as: meaning, now: time))
    }
    for (title, seconds) in heard {
        let time = Duration.seconds(seconds)
        changes.append(debouncer.advertEnded(at: time))
        read(debouncer.due(at: time), at: time)
        read(debouncer.arrived(raw(title), at: time), at: time)
    }
    return changes.compactMap(\.self).map { "\($0.title.text)@\($0.time / .seconds(1))" }
}

private func raw(_ title: TitleText) -> RawTitle {
    let link = title.details.link.map { Array($0.utf8) }
    return RawTitle(source: .icy, text: Array(title.text.utf8), url: link, isAdvert: title.kind == .advert)
}

@Suite("Titles: which are news")
struct TitleDebouncerTests {
    @Test("the same title in every block is one track, and so is one whose link alone changes")
    func repeated() {
        let blocks = (0..<300).map { (track("A"), Double($0)) }
        #expect(told(blocks) == ["A@0.0"])
        var linked = track("A")
        linked.details.link = "http://x.example"
        #expect(told([(track("A"), 0), (linked, 5), (track("A"), 9)]) == ["A@0.0"])
    }

    @Test("no title at the start is news once; a class alone makes a difference")
    func first() {
        #expect(told([(.none, 0), (.none, 5), (track("A"), 6)]) == ["@0.0", "A@6.0"])
        #expect(told([(track("A"), 0), (TitleText(text: "A", kind: .advert), 5)]) == ["A@0.0", "A@5.0"])
    }

    @Test("titles that come too fast are told once, the last of them, at its own time")
    func tooFast() {
        let flood = [(track("A"), 0), (track("B"), 0.25), (track("C"), 0.5), (track("D"), 1.2)]
        #expect(told(flood) == ["A@0.0", "C@0.5"])
        #expect(told(flood + [(track("D"), 2.3)]) == ["A@0.0", "C@0.5", "D@1.2"])
        #expect(told([(track("A"), 0), (track("B"), 0.5), (track("A"), 0.75), (track("A"), 5)]) == ["A@0.0"])
    }

    @Test("no more than so many are told in a minute")
    func flood() {
        var settings = TitleDebouncer.Settings()
        settings.mostPerMinute = 3
        var many = (0..<59).map { (track("\($0)"), Double($0)) }
        many += [(track("end"), 60), (track("end"), 61)]
        #expect(told(many, settings: settings) == ["0@0.0", "1@1.0", "2@2.0", "58@58.0", "end@60.0"])
    }

    @Test("an advert of known length ends by itself once, and before that where a title comes")
    func adverts() {
        let advert = TitleText(text: "", kind: .advert, details: TitleDetails(duration: .seconds(30)))
        let ended = told([(track("A"), 0), (advert, 100), (advert, 134), (advert, 136), (advert, 200)])
        #expect(ended == ["A@0.0", "@100.0", "@135.0"])
        #expect(
            told([(advert, 0), (track("A"), 10), (track("A"), 60), (advert, 99)]) == [
                "@0.0", "A@10.0", "@99.0",
            ])
    }

    @Test("a title that was read anew is not news when it comes again")
    func reread() {
        var debouncer = TitleDebouncer()
        let raw = RawTitle(source: .icy, text: [0xCF])
        let other = RawTitle(source: .icy, text: [0xCF], url: [])
        #expect(
            debouncer.arrived(raw, at: .zero).flatMap { debouncer.read($0, as: track("Ï"), now: .zero) }
                != nil)
        debouncer.reread(track("П"))
        #expect(debouncer.arrived(raw, at: .seconds(10)) == nil)
        let again = debouncer.arrived(other, at: .seconds(10))
        #expect(
            again != nil && again.flatMap { debouncer.read($0, as: track("П"), now: .seconds(10)) } == nil)
    }
}

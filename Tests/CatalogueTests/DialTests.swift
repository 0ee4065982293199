import Platform
import StreamFormats
import Testing

@testable import Catalogue

@Suite("Smart dial")
struct DialTests {
    private func airing(_ artist: String, _ title: String, kind: TitleClass = .track) -> TitleText {
        TitleText(text: "\(artist) - \(title)", artist: artist, title: title, kind: kind)
    }

    private func station(_ id: String, _ change: (inout DialCandidate) -> Void = { _ in }) -> DialCandidate {
        var candidate = DialCandidate(station: id, name: id.uppercased())
        change(&candidate)
        return candidate
    }

    private func thumb(_ direction: Thumb.Direction, _ artist: String, _ title: String, on station: String)
        -> Thumb
    {
        Thumb(
            direction, artist: artist, title: title, station: station,
            at: WallTime(secondsSince1970: 1_700_000_000))
    }

    private func choose(_ dial: SmartDial, _ thumbs: [Thumb], _ candidates: [DialCandidate]) -> [DialChoice] {
        DialRules(dial, thumbs: thumbs, candidates: candidates).choices(candidates)
    }

    @Test("what airs the seed comes before what was liked, before a liked artist, before mere history")
    func order() {
        let candidates = [
            station("history") { $0.seedPlays = 40 },
            station("artist") { $0.airing = airing("Nina Simone", "Sinnerman") },
            station("liked") { $0.airing = airing("nina simone", "Feeling Good!") },
            station("seed") { $0.airing = airing("Miles Davis", "So What") },
            station("other") { $0.airing = airing("Somebody", "Else") },
            station("advert") { $0.airing = airing("Miles Davis", "Sale", kind: .advert) },
        ]
        let thumbs = [thumb(.up, "Nina Simone", "Feeling good", on: "far")]
        let found = choose(SmartDial(name: "d", seed: .artist("miles davis")), thumbs, candidates)
        #expect(found.map(\.station) == ["seed", "liked", "artist", "history"])
        #expect(
            found.map(\.sentence) == [
                "SEED plays Miles Davis - So What, which this dial is made for.",
                "LIKED plays nina simone - Feeling Good!, which you liked on far on 2023-11-14.",
                "ARTIST plays Nina Simone; you liked Feeling good.",
                "HISTORY has played it 40 times in the last 30 days.",
            ])
    }

    @Test("a station that airs what was disliked is left out, whatever speaks for it")
    func disliked() {
        let candidates = [
            station("a") {
                $0.airing = airing("Miles Davis", "So What")
                $0.seedPlays = 50
            },
            station("b") { $0.seedPlays = 1 },
        ]
        let dial = SmartDial(name: "d", seed: .artist("Miles Davis"))
        #expect(
            choose(dial, [thumb(.down, "Miles Davis", "So What", on: "x")], candidates).map(\.station) == [
                "b"
            ])
        #expect(choose(dial, [], candidates).map(\.station) == ["a", "b"])
    }

    @Test(
        "variety widens: the seed's own, its genres, where something was liked, every favourite",
        arguments: [
            (0, ["seed"]), (1, ["seed", "cousin"]), (2, ["seed", "cousin", "liked"]),
            (3, ["seed", "cousin", "liked", "fav"]),
        ])
    func variety(variety: Int, expected: [String]) {
        var dial = SmartDial(name: "d", seed: .stations(["seed"]))
        dial.variety = variety
        let candidates = [
            station("seed") { $0.genres = ["jazz", "swing"] }, station("cousin") { $0.genres = ["swing"] },
            station("liked") { $0.liked = 2 }, station("fav") { $0.isFavourite = true }, station("none"),
        ]
        #expect(choose(dial, [], candidates).map(\.station) == expected)
    }

    @Test("votes decide between stations that have the same reason, and never more")
    func votes() {
        let candidates = [
            station("a") {
                $0.genres = ["jazz"]
                $0.disliked = 3
            },
            station("b") { $0.genres = ["jazz"] },
            station("c") {
                $0.genres = ["jazz"]
                $0.liked = 500
            },
        ]
        let found = choose(SmartDial(name: "d", seed: .genre("Jazz")), [], candidates)
        #expect(found.map(\.station) == ["c", "b", "a"])
        #expect(found.map(\.score) == [249, 200, 197])
    }

    @Test("a track dial wants the track, not another of the artist")
    func track() {
        let candidates = [
            station("same") { $0.airing = airing("Band", "Song") },
            station("other") { $0.airing = airing("Band", "Other") },
        ]
        let dial = SmartDial(name: "d", seed: .track(artist: "Band", title: "song"))
        #expect(choose(dial, [], candidates).map(\.station) == ["same"])
    }

    private func choice(_ station: String, _ score: Int) -> DialChoice {
        DialChoice(station: station, name: station, score: score, reason: .favourite)
    }

    @Test("it moves when a title ends and something clearly better is on; a dislike always moves it")
    func pilot() {
        var pilot = DialPilot()
        #expect(pilot.begin([choice("a", 300), choice("b", 200)], leaving: nil)?.station == "a")
        #expect(pilot.titleBegan([choice("b", 350), choice("a", 300)]) == nil)
        #expect(pilot.titleBegan([choice("b", 1000), choice("a", 300)])?.station == "b")
        #expect(pilot.titleBegan([choice("b", 200)]) == nil)
        #expect(pilot.disliked([choice("b", 200), choice("c", 50)])?.station == "c")
        #expect(pilot.disliked([choice("c", 50)]) == nil)
        #expect(pilot.current?.station == "c")
    }

    @Test("late news of what it has left does not switch it off; what somebody puts on by hand does")
    func followed() {
        let choices = [choice("a", 300), choice("b", 200)]
        func follow(_ pilot: inout DialPilot, _ stations: [String?]) -> [Bool] {
            stations.map { pilot.isFollowed(on: $0) }
        }
        for before in [nil, "z"] {
            var pilot = DialPilot()
            _ = pilot.begin(choices, leaving: before)
            #expect(follow(&pilot, [before, "a", before]) == [true, true, false], "once it is there")
        }
        var pilot = DialPilot()
        _ = pilot.begin(choices, leaving: "z")
        #expect(follow(&pilot, ["y", nil, "a"]) == [false, false, true])
        #expect(pilot.disliked(choices)?.station == "b")
        #expect(follow(&pilot, ["a", "b", "a"]) == [true, true, false])
    }
}

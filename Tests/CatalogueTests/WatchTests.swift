import Platform
import StreamFormats
import Testing

@testable import Catalogue

@Suite("Watch-lists")
struct WatchTests {
    private func title(_ artist: String?, _ title: String, _ kind: TitleClass = .track) -> TitleText {
        TitleText(
            text: [artist, title].compactMap { $0 }.joined(separator: " - "), artist: artist, title: title,
            kind: kind)
    }

    private func rule(
        _ words: String, in field: WatchRule.Field = .any, station: String? = nil, id: Int64 = 1
    ) -> WatchRule {
        var rule = WatchRule(words, in: field, station: station, created: WallTime(secondsSince1970: 0))
        rule.id = id
        return rule
    }

    @Test("words must stand there as words, one after another; case and marks aside")
    func words() {
        #expect(rule("sigur ros").matches(title("Sigur Rós", "Hoppípolla"), on: "a"))
        #expect(rule("Miles Davis").matches(title("The Miles Davis Quintet", "Oleo"), on: "a"))
        #expect(!rule("Miles Davis").matches(title("Miles Kane", "Davis"), on: "a"))
        #expect(!rule("ros").matches(title("Roseland", "Song"), on: "a"))
        #expect(!rule("!!!").matches(title("Band", "Song"), on: "a"))
    }

    @Test("artist and title are told apart, a station may be wanted, and adverts never count")
    func fields() {
        #expect(rule("genesis", in: .artist).matches(title("Genesis", "Mama"), on: "a"))
        #expect(!rule("genesis", in: .artist).matches(title("Jorma Kaukonen", "Genesis"), on: "a"))
        #expect(rule("genesis", in: .title).matches(title("Jorma Kaukonen", "Genesis"), on: "a"))
        #expect(!rule("genesis", station: "b").matches(title("Genesis", "Mama"), on: "a"))
        #expect(!rule("genesis").matches(title("Genesis", "Tickets", .advert), on: "a"))
    }

    @Test("the same song on the same station is met once, and again after a while")
    func once() {
        var matcher = WatchMatcher()
        let song = title("Genesis", "Mama")
        let start = MonotonicTime(nanoseconds: 0)
        let rules = [rule("genesis"), rule("mama", id: 2), rule("other", id: 3)]
        #expect(matcher.met(by: song, on: "a", of: rules, at: start).map(\.id) == [1, 2])
        #expect(matcher.met(by: song, on: "a", of: rules, at: start.advanced(bySeconds: 300)).isEmpty)
        #expect(
            matcher.met(by: song, on: "b", of: rules, at: start.advanced(bySeconds: 301)).map(\.id) == [1, 2])
        #expect(
            matcher.met(by: song, on: "a", of: rules, at: start.advanced(bySeconds: 1600)).map(\.id) == [
                1, 2,
            ])
    }
}

@Suite("Looking at favourites")
struct ScoutPlanTests {
    private func at(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds * 1e9)) }

    @Test("each is looked at once in its time, with a pause between any two")
    func polite() {
        var plan = ScoutPlan(pace: .init(titles: 300, health: 1000))
        #expect(plan.next(["a", "b"], wantsTitles: true, at: at(0)) == .title("a"))
        #expect(plan.next(["a", "b"], wantsTitles: true, at: at(1)) == nil)
        #expect(plan.next(["a", "b"], wantsTitles: true, at: at(5)) == .title("b"))
        #expect(plan.next(["a", "b"], wantsTitles: true, at: at(10)) == .health("a"))
        #expect(plan.next(["a", "b"], wantsTitles: true, at: at(15)) == .health("b"))
        #expect(plan.next(["a", "b"], wantsTitles: true, at: at(250)) == nil)
        #expect(
            plan.next(["a", "b"], wantsTitles: true, at: at(311)) == .title("a"),
            "a probe brings the title too")
    }

    @Test("over a day no station is asked more often than the settings say")
    func bounded() {
        var plan = ScoutPlan(pace: .init(titles: 300, health: 86_400))
        var counts: [ScoutPlan.Look: Int] = [:]
        for second in 0..<86_400 {
            if let look = plan.next(["a", "b", "c"], wantsTitles: second < 43_200, at: at(Double(second))) {
                counts[look, default: 0] += 1
            }
        }
        #expect(counts[.health("a")] == 1 && counts[.health("c")] == 1)
        #expect((140...145).contains(counts[.title("b")] ?? 0))
    }

    @Test("never means never, and a probe of before the start counts")
    func never() {
        var plan = ScoutPlan(pace: .init(titles: 0, health: 1000))
        plan.remember("a", probedAt: at(-500))
        #expect(plan.next(["a"], wantsTitles: true, at: at(0)) == nil)
        #expect(plan.next(["a"], wantsTitles: true, at: at(500)) == .health("a"))
    }
}

@Suite("Dead air")
struct DeadAirTests {
    private func at(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds * 1e9)) }

    @Test("begins after so long, once, and ends with its length")
    func alarm() {
        var alarm = DeadAirAlarm(after: 30)
        #expect(alarm.look(.silence, at: at(0)) == nil)
        #expect(alarm.look(nil, at: at(29)) == nil)
        #expect(alarm.look(.stalled, at: at(40)) == nil)
        #expect(alarm.look(.silence, at: at(70)) == .began(.silence))
        #expect(alarm.look(.silence, at: at(100)) == nil)
        #expect(alarm.look(nil, at: at(130)) == .ended(seconds: 90))
        #expect(alarm.look(nil, at: at(131)) == nil)
        var never = DeadAirAlarm(after: 0)
        #expect(never.look(.stalled, at: at(1000)) == nil)
    }
}

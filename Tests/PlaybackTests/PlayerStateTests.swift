import MediaHelper
import Playback
import StreamFormats
import Testing

private let stations = ["a", "b", "c"].map { Station(id: $0, name: $0, urls: []) }
private let (a, b, c) = (stations[0], stations[1], stations[2])

/// A player in each phase, on station `b` of `a, b, c`.
private func player(in phase: PlayerPhase) -> PlayerState {
    var state = PlayerState(reach: 1)
    _ = state.command(.tune(b, among: stations))
    switch phase {
    case .stopped: _ = state.command(.stop)
    case .joining: break
    case .live: _ = state.event(.sounding)
    case .stalled:
        _ = state.event(.sounding)
        _ = state.event(.starved)
    case .rejoining:
        _ = state.event(.sounding)
        _ = state.event(.helperLost)
    case .failed: _ = state.event(.unavailable(reason: "gone"))
    case .paused: break
    }
    return state
}

/// Where live can be; it is never paused.
private let livePhases = PlayerPhase.allCases.filter { $0 != .paused }

private typealias Action = PlayerState.Action

/// What is expected of one pair: the phase after it, and what is to be done.
private struct Row: Sendable {
    var phase: PlayerPhase
    var actions: [Action] = []
}

private let join: @Sendable (Station) -> [Action] = { station in
    [
        .join(station),
        .warm(
            stations.filter { $0.id != station.id }.sorted {
                order($0, after: station) < order($1, after: station)
            }),
    ]
}

/// How the neighbours stand: the next first, then the one before.
private func order(_ station: Station, after here: Station) -> Int {
    let (place, own) = (stations.firstIndex(of: station) ?? 0, stations.firstIndex(of: here) ?? 0)
    return (place - own + stations.count) % stations.count
}

@Suite("Player's state machine")
struct PlayerStateTests {
    @Test("a player is in the phase that the test puts it in", arguments: livePhases)
    func phases(phase: PlayerPhase) {
        let state = player(in: phase)
        #expect(state.phase == phase)
        #expect(state.station == b)
    }

    @Test("every command in every phase", arguments: livePhases)
    func commands(phase: PlayerPhase) {
        let isSilent = phase == .stopped
        let wantsJoin = phase == .stopped || phase == .failed
        let table: [(PlayerState.Command, Row)] = [
            (.play, wantsJoin ? Row(phase: .joining, actions: join(b)) : Row(phase: phase)),
            (.stop, isSilent ? Row(phase: .stopped) : Row(phase: .stopped, actions: [.leave, .warm([])])),
            (.next, isSilent ? Row(phase: .stopped) : Row(phase: .joining, actions: join(c))),
            (.previous, isSilent ? Row(phase: .stopped) : Row(phase: .joining, actions: join(a))),
            (.tune(a, among: stations), Row(phase: .joining, actions: join(a))),
            (
                .tune(b, among: stations),
                wantsJoin
                    ? Row(phase: .joining, actions: join(b)) : Row(phase: phase, actions: [.warm([c, a])])
            ),
        ]
        for (command, expected) in table {
            var state = player(in: phase)
            #expect(state.command(command) == expected.actions, "\(command) in \(phase)")
            #expect(state.phase == expected.phase, "\(command) in \(phase)")
        }
    }

    @Test(
        "every event in every phase",
        arguments: [
            // sounding, starved, disconnected, unavailable, helperLost, helperReady, helperMissing, joinTimedOut, slept
            (PlayerPhase.stopped, "stopped stopped stopped stopped stopped stopped stopped stopped stopped"),
            (.joining, "live joining joining failed joining joining failed joining stopped"),
            (.live, "live stalled live failed rejoining live failed live stopped"),
            (.stalled, "live stalled rejoining failed rejoining stalled failed stalled stopped"),
            (.rejoining, "live rejoining rejoining failed rejoining rejoining failed rejoining stopped"),
            (.failed, "failed failed failed failed failed failed failed failed stopped"),
        ])
    func events(phase: PlayerPhase, expected: String) {
        let events: [PlayerState.Event] = [
            .sounding, .starved, .disconnected(reason: "reset"), .unavailable(reason: "404"), .helperLost,
            .helperReady,
            .helperMissing(reason: "not installed"), .joinTimedOut, .slept,
        ]
        for (event, phaseAfter) in zip(events, expected.split(separator: " ")) {
            var state = player(in: phase)
            let actions = state.event(event)
            #expect(state.phase.rawValue == phaseAfter, "\(event) in \(phase)")
            #expect(actions == Self.actions(for: event, in: phase), "\(event) in \(phase)")
        }
    }

    private static func actions(for event: PlayerState.Event, in phase: PlayerPhase) -> [PlayerState.Action] {
        if phase == .stopped { return [] }
        switch event {
        case .slept: return [.leave, .warm([])]
        case .unavailable: return phase == .failed ? [] : [.leave]
        case .helperReady: return phase == .failed ? [] : [.resend(b)]
        case .joinTimedOut: return phase == .joining ? [.silenceOld] : []
        default: return []
        }
    }

    @Test("no event ever starts a stopped player, in any order")
    func stoppedStaysStopped() {
        var state = player(in: .stopped)
        for event in [PlayerState.Event.sounding, .helperReady, .starved, .helperLost, .sounding, .slept] {
            #expect(state.event(event).isEmpty)
            #expect(state.phase == .stopped)
        }
    }

    @Test("next and previous go round the list, and a stopped player's dial moves silently")
    func walking() {
        var state = player(in: .live)
        for expected in [c, a, b, c] {
            _ = state.command(.next)
            #expect(state.station == expected)
        }
        _ = state.command(.stop)
        #expect(state.command(.previous).isEmpty)
        #expect(state.station == b)
        #expect(state.command(.play).first == .join(b))
    }

    @Test("a station that is in no list walks nowhere and warms nothing")
    func alone() {
        var state = PlayerState(reach: 2)
        #expect(state.command(.next).isEmpty)
        #expect(state.command(.play).isEmpty)
        #expect(state.command(.tune(a, among: [])) == [.join(a), .warm([])])
        #expect(state.command(.next).isEmpty)
    }

    @Test(
        "a data saver warms nothing, a short list no station twice",
        arguments: [(0, []), (1, ["c", "a"]), (5, ["c", "a"])])
    func warming(reach: Int, expected: [String]) {
        var state = PlayerState(reach: reach)
        let actions = state.command(.tune(b, among: stations))
        #expect(
            actions == [
                .join(b), .warm(stations.filter { expected.contains($0.id) }.sorted { $0.id > $1.id }),
            ])
    }

    @Test("the reason is told while it matters and forgotten after")
    func reasons() {
        var state = player(in: .joining)
        _ = state.event(.disconnected(reason: "refused"))
        #expect(state.reason == "refused")
        _ = state.event(.sounding)
        #expect(state.reason == nil)
    }
}

@Suite("What a player levels and how fast it plays")
struct PlayerRangeTests {
    @Test(
        "what is loud is lowered and what is soft is raised to -16 LUFS, within bounds",
        arguments: [(-16.0, 0.0), (-10, -6), (-20, 4), (-40, 9), (10, -20)])
    func levelling(loudness: Double, lift: Double) { #expect(Levelling.lift(from: loudness) == lift) }

    @Test(
        "a speed is brought to the nearest that there is, and what is no number is as recorded",
        arguments: [(1.5, 1.5), (0.1, 0.5), (9, 3), (-Double.infinity, 0.5), (.infinity, 3), (.nan, 1)])
    func speed(asked: Double, played: Double) { #expect(PlaybackSpeed.clamped(asked) == played) }
}

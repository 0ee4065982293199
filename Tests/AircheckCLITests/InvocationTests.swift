import Platform
import Testing

@testable import AircheckCLI

private let command = CommandSpec(
    "record", "record", operands: [.stationOrURL],
    options: [
        .value("for", "DURATION", "how long"), .flag("split", short: "s", "tracks"),
        .value("output", "DIR", short: "o", "where"),
    ]
) { _ in }

@Suite("Command lines")
struct InvocationTests {
    @Test(
        "values are taken in every way that people write them",
        arguments: [
            ["demo", "--for", "30s", "-o", "x"], ["--for=30s", "demo", "-ox"],
            ["-so", "x", "--for", "30s", "demo"],
            ["--output=x", "--for", "30s", "--", "demo"],
        ])
    func values(words: [String]) throws {
        let invocation = try Invocation(command, words)
        #expect(invocation.operands == ["demo"])
        #expect(try invocation.duration("for") == 30)
        #expect(invocation.text("output") == "x")
    }

    @Test(
        "what is wrong is named",
        arguments: [
            ([], "STATION"), (["a", "b"], "\"b\""), (["a", "--fro", "1"], "--for"),
            (["a", "--for"], "DURATION"),
            (["a", "--split=1"], "no value"), (["a", "-x"], "-x"),
        ])
    func mistakes(words: [String], named: String) {
        let failure = #expect(throws: CommandFailure.self) { try Invocation(command, words) }
        #expect(failure?.code == .usage)
        #expect(failure?.description.contains(named) == true, "\(failure?.description ?? "")")
    }

    @Test("a word that begins with a dash is an operand behind --")
    func dashes() throws {
        #expect(try Invocation(command, ["--", "-rf"]).operands == ["-rf"])
        #expect(try Invocation(command, ["-10"]).operands == ["-10"], "a change by so much is no option")
    }
}

@Suite("Command table")
struct CommandTableTests {
    @Test("no two commands, and no two options of a command, have one name")
    func unique() {
        let names = CommandTable.commands.map(\.name)
        #expect(Set(names).count == names.count)
        for command in CommandTable.commands {
            let options = command.options + CommandSpec.Option.common
            #expect(Set(options.map(\.long)).count == options.count, "\(command.name)")
            let letters = options.compactMap(\.short)
            #expect(Set(letters).count == letters.count, "\(command.name)")
        }
    }

    @Test("every command is in the help, in the manual and in each shell's completions")
    func everywhere() throws {
        let help = CommandHelp.overview(CommandTable.groups)
        let manual = ManualPage.roff(CommandTable.groups, version: "1")
        for command in CommandTable.commands {
            #expect(help.contains(command.name))
            // A dash that is to stay one is written with a backslash in a manual.
            #expect(manual.contains("aircheck " + command.name.replacing("-", with: "\\-")))
            for shell in ShellCompletions.shells {
                let script = try #require(ShellCompletions.script(for: shell, CommandTable.commands))
                #expect(script.contains(command.words[0]), "\(command.name) in \(shell)")
            }
        }
    }

    @Test(
        "a word that is no command is named, and what was probably meant",
        arguments: [
            ("statoins", nil, "there is no command \"statoins\"", "Did you mean stations? "),
            (
                "lisst", "recordings", "there is no command \"recordings lisst\"",
                "Did you mean recordings list? "
            ),
            ("pause", "recordings", "there is no command \"recordings pause\"", "Did you mean pause? "),
            ("xyzzyxyzzy", "watch", "there is no command \"watch xyzzyxyzzy\"", "`aircheck watch --help`"),
        ] as [(String, String?, String, String)])
    func unknown(word: String, family: String?, message: String, remedy: String) {
        let failure = CommandLineTool.unknown(word, in: family)
        #expect(failure.message == message)
        #expect(failure.remedy?.hasPrefix(remedy) == true, "\(failure.remedy ?? "")")
    }

    @Test("the commands of the product are all there")
    func complete() {
        let expected = [
            "serve", "tune", "play", "stop", "next", "previous", "now", "volume", "sleep", "record", "relay",
            "probe",
            "stations list", "stations search", "stations add", "stations favourite", "stations probe",
            "recordings list",
            "recordings show", "token create", "token list", "token revoke", "status", "doctor",
            "config check",
            "completions", "demo-station", "version",
        ]
        #expect(expected.allSatisfy { name in CommandTable.commands.contains { $0.name == name } })
    }
}

@Suite("Times as people type them")
struct TimeTextTests {
    @Test(
        "durations",
        arguments: [
            ("90", 90), ("30s", 30), ("1h30m", 5400), ("2d", 172_800), ("1.5h", 5400), ("soon", nil),
            ("", nil),
            ("5m5", nil), ("30m1h", nil), ("-5s", nil),
        ] as [(String, Double?)])
    func durations(text: String, seconds: Double?) {
        #expect(DurationText.seconds(text) == seconds)
    }

    @Test("a duration is written as it is read", arguments: [0, 1, 59, 60, 3600, 5430, 90_061])
    func roundTrip(seconds: Double) {
        #expect(DurationText.seconds(DurationText.text(seconds)) == seconds)
    }

    @Test("a time of day is the next one, a full time is that one")
    func localTimes() throws {
        let now = SystemTime().wall
        let clock = LocalTime.clock(now.advanced(bySeconds: 120))
        let next = try #require(LocalTime.next(clock, after: now))
        #expect(abs(Double(next.nanoseconds - now.nanoseconds) / 1e9 - 120) < 2)
        let past = try #require(LocalTime.next(LocalTime.clock(now.advanced(bySeconds: -120)), after: now))
        #expect(Double(past.nanoseconds - now.nanoseconds) / 1e9 > 80_000)
        #expect(LocalTime.next("25:00", after: now) == nil)
        #expect(LocalTime.next("noon", after: now) == nil)
        #expect(LocalTime.next("2030-01-02T03:04", after: now).map(LocalTime.text) == "2030-01-02 03:04:00")
    }
}

@Suite("Event streams")
struct ServerSentEventsTests {
    @Test("events come out however the stream was cut", arguments: [1, 2, 5, 100])
    func chunks(size: Int) {
        var reader = ServerSentEvents()
        let bytes = Array(
            ": hi\nevent: title\ndata: {\"a\":\ndata: 1}\n\ndata: x\r\n\r\nevent: empty\n\n".utf8)
        var found: [String] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            for event in reader.push(bytes[start..<min(start + size, bytes.count)]) {
                found.append("\(event.name) \(String(decoding: event.data, as: UTF8.self))")
            }
        }
        #expect(found == ["title {\"a\":\n1}", "message x"])
    }
}

@Suite("Terminal text")
struct TerminalTests {
    @Test("escape sequences, bidi and zero-width marks are shown, letters are left alone")
    func escaping() {
        #expect(TerminalText.escaped("a\u{1B}]0;x\u{7}b") == "a\\u{1b}]0;x\\u{7}b")
        #expect(TerminalText.escaped("\u{202E}abc\u{9B}") == "\\u{202e}abc\\u{9b}")
        #expect(TerminalText.escaped("Björk – Jóga 東京") == "Björk – Jóga 東京")
    }

    @Test("wide characters take two columns, combining ones none")
    func widths() {
        #expect(Terminal.displayWidth("東京") == 4)
        #expect(Terminal.displayWidth("e\u{301}") == 1)
    }

    @Test("a log line cannot be forged by what is logged")
    func logging() {
        #expect(Log.quoted("a\nlevel=error \"x\" \\") == "\"a\\nlevel=error \\\"x\\\" \\\\\"")
    }
}

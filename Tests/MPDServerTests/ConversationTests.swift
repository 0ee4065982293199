import Testing

@testable import MPDServer

/// Talks as a client does, without a socket.
final class Talk {
    let backend = FakeBackend()
    let desk: MPDDesk
    private(set) var conversation: MPDConversation
    let client: MPDClient

    init(
        _ permissions: MPDPermissions = [.read, .add, .player, .control, .admin], number: Int = 1,
        desk: MPDDesk? = nil
    ) {
        self.desk = desk ?? MPDDesk(backend: backend)
        client = MPDClient(number: number, peer: "127.0.0.1", permissions: permissions)
        self.desk.add(client)
        conversation = MPDConversation(desk: self.desk, client: client)
    }

    func step(_ line: String) -> MPDConversation.Step { conversation.take(Array(line.utf8)) }

    /// What is answered to a line; nothing for a hang-up.
    func say(_ line: String) -> String? {
        switch step(line) {
        case .say(let text): text
        case .send(let bytes): String(decoding: bytes, as: UTF8.self)
        case .nothing: ""
        case .close: nil
        }
    }

    func news() -> MPDConversation.Step { conversation.news() }
}

@Suite("MPD conversations")
struct ConversationTests {
    @Test(
        "errors are written as clients know them",
        arguments: [
            ("foo", "ACK [5@0] {} unknown command \"foo\"\n"),
            ("play x", "ACK [2@0] {play} Integer expected: x\n"),
            ("play 9", "ACK [2@0] {play} Bad song index\n"),
            ("playlistinfo 9", "ACK [2@0] {playlistinfo} Bad song index\n"),
            ("add", "ACK [2@0] {add} too few arguments for \"add\"\n"),
            ("albumart x", "ACK [2@0] {albumart} wrong number of arguments for \"albumart\"\n"),
            ("setvol 101", "ACK [2@0] {setvol} Number too large: 101\n"),
            ("playid 99", "ACK [50@0] {playid} No such song\n"),
            ("deleteid 99", "ACK [50@0] {deleteid} No such song\n"),
            ("load nope", "ACK [50@0] {load} No such playlist\n"),
            ("rm nope", "ACK [50@0] {rm} No such playlist\n"),
            ("lsinfo nope", "ACK [50@0] {lsinfo} No such directory\n"),
            ("next", "ACK [55@0] {next} Not playing\n"),
            ("seekcur 5", "ACK [55@0] {seekcur} Not playing\n"),
            ("add ftpx://a", "ACK [2@0] {add} Unsupported URI scheme\n"),
            ("password wrong", "ACK [3@0] {password} incorrect password\n"),
            ("disableoutput 7", "ACK [50@0] {disableoutput} No such audio output\n"),
            ("albumart http://a/b 0", "ACK [50@0] {albumart} No file exists\n"),
            ("find \"((artist == 'x'\"", "ACK [2@0] {find} ')' expected\n"),
            ("play \"1", "ACK [2@0] {play} Missing closing '\"'\n"),
        ])
    func errors(line: String, answer: String) { #expect(Talk().say(line) == answer) }

    @Test("live is joined, left and skipped; it is never sought, and pause leaves it")
    func live() throws {
        let talk = Talk()
        #expect(talk.say("play 1") == "OK\n")
        #expect(
            talk.say("status")?.contains("state: play\nsong: 1\nsongid: 2\nnextsong: 2\nnextsongid: 3\n")
                == true)
        #expect(talk.say("seekcur +5") == "ACK [5@0] {seekcur} Not seekable\n")
        #expect(talk.say("seek 0 10") == "ACK [5@0] {seek} Not seekable\n")
        #expect(talk.say("previous") == "OK\n")
        #expect(talk.say("previous") == "OK\n")
        #expect(talk.say("currentsong")?.contains("Name: Station five\n") == true)
        #expect(talk.say("pause 1") == "OK\n")
        #expect(talk.backend.orders.last == .stop)
        let status = try #require(talk.say("status"))
        #expect(status.contains("state: stop\n") && status.contains("song: 4\n"))
        #expect(!status.contains("duration") && !status.contains("pause"))
        #expect(talk.say("pause 0") == "OK\n")
        #expect(talk.backend.view.isPlaying && talk.backend.view.station == "five")
    }

    @Test("a list of commands ends at the first that fails")
    func lists() {
        let talk = Talk()
        for line in ["command_list_ok_begin", "ping", "play 77", "stop"] {
            #expect(talk.say(line)?.isEmpty == true)
        }
        #expect(talk.say("command_list_end") == "list_OK\nACK [2@1] {play} Bad song index\n")
        #expect(talk.backend.orders.isEmpty)
        _ = talk.say("command_list_begin")
        _ = talk.say("ping")
        #expect(talk.say("command_list_end") == "OK\n")
    }

    @Test(
        "who does not begin like a client is hung up on", arguments: ["GET / HTTP/1.1", " ping", "", "\u{1}"])
    func strangers(line: String) { #expect(Talk().step(line) == .close) }

    @Test(
        "idle tells what has changed, at once where something is pending; anything but noidle ends the connection"
    )
    func idle() {
        let talk = Talk()
        #expect(talk.say("idle player mixer")?.isEmpty == true)
        talk.backend.view.volume = 30
        talk.backend.airings["one"] = MPDAiring(artist: nil, title: "News")
        talk.desk.look()
        #expect(talk.news() == .say("changed: mixer\nOK\n"))
        talk.backend.view.station = "one"
        talk.desk.look()
        #expect(talk.say("idle") == "changed: playlist\nchanged: player\nOK\n")
        #expect(talk.say("idle")?.isEmpty == true)
        #expect(talk.say("noidle") == "OK\n")
        #expect(talk.say("noidle")?.isEmpty == true)
        _ = talk.say("idle")
        #expect(talk.step("status") == .close)
    }

    @Test("a title makes the queue another version")
    func titles() throws {
        let talk = Talk()
        _ = talk.say("play 0")
        let version = talk.desk.queue.version
        talk.backend.airings["one"] = MPDAiring(artist: "A\nB", title: "C")
        #expect(
            talk.say("plchanges \(version)")?.contains("Title: C\nArtist: A B\nName: Station one") == true)
        #expect(talk.say("plchangesposid \(talk.desk.queue.version)") == "OK\n")
        #expect(talk.say("tagtypes clear") == "OK\n")
        #expect(talk.say("currentsong") == "file: http://127.0.0.1:2472/one\nPos: 0\nId: 1\nOK\n")
        _ = talk.say("tagtypes enable Name Album")
        #expect(talk.say("tagtypes") == "tagtype: Name\nOK\n")
    }

    @Test("the queue is what next and previous walk")
    func queue() {
        let talk = Talk()
        _ = talk.say("play 0")
        #expect(talk.say("move 2:4 0") == "OK\n")
        #expect(talk.desk.queue.entries.map(\.id) == ["three", "four", "one", "two", "five"])
        #expect(talk.backend.view.list.map(\.id) == ["three", "four", "one", "two", "five"])
        #expect(talk.say("addid http://elsewhere.example/live") == "Id: 6\nOK\n")
        #expect(talk.say("addid http://elsewhere.example/live") == "Id: 6\nOK\n")
        #expect(talk.say("deleteid 1") == "OK\n")
        #expect(!talk.backend.view.isPlaying, "who plays what was taken out falls silent")
        #expect(talk.say("clear") == "OK\n")
        #expect(talk.say("play") == "OK\n")
        #expect(talk.say("load Kitchen") == "OK\n")
        #expect(talk.desk.queue.entries.map(\.id) == ["two", "four"])
    }

    @Test("a list that somebody else tuned becomes the queue, and stations that stay keep their numbers")
    func foreign() {
        let talk = Talk()
        let kept = talk.backend.stations[3]
        talk.backend.view.isPlaying = true
        talk.backend.view.station = "four"
        talk.backend.view.list = [kept]
        #expect(
            talk.say("playlistid")
                == "file: \(kept.uri)\nName: Station four\nGenre: jazz\nPos: 0\nId: 4\nOK\n")
    }

    @Test("search finds by parts and asks the directory; find wants the whole, in either spelling")
    func search() throws {
        let talk = Talk()
        #expect(talk.say("search any \"station F\"")?.components(separatedBy: "file:").count == 3)
        #expect(talk.say("search any faraway")?.contains("Name: Faraway FM") == true)
        #expect(talk.say("find name \"Station two\"")?.contains("/two\n") == true)
        #expect(
            talk.say("find \"((name == \\\"Station two\\\") AND (!(genre == 'rock')))\"")?.contains("/two\n")
                == true)
        #expect(talk.say("find \"(name == 'Station')\"") == "OK\n")
        #expect(talk.say("search any station window 1:3")?.components(separatedBy: "file:").count == 3)
        #expect(talk.say("list Genre") == "Genre: jazz\nOK\n")
        #expect(talk.say("list Album") == "OK\n")
        // What is negated is the whole comparison, also where one value stands for another.
        talk.backend.airings = [
            "one": MPDAiring(artist: "A", title: "foot"), "two": MPDAiring(artist: "A", title: "x"),
        ]
        let lacks = talk.say("find \"(title !~ \\\"foo\\\")\"") ?? ""
        #expect(!lacks.contains("/one\n") && lacks.contains("/two\n") && lacks.contains("/three\n"))
        let differs = talk.say("find \"(title != \\\"x\\\")\"") ?? ""
        #expect(differs.contains("/one\n") && !differs.contains("/two\n"))
        #expect(talk.say("list Title Artist A") == "Title: foot\nTitle: x\nOK\n")
        #expect(talk.say("list Title Artist B") == "OK\n")
        #expect(talk.say("list Title \"(title =~ \\\"oo\\\")\"") == "Title: foot\nOK\n")
        #expect(
            talk.say("list Title Artist A group Artist") == "Artist: A\nTitle: foot\nTitle: x\nOK\n")
        #expect(talk.say("list Title group Nonsense") == "ACK [2@0] {list} Unknown tag type: Nonsense\n")
        #expect(talk.say("list Album A") == "OK\n")
        #expect(talk.say("lsinfo Favourites")?.contains("/two\n") == true)
        #expect(talk.say("lsinfo Tags") == "directory: Tags/jazz\ndirectory: Tags/night\nOK\n")
        #expect(
            talk.say("lsinfo \"\"")?.hasSuffix("playlist: Kitchen\nLast-Modified: 1970-01-01T00:00:00Z\nOK\n")
                == true)
        let deep = "find \"" + String(repeating: "(", count: 200) + "\""
        #expect(talk.say(deep) == "ACK [2@0] {find} Expression is nested too deeply\n")
    }

    @Test("without a password nobody does what is not theirs")
    func permissions() throws {
        let talk = Talk([.read])
        #expect(talk.say("play 0") == "ACK [4@0] {play} you don't have permission for \"play\"\n")
        #expect(talk.say("commands")?.contains("command: play\n") == false)
        #expect(talk.say("notcommands")?.contains("command: play\n") == true)
        #expect(talk.say("password \"open sesame\"") == "OK\n")
        #expect(talk.say("play 0") == "OK\n")
        let nobody = Talk([])
        #expect(nobody.say("status")?.hasPrefix("ACK [4@0]") == true)
        #expect(nobody.say("idle")?.hasPrefix("ACK [4@0]") == true)
        #expect(nobody.say("ping") == "OK\n")
    }

    @Test("clients send each other messages")
    func messages() {
        let talk = Talk()
        let other = Talk(number: 2, desk: talk.desk)
        #expect(talk.say("sendmessage room hello")?.hasPrefix("ACK [50@0]") == true)
        #expect(other.say("subscribe room") == "OK\n")
        #expect(talk.say("channels") == "channel: room\nOK\n")
        #expect(talk.say("sendmessage room \"hello you\"") == "OK\n")
        #expect(other.say("readmessages") == "channel: room\nmessage: hello you\nOK\n")
    }

    @Test("stored lists are made, changed and removed")
    func stored() {
        let talk = Talk()
        #expect(talk.say("save Kitchen") == "ACK [56@0] {save} Playlist already exists\n")
        #expect(talk.say("save Bath") == "OK\n")
        #expect(talk.say("playlistdelete Bath 1:") == "OK\n")
        #expect(talk.say("playlistadd Bath three") == "OK\n")
        #expect(
            talk.say("listplaylist Bath")
                == "file: http://127.0.0.1:2472/one\nfile: http://127.0.0.1:2472/three\nOK\n")
        #expect(talk.say("playlistmove Bath 1 0") == "OK\n")
        #expect(talk.say("rename Bath Spa") == "OK\n")
        #expect(talk.say("listplaylist Spa")?.hasPrefix("file: http://127.0.0.1:2472/three\n") == true)
        #expect(talk.say("rm Spa") == "OK\n")
        #expect(talk.say("save \"a/b\"")?.hasPrefix("ACK [2@0] {save}") == true)
    }

    @Test("every command bears any arguments without a trap")
    func anything() {
        let texts = [
            "", "0", "-1", "1:", "4294967295", "9223372036854775808", "x y", "http://a/b", "two", "Kitchen",
        ]
        for command in MPDCommand.table.keys.sorted() where command != "idle" {
            for count in 0...3 {
                for text in texts {
                    let talk = Talk()
                    let words = Array(repeating: "\"\(text)\"", count: count).joined(separator: " ")
                    let answer = talk.say("\(command) \(words)")
                    #expect(
                        answer == nil || answer == "" || answer?.hasSuffix("OK\n") == true
                            || answer?.hasPrefix("ACK") == true)
                }
            }
        }
    }
}

@Suite("MPD lines")
struct LineTests {
    @Test("lines are found however the network cuts them, and a line without an end is refused")
    func cutting() throws {
        let text = Array("status\r\nplay 1\n".utf8)
        for size in 1...text.count {
            var lines = MPDLines()
            var found: [[UInt8]] = []
            for start in stride(from: 0, to: text.count, by: size) {
                found += try lines.take(text[start..<min(start + size, text.count)])
            }
            #expect(found == [Array("status".utf8), Array("play 1".utf8)])
        }
        var lines = MPDLines()
        #expect(throws: MPDLineTooLong.self) { try lines.take([UInt8](repeating: 97, count: 5000)) }
    }
}

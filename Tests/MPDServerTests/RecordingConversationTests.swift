import Testing

@testable import MPDServer

@Suite("MPD's limits")
struct ConversationLimitTests {
    @Test("a list of commands may hold two mebibytes; one that holds more is hung up on")
    func commands() {
        let line = "add " + String(repeating: "x", count: 4091)
        for (lines, isTaken) in [(511, true), (513, false)] {
            let talk = Talk()
            _ = talk.step("command_list_begin")
            let steps = (0..<lines).map { _ in talk.step(line) }
            #expect(steps.allSatisfy { $0 == .nothing } == isTaken)
            #expect((steps.last == .close) == !isTaken)
        }
    }

    @Test("commands of one list that say more than eight mebibytes together are hung up on, in whatever form")
    func answers() {
        for begin in ["command_list_begin", "command_list_ok_begin"] {
            let talk = Talk()
            talk.backend.stations[0].name = String(repeating: "n", count: 100_000)
            _ = talk.step(begin)
            for _ in 0..<90 { _ = talk.step("lsinfo Stations") }
            #expect(talk.step("command_list_end") == .close)
            let modest = Talk()
            modest.backend.stations[0].name = String(repeating: "n", count: 100_000)
            _ = modest.step(begin)
            for _ in 0..<60 { _ = modest.step("lsinfo Stations") }
            #expect(modest.step("command_list_end") != .close)
        }
    }
}

@Suite("MPD conversations about recordings")
struct RecordingConversationTests {
    private func playing() -> Talk {
        let talk = Talk()
        _ = talk.say("add recordings/r1")
        _ = talk.say("play 5")
        return talk
    }

    @Test("a recording is a track: it has a duration, pauses where it is and seeks")
    func track() throws {
        let talk = playing()
        let song = try #require(talk.say("currentsong"))
        #expect(
            song == """
                file: recordings/r1
                Title: Nightwatch, 2026-11-30
                Name: Station one
                Date: 2026-11-30
                Time: 91
                duration: 90.500
                Pos: 5
                Id: 6
                OK

                """)
        #expect(talk.say("seekcur 12.5") == "OK\n")
        #expect(talk.say("status")?.contains("time: 12:90\nelapsed: 12.500\nduration: 90.500\n") == true)
        #expect(talk.say("seekcur -2") == "OK\n" && talk.backend.orders.last == .seek(10.5))
        #expect(talk.say("seek 5 40") == "OK\n" && talk.backend.orders.last == .seek(40))
        #expect(talk.say("seekid 6 -7") == "OK\n" && talk.backend.orders.last == .seek(0))
        #expect(talk.say("pause") == "OK\n" && talk.say("status")?.contains("state: pause\n") == true)
        #expect(talk.say("pause 1") == "OK\n" && talk.backend.orders.last == .pause)
        #expect(talk.say("pause 0") == "OK\n" && talk.backend.orders.last == .resume)
        #expect(talk.say("seekcur nan") == "ACK [2@0] {seekcur} Float expected: nan\n")
    }

    @Test("next and previous walk from recordings to stations and back, and the queue keeps both")
    func walking() {
        let talk = playing()
        #expect(talk.say("next") == "OK\n")
        #expect(talk.say("currentsong")?.contains("Name: Station one\nGenre: jazz\nPos: 0\n") == true)
        #expect(talk.say("seekcur 5") == "ACK [5@0] {seekcur} Not seekable\n")
        #expect(talk.say("previous") == "OK\n")
        #expect(talk.say("currentsong")?.hasPrefix("file: recordings/r1\n") == true)
        #expect(talk.say("status")?.contains("playlistlength: 6\n") == true)
        #expect(talk.say("delete 0") == "OK\n")
        #expect(talk.backend.orders.last != .stop, "what plays is still in it")
        #expect(talk.say("status")?.contains("state: play\nsong: 4\n") == true)
    }

    @Test("seeking to a place of another track plays it from there")
    func elsewhere() {
        let talk = Talk()
        _ = talk.say("add recordings/r1")
        #expect(talk.say("seek 5 30") == "OK\n")
        #expect(talk.backend.orders.suffix(2).last == .seek(30) && talk.backend.view.recording != nil)
        #expect(talk.say("seek 0 30") == "ACK [5@0] {seek} Not seekable\n")
    }

    @Test("a recording that somebody else put on has a place in the queue, and its jumps are told")
    func elsewherePut() {
        let talk = Talk()
        _ = talk.say("idle player")
        let recording = talk.backend.recordings[0]
        (talk.backend.view.isPlaying, talk.backend.view.station) = (true, recording.id)
        talk.backend.view.recording = recording
        talk.desk.look()
        #expect(talk.news() == .say("changed: player\nOK\n"))
        #expect(talk.say("currentsong")?.contains("Pos: 5\n") == true)
        _ = talk.say("idle player")
        talk.backend.view.elapsed = 40
        talk.desk.look()
        #expect(talk.news() == .nothing, "time that passes is no news")
        talk.backend.view.jumpedTo = 40
        talk.desk.look()
        #expect(talk.news() == .say("changed: player\nOK\n"))
    }

    @Test("recordings stand in a folder of their own")
    func folder() {
        let talk = Talk()
        #expect(talk.say("lsinfo")?.contains("directory: Recordings\n") == true)
        #expect(talk.say("lsinfo Recordings")?.contains("file: recordings/r1\n") == true)
    }

    @Test("a picture comes in pieces, and one that is not there is said as clients expect")
    func picture() {
        let talk = Talk()
        talk.backend.pictures["one"] = MPDPicture(bytes: [UInt8](0...99), type: "image/png")
        _ = talk.say("binarylimit 64")
        let uri = talk.backend.stations[0].uri
        let first =
            Array("size: 100\ntype: image/png\nbinary: 64\n".utf8) + [UInt8](0...63) + Array("\nOK\n".utf8)
        #expect(talk.step("readpicture \(uri) 0") == .send(first))
        let rest = Array("size: 100\nbinary: 36\n".utf8) + [UInt8](64...99) + Array("\nOK\n".utf8)
        #expect(talk.step("albumart \(uri) 64") == .send(rest))
        #expect(talk.say("albumart \(uri) 101") == "ACK [2@0] {albumart} Bad file offset\n")
        #expect(talk.say("albumart \(uri) -1") == "ACK [2@0] {albumart} Bad file offset\n")
        #expect(talk.say("readpicture \(talk.backend.stations[1].uri) 0") == "OK\n")
        _ = talk.step("command_list_ok_begin")
        _ = talk.step("albumart \(uri) 64")
        let listed = rest.dropLast(3) + Array("list_OK\nOK\n".utf8)
        #expect(talk.step("command_list_end") == .send(Array(listed)))
    }

    @Test("notes are kept by name, found and taken away")
    func stickers() {
        let talk = Talk()
        let uri = talk.backend.stations[0].uri
        #expect(talk.say("sticker get song \(uri) rating") == "ACK [50@0] {sticker} no such sticker\n")
        #expect(talk.say("sticker set song \(uri) rating 8") == "OK\n")
        #expect(talk.say("sticker set song recordings/r1 rating 3") == "OK\n")
        #expect(talk.say("sticker get song \(uri) rating") == "sticker: rating=8\nOK\n")
        #expect(
            talk.say("sticker find song \"\" rating")
                == "file: \(uri)\nsticker: rating=8\nfile: recordings/r1\nsticker: rating=3\nOK\n")
        #expect(
            talk.say("sticker find song recordings rating < 5")
                == "file: recordings/r1\nsticker: rating=3\nOK\n")
        #expect(talk.say("sticker delete song \(uri)") == "OK\n")
        #expect(talk.say("sticker list song \(uri)") == "OK\n")
        #expect(talk.say("sticker delete song \(uri) rating") == "ACK [50@0] {sticker} no such sticker\n")
        #expect(talk.say("sticker list album x") == "ACK [2@0] {sticker} unknown sticker domain\n")
        #expect(
            talk.say("sticker set song \(uri) a=b 1") == "ACK [2@0] {sticker} bad sticker name or value\n")
        #expect(
            Talk(.read).say("sticker set song \(uri) rating 1")
                == "ACK [4@0] {sticker} you don't have permission for \"sticker\"\n")
    }
}

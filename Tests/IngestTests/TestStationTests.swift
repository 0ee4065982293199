import CLinux
import Platform
import TestStations
import Testing

/// A plain blocking client: sends one request and reads until the end, or until it has seen enough.
private func fetch(_ station: ScriptedStation, path: String = "/live", limit: Int = 1 << 20) -> [UInt8] {
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(client) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = station.port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let connected = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
    guard connected == 0 else { return [] }
    let request = Array("GET \(path) HTTP/1.0\r\nHost: x\r\n\r\n".utf8)
    send(client, request, request.count, 0)
    var answer: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while answer.count < limit {
        let count = recv(client, &piece, piece.count, 0)
        if count <= 0 { break }
        answer += piece[0..<count]
    }
    return answer
}

private func body(_ answer: [UInt8]) -> [UInt8] {
    let mark = Array("\r\n\r\n".utf8)
    for index in answer.indices.dropLast(3) where answer[index..<(index + 4)].elementsEqual(mark) {
        return Array(answer[(index + 4)...])
    }
    return answer
}

@Suite("Scripted stations")
struct TestStationTests {
    @Test("a judge finds every loss, repeat and stray byte", arguments: NumberedFrames.Kind.allCases)
    func judge(kind: NumberedFrames.Kind) {
        let source = NumberedFrames(kind)
        #expect(source.unit(7).count == source.frameLength)
        #expect(Judge.verdict(on: source.units(3..<9), of: source).isPerfect)
        let bytes =
            source.units(0..<4) + source.unit(3) + [1, 2, 3] + source.units(7..<9) + source.unit(9).prefix(50)
        let verdict = Judge.verdict(on: bytes, of: source)
        #expect(verdict.numbers == [0, 1, 2, 3, 3, 7, 8])
        #expect(verdict.lost == 3)
        #expect(verdict.doubled == 1)
        #expect(verdict.strayBytes == 53)
        #expect(Judge.verdict(on: bytes, of: NumberedFrames(kind, programme: "B")).frames == 0)
    }

    @Test("a connection gets the burst at once and then the programme as it runs")
    func burstAndPlay() throws {
        let source = NumberedFrames()
        let station = try ScriptedStation(
            Programme(source, speed: 20),
            scripts: [Step.icecast(interval: nil) + [.burst(10), .play(6), .close]])
        defer { station.stop() }
        let verdict = Judge.verdict(on: body(fetch(station)), of: source)
        #expect(verdict.isPerfect)
        #expect(abs(Double(verdict.frames) * source.secondsPerUnit - 16) < 0.1)
        #expect(station.requests.first?.target == "/live")
        #expect(station.requests.first?.header("host") == "x")
    }

    @Test("blocks come every interval, and a title only where it changes")
    func interleaving() throws {
        let titles = [Programme.Title(at: 0, "One"), Programme.Title(at: 20, "Two")]
        let station = try ScriptedStation(
            Programme(NumberedFrames(), titles: titles),
            scripts: [[.icy(interval: 1000), .join(unit: 0), .push(units: 40), .close]])
        defer { station.stop() }
        var rest = fetch(station)[...]
        var blocks: [String] = []
        while rest.count > 1000 {
            rest = rest.dropFirst(1000)
            let length = Int(rest[rest.startIndex]) * 16
            blocks.append(String(decoding: rest.dropFirst().prefix(length).prefix { $0 != 0 }, as: UTF8.self))
            rest = rest.dropFirst(1 + length)
        }
        #expect(blocks.count == 16)
        #expect(blocks.filter { !$0.isEmpty } == ["StreamTitle='One';", "StreamTitle='Two';"])
        #expect(blocks.firstIndex(of: "StreamTitle='Two';") == 8)
    }

    @Test("a station that refuses is back on the same port afterwards")
    func refusing() throws {
        let station = try ScriptedStation(
            Programme(NumberedFrames()), scripts: [[.refuse(1.5)], [.text("back"), .close]])
        defer { station.stop() }
        #expect(fetch(station).isEmpty)
        var refusals = 0
        var answer: [UInt8] = []
        let time = SystemTime()
        let start = time.now
        while answer.isEmpty, time.now.seconds(since: start) < 5 {
            answer = fetch(station)
            if answer.isEmpty { refusals += 1 }
            _ = poll(nil, 0, 10)
        }
        #expect(answer.elementsEqual("back".utf8))
        #expect(refusals > 0)
    }
}

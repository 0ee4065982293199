import HTTPWire
import Testing

private func decode(_ text: String, inPiecesOf piece: Int) throws -> (data: String, used: Int, isDone: Bool) {
    var decoder = ChunkedDecoder()
    var output: [UInt8] = []
    let bytes = Array(text.utf8)
    var used = 0
    while used < bytes.count, !decoder.isDone {
        used += try decoder.feed(bytes[used..<min(bytes.count, used + piece)].span, into: &output)
    }
    return (String(decoding: output, as: UTF8.self), used, decoder.isDone)
}

@Suite("Chunked coding")
struct ChunkedCodingTests {
    @Test("gives the data back however the network cuts it", arguments: [1, 2, 3, 7, 100])
    func splitInvariance(piece: Int) throws {
        let body = "5\r\nhello\r\n00007\r\n, world\r\nA\r\n0123456789\r\n0\r\nX-Trailer: y\r\n\r\n"
        let (data, used, isDone) = try decode(body + "GET /next", inPiecesOf: piece)
        #expect(data == "hello, world0123456789" && isDone && used == body.utf8.count)
    }

    @Test("takes what the encoder wrote")
    func roundTrip() throws {
        let pieces = ["a", "", "two words", String(repeating: "x", count: 300)]
        let wire = pieces.flatMap { ChunkedEncoder.chunk(Array($0.utf8)) } + ChunkedEncoder.end
        #expect(try decode(String(decoding: wire, as: UTF8.self), inPiecesOf: 13).data == pieces.joined())
    }

    @Test(
        "refuses what two readers could read in two ways",
        arguments: [
            "5;ext=1\r\nhello\r\n", "5 \r\nhello\r\n", " 5\r\nhello\r\n", "0x5\r\nhello\r\n", "+5\r\n",
            "-5\r\n", "g\r\n",
            "\r\n", "5\nhello\r\n", "5\r\nhello\n", "5\r\nhelloX\r\n", "5\r\rhello", "1234567890123\r\n",
            "FFFFFFFFFFFFFFFFF\r\n", "0\r\n\n", "0\r\nX: \u{0}\r\n\r\n", "5\r\nhello0\r\n\r\n",
        ])
    func refusals(text: String) {
        for piece in [1, 100] {
            #expect(throws: WireError.badChunk) { try decode(text, inPiecesOf: piece) }
        }
    }

    @Test("drops trailers, and refuses too many of them")
    func trailers() {
        let flood = "0\r\n" + String(repeating: "X: y\r\n", count: 1000)
        #expect(throws: WireError.badChunk) { try decode(flood, inPiecesOf: 100) }
    }
}

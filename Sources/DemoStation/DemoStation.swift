internal import HTTPServer
internal import HTTPWire
package import Platform
package import Reactor

/// A real, endless ICY station on loopback, so that everything can be tried without a network: three short pieces of music
/// with their titles, as MP3, for any number of listeners.
package final class DemoStation: Sendable {
    /// Where it is on the air: `http://127.0.0.1:PORT/`.
    package let port: UInt16
    package static let name = "aircheck demo"

    private let server: HTTPServer
    private let transmitter: DemoTransmitter
    /// Ended with the station, because nobody else uses it.
    private let ownLoops: LoopGroup?

    /// Goes on the air on 127.0.0.1.
    /// - Parameters:
    ///   - port: 0 lets the kernel choose.
    ///   - loops: whose threads do the work; without any the station starts one of its own.
    /// - Throws: `SystemError` when the port is taken.
    package init(
        port: UInt16 = 0, loops: LoopGroup? = nil, time: any TimeSource = SystemTime()
    ) throws(SystemError) {
        let ownLoops = loops == nil ? try LoopGroup(count: 1, name: "demo") : nil
        guard let loops = loops ?? ownLoops else { preconditionFailure("one of the two is there") }
        self.ownLoops = ownLoops
        transmitter = DemoTransmitter(loop: loops.next(), time: time)
        server = HTTPServer(loops: loops)
        let router = Router(Self.routes(transmitter), guardian: { _, _, _ in nil })
        do {
            let endpoint = try server.listen(on: .tcp(host: "127.0.0.1", port: port), application: router)
            self.port = endpoint.port ?? port
        } catch {
            ownLoops?.stop()
            throw error
        }
    }

    /// Goes off the air and lets every listener go.
    package func stop() {
        let transmitter = transmitter
        server.stop(within: 0, then: {})
        transmitter.loop.run { transmitter.stop() }
        ownLoops?.stop()
    }

    // MARK: What is served

    private static func routes(_ transmitter: DemoTransmitter) -> [Route] {
        ["/", "/demo"].map { path in
            Route("GET", path, role: .anyone, summary: "The station.", plan: .stream) { request, exchange in
                let wantsTitles = request.head.headers["icy-metadata"] == "1"
                if request.head.method == "HEAD" { return exchange.send(answer(wantsTitles: wantsTitles)) }
                exchange.takeOver { taken in
                    let number = taken.take().descriptor
                    let head = head(wantsTitles: wantsTitles)
                    transmitter.loop.run {
                        transmitter.add(FileDescriptor(owning: number), wantsTitles: wantsTitles, head: head)
                    }
                }
            }
        }
    }

    private static func fields(wantsTitles: Bool) -> [(name: String, value: String)] {
        [
            ("Content-Type", "audio/mpeg"), ("Cache-Control", "no-cache, no-store"), ("icy-name", name),
            ("icy-description", "Three pieces, endlessly, from inside aircheck"),
            ("icy-genre", "Demonstration"),
            ("icy-br", "\(DemoProgramme.kilobitsPerSecond)"), ("icy-sr", "48000"), ("icy-pub", "0"),
            ("ice-audio-info", "bitrate=64;channels=1;samplerate=48000"),
        ] + (wantsTitles ? [("icy-metaint", "\(DemoProgramme.metaInterval)")] : [])
    }

    /// As Icecast answers: no length and no chunks, because hardware expects it so.
    private static func head(wantsTitles: Bool) -> [UInt8] {
        var head = ResponseHead(version: .http10, status: 200)
        for field in fields(wantsTitles: wantsTitles) { head.add(field.name, field.value) }
        head.add("Connection", "close")
        return head.bytes
    }

    private static func answer(wantsTitles: Bool) -> HTTPResponse {
        var answer = HTTPResponse(status: 200)
        for field in fields(wantsTitles: wantsTitles) { answer.add(field.name, field.value) }
        return answer
    }
}

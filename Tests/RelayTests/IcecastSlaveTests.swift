import Foundation
import Relay
import StreamFormats
import TestPrograms
import TestStations
import Testing

/// Debian's Icecast in front of ours, as a farm has it.
@Suite("Icecast pulls from us", .serialized)
struct IcecastSlaveTests {
    private static let frames = NumberedFrames()

    @Test("one relay of one mount: every byte from a frame on, and the titles")
    func relay() throws {
        let bench = try RelayBench()
        let folder = try TemporaryFolder("slave")
        bench.title("Master - Title")
        let studio = LiveFrames { bench.publish($0) }
        defer { studio.stop() }
        let slave = try Icecast(
            in: folder,
            more: """
                <relay><server>127.0.0.1</server><port>\(bench.port)</port><mount>/demo</mount>
                  <local-mount>/copy</local-mount><on-demand>0</on-demand>
                  <relay-shoutcast-metadata>1</relay-shoutcast-metadata></relay>
                """)
        #expect(eventually(within: 20) { (try? Self.mounts(of: slave, folder))?.contains("/copy") == true })
        let listener = RawListener(port: UInt16(slave.port), get: "copy", headers: ["Icy-MetaData: 1"])
        let head = listener.head()
        #expect(head.hasPrefix("HTTP/1.0 200 OK"))
        #expect(
            head.lowercased().contains("icy-name:demo radio") || head.contains("icy-name: Demo Radio"),
            "\(head)")
        let icy = IcyReader(listener.body(upTo: 120_000))
        #expect(icy.titles.contains { $0.contains("Master - Title") }, "\(icy.titles)")
        let start = Self.frames.firstFrame(in: icy.audio)
        let whole = icy.audio[start...].prefix((icy.audio.count - start) / 417 * 417)
        #expect(Judge.verdict(on: Array(whole), of: Self.frames).isPerfect)
    }

    @Test("a slave reads streamlist.txt with the relay's password and copies every mount")
    func master() throws {
        let other = Station(id: "other", name: "Other Radio", urls: [])
        let bench = try RelayBench([RelayBench.demo, other])
        let folder = try TemporaryFolder("slave")
        let studio = LiveFrames { bench.publish($0) }
        defer { studio.stop() }
        let slave = try Icecast(
            in: folder,
            more: """
                <master-server>127.0.0.1</master-server><master-server-port>\(bench.port)</master-server-port>
                <master-update-interval>2</master-update-interval><master-username>relay</master-username>
                <master-password>relaysecret</master-password><relays-on-demand>1</relays-on-demand>
                """)
        #expect(
            eventually(within: 20) {
                let mounts = (try? Self.mounts(of: slave, folder)) ?? ""
                return mounts.contains("/demo") && mounts.contains("/other")
            })
        // On demand: nobody has asked, so nothing is pulled.
        #expect(bench.source.feed("demo").readerCount == 0)
        let listener = RawListener(port: UInt16(slave.port), get: "demo")
        let body = listener.body(upTo: 60_000)
        let start = Self.frames.firstFrame(in: body)
        let whole = body[start...].prefix((body.count - start) / 417 * 417)
        #expect(Judge.verdict(on: Array(whole), of: Self.frames).isPerfect)
        #expect(bench.source.feed("demo").readerCount == 1)
        #expect(bench.source.feed("other").readerCount == 0)
    }

    private static func mounts(of icecast: Icecast, _ folder: TemporaryFolder) throws -> String {
        try RunningProgram.run(
            "curl",
            [
                "-s", "-u", "admin:\(Icecast.adminPassword)",
                "http://127.0.0.1:\(icecast.port)/admin/listmounts",
            ], in: folder, within: 10
        ).output
    }
}

extension NumberedFrames {
    /// Where the first whole frame begins; Icecast begins a listener anywhere.
    func firstFrame(in bytes: [UInt8]) -> Int {
        (0..<max(1, min(frameLength * 2, bytes.count))).first { number(of: bytes, at: $0) != nil } ?? 0
    }
}

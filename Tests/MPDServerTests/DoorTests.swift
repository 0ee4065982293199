import MPDServer
import Platform
import Reactor
import TestClients
import Testing

@Suite("MPD's door")
struct DoorTests {
    @Test(
        "who has just come in is answered while the door closes; who waits for changes does not keep it open")
    func closing() async throws {
        let door = try MPDDoor(backend: FakeBackend(), loopback: [.read])
        let opened = try door.open(.tcp(host: "127.0.0.1", port: 0))
        guard case .tcp(_, let port) = opened else { throw StrangeAddress() }
        let (idler, comer) = (try RawClient(port: port), try RawClient(port: port))
        idler.send("idle player\n")
        #expect(await comer.read(until: "OK MPD"))
        let closer = WorkerThread(name: "closer") { door.close() }
        try await Task.sleep(for: .milliseconds(100))
        comer.send("ping\nclose\n")
        #expect(await comer.read(until: "\nOK\n"))
        // Both are hung up on.
        _ = await RawClient.readAllToEnd([idler, comer])
        #expect(idler.sawEnd && comer.sawEnd)
        closer.join()
    }

    private struct StrangeAddress: Error {}
}

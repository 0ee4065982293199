import CLinux
import Glibc
import Platform
@testable import Reactor
import TestClients
import Testing

/// Reports who came and greets them.
private final class Greeter: AcceptHandler {
    let peers = Reports<PeerAddress>()
    private let state: Lock<(keeps: Bool, kept: [Int32])>

    /// - Parameter keeps: holds the connections until `letGo`.
    init(keeps: Bool = false) { state = Lock((keeps, [])) }

    var keptCount: Int { state.withLock { $0.kept.count } }

    func accepted(_ socket: consuming FileDescriptor, from peer: PeerAddress) {
        peers.add(peer)
        send(socket.number, "hi", 2, Int32(MSG_NOSIGNAL))
        guard state.withLock({ $0.keeps }) else { return }
        let number = socket.release()
        state.withLock { $0.kept.append(number) }
    }

    /// Closes what was kept, and what comes from now on at once.
    func letGo() {
        let kept = state.withLock { state in
            state.keeps = false
            return state.kept
        }
        for number in kept { close(number) }
    }
}

private func temporaryFolder() throws -> String {
    var template = Array("/tmp/aircheck-reactor-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemError(while: "making a folder") }
    return String(decoding: template.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}

@Suite("Listener")
struct ListenerTests {
    @Test("accepts on the port it says it has, and closes when told")
    func tcp() async throws {
        let loop = try EventLoop(name: "test")
        defer { loop.stop() }
        let greeter = Greeter()
        let listener = try Listener(.tcp(host: "127.0.0.1", port: 0), on: loop, handler: greeter)
        let port = try #require(listener.endpoint.port)
        #expect(port != 0)
        #expect(try await RawClient(port: port).readToEnd() == "hi")
        let peer = try #require(await greeter.peers.wait(for: 1).first)
        #expect(peer.isLoopback && peer.text == "127.0.0.1" && peer.port != 0)
        listener.close()
        loop.stop()
        #expect(throws: RawClient.ConnectError.self) { try RawClient(port: port) }
    }

    @Test("a taken port, a foreign address and a name are refused with the reason")
    func refused() async throws {
        let loop = try EventLoop(name: "test")
        defer { loop.stop() }
        let first = try Listener(.tcp(host: "localhost", port: 0), on: loop, handler: Greeter())
        defer { first.close() }
        for endpoint in [
            Endpoint.tcp(host: "127.0.0.1", port: first.endpoint.port ?? 0), .tcp(host: "192.0.2.1", port: 0),
            .tcp(host: "radio.example", port: 0), .unix(path: String(repeating: "x", count: 200)),
            .unix(path: "/nowhere/x"),
        ] {
            #expect(throws: SystemError.self) { _ = try Listener(endpoint, on: loop, handler: Greeter()) }
        }
    }

    @Test("a unix socket has its permissions, tells who calls, and replaces one that a crash left behind")
    func unixSocket() async throws {
        let folder = try temporaryFolder()
        defer { rmdir(folder) }
        let path = folder + "/control"
        let loop = try EventLoop(name: "test")
        defer { loop.stop() }
        let greeter = Greeter()
        try leaveDeadSocket(path)
        let listener = try Listener(.unix(path: path, permissions: 0o600), on: loop, handler: greeter)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(try await RawClient(path: path).readToEnd() == "hi")
        let peer = try #require(await greeter.peers.wait(for: 1).first)
        #expect(
            peer.credentials?.user == getuid() && peer.credentials?.process == getpid() && peer.isLoopback)
        // A living one is left alone.
        #expect(throws: SystemError.self) { _ = try Listener(.unix(path: path), on: loop, handler: greeter) }
        listener.close()
        loop.stop()
        #expect(access(path, F_OK) != 0)
    }

    private func leaveDeadSocket(_ path: String) throws {
        let loop = try EventLoop(name: "dead")
        let listener = try Listener(.unix(path: path + "x"), on: loop, handler: Greeter())
        // A hard link stays when the listener removes its own name.
        #expect(link(path + "x", path) == 0)
        listener.close()
        loop.stop()
        #expect(access(path, F_OK) == 0)
    }

    @Test("takes over a listening socket from whoever opened it, and nothing else")
    func inherited() async throws {
        let loop = try EventLoop(name: "test")
        defer { loop.stop() }
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #expect(listen(number, 5) == 0)
        let greeter = Greeter()
        let listener = try Listener(.inherited(descriptor: number), on: loop, handler: greeter)
        let port = try #require(listener.endpoint.port)
        #expect(try await RawClient(port: port).readToEnd() == "hi")
        listener.close()
        let notListening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #expect(throws: SystemError.self) {
            _ = try Listener(.inherited(descriptor: notListening), on: loop, handler: greeter)
        }
    }

    @Test("takes a storm of connections without losing one")
    func storm() async throws {
        let loop = try EventLoop(name: "test")
        defer { loop.stop() }
        let greeter = Greeter()
        let listener = try Listener(.tcp(host: "127.0.0.1", port: 0), on: loop, handler: greeter)
        let port = try #require(listener.endpoint.port)
        // The loop is busy while they come: the backlog holds them.
        loop.submit { usleep(200_000) }
        let clients = try (0..<400).map { _ in try RawClient(port: port) }
        #expect(await RawClient.readAllToEnd(clients).allSatisfy { $0 == "hi" })
        listener.close()
    }

    @Test(
        "keeps the last descriptors for the process, rests without spinning, and goes on when there are more")
    func exhaustion() async {
        await #expect(processExitsWith: .success) {
            var limit = rlimit(rlim_cur: 128, rlim_max: 128)
            guard setrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit) == 0 else {
                _exit(2)
            }
            let loop = try EventLoop(name: "test")
            let greeter = Greeter(keeps: true)
            let listener = try Listener(.tcp(host: "127.0.0.1", port: 0), on: loop, handler: greeter)
            guard let port = listener.endpoint.port else { _exit(3) }
            // Clients and accepted sockets share the process's descriptors: 112 of them are to be had, 110 and some are wanted.
            let clients = try (0..<55).map { _ in try RawClient(port: port) }
            while listener.exhaustionCount < 2 { usleep(10_000) }
            let before = aircheck_process_cpu_nanoseconds()
            usleep(1_000_000)
            guard aircheck_process_cpu_nanoseconds() - before < 100_000_000, listener.exhaustionCount < 10
            else { _exit(4) }
            guard greeter.keptCount < clients.count else { _exit(5) }
            greeter.letGo()
            guard await RawClient.readAllToEnd(clients).contains("hi") else { _exit(6) }
            guard try await RawClient(port: port).readToEnd() == "hi" else { _exit(7) }
            _exit(0)
        }
    }

    @Test("rests longer each time, up to half a second, and forgets it when it succeeds")
    func backoff() {
        var backoff = AcceptBackoff()
        #expect((0..<5).map { _ in backoff.exhausted() } == [0.1, 0.2, 0.4, 0.5, 0.5])
        backoff.succeeded()
        #expect(backoff.exhausted() == 0.1)
        #expect(
            AcceptBackoff.isExhaustion(EMFILE) && !AcceptBackoff.isExhaustion(EAGAIN)
                && !AcceptBackoff.isExhaustion(ECONNABORTED))
    }

    @Test(
        "reserves an eighth of the descriptors, at least sixteen",
        arguments: [(128, 112), (1024, 896), (1 << 20, 1_048_320)])
    func reserve(limit: Int, first: Int32) {
        #expect(
            DescriptorReserve(limit: limit).allows(first - 1)
                && !DescriptorReserve(limit: limit).allows(first))
    }
}

@Suite("Peer address")
struct PeerAddressTests {
    @Test(
        "is read, printed and counted by household",
        arguments: [
            ("192.0.2.7", "192.0.2.7", "192.0.2.7", false), ("127.8.9.1", "127.8.9.1", "127.8.9.1", true),
            ("2001:DB8::0:7", "2001:db8::7", "2001:db8::", false), ("::1", "::1", "::", true),
            ("::ffff:192.0.2.7", "192.0.2.7", "192.0.2.7", false),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::", false),
        ])
    func text(given: String, printed: String, key: String, isLoopback: Bool) async throws {
        let address = try #require(PeerAddress(text: given, port: 80))
        #expect(address.text == printed && address.limitKey.text == key && address.isLoopback == isLoopback)
        #expect("\(address)" == (printed.contains(":") ? "[\(printed)]:80" : "\(printed):80"))
    }

    @Test(
        "of a setting tells whether a door is open to this machine alone",
        arguments: [
            ("localhost", true), ("127.0.0.1", true), ("127.0.0.2", true), ("::1", true), ("0.0.0.0", false),
            ("::", false), ("192.0.2.7", false), ("localhost.example", false), ("", false),
        ])
    func doors(text: String, isLoopback: Bool) {
        #expect(PeerAddress.isLoopback(text: text) == isLoopback)
    }

    @Test(
        "is not read from anything else", arguments: ["", "localhost", "1.2.3", "1.2.3.4.5", "::g", "127.1"])
    func refused(text: String) {
        #expect(PeerAddress(text: text) == nil)
    }
}

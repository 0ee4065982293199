import CLinux
import Foundation
import Platform
import TestPrograms
import Testing

@Suite("What systemd is told")
struct ServiceManagerTests {
    /// A socket that takes what is told, as systemd's.
    private struct Ear: ~Copyable {
        let path: String
        private let folder: TemporaryFolder
        private let socket: Int32

        init(_ folder: TemporaryFolder) {
            self.folder = folder
            path = folder.path("notify")
            socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
            let length = socklen_t(MemoryLayout<sockaddr_un>.size)
            withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = bind(socket, $0, length) }
            }
        }

        deinit { close(socket) }

        /// What has been told until now.
        func heard() -> [String] {
            var words: [String] = []
            var buffer = [UInt8](repeating: 0, count: 256)
            while true {
                let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
                guard count > 0 else { return words }
                words.append(String(decoding: buffer.prefix(count), as: UTF8.self))
            }
        }
    }

    @Test("a long change of hands gives signs of life, and they end with it")
    func staying() throws {
        let ear = Ear(try TemporaryFolder("notify"))
        let manager = ServiceManager(
            environment: [
                "NOTIFY_SOCKET": ear.path, "WATCHDOG_USEC": "200000", "WATCHDOG_PID": "\(getpid())",
            ])
        let answer = manager.staying(aliveDuring: {
            Thread.sleep(forTimeInterval: 1)
            return 7
        })
        #expect(answer == 7)
        let told = ear.heard()
        #expect(told.count >= 5 && told.allSatisfy { $0 == "WATCHDOG=1" }, "\(told)")
        Thread.sleep(forTimeInterval: 0.4)
        #expect(ear.heard().isEmpty)
    }

    @Test("nothing is told where nobody watches")
    func unwatched() throws {
        let ear = Ear(try TemporaryFolder("notify"))
        ServiceManager(environment: ["NOTIFY_SOCKET": ear.path]).staying(aliveDuring: {})
        #expect(ear.heard().isEmpty)
    }
}

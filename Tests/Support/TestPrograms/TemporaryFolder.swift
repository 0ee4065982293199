import Foundation

/// A folder that goes away with the test. Anybody may enter it, because some programs run as nobody.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init(_ label: String = "test") throws {
        path = "/tmp/aircheck-\(label)-\(UUID().uuidString.prefix(12))"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package func path(_ name: String) -> String { path + "/" + name }

    /// Makes a folder inside.
    package func folder(_ name: String, permissions: Int = 0o755) throws -> String {
        let folder = path(name)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: permissions])
        return folder
    }

    /// Writes a text file inside, in folders made for it, and says its path.
    @discardableResult
    package func write(_ name: String, _ text: String) throws -> String {
        let file = path(name)
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        return file
    }

    package func give(toNobody name: String) throws {
        try FileManager.default.setAttributes(
            [.ownerAccountName: "nobody", .groupOwnerAccountName: "nogroup"], ofItemAtPath: path(name))
    }
}

/// Ports of loopback that nobody uses.
package enum FreePort {
    /// The kernel picks one, and we let it go again: a small race, harmless on a test machine.
    package static func next() -> Int {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(socket, $0, length)
                _ = getsockname(socket, $0, &length)
            }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// True once something listens there.
    package static func isOpen(_ port: Int) -> Bool {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}

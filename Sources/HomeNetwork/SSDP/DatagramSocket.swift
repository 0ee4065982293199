internal import Glibc
internal import Platform

/// A socket for multicast datagrams, non-blocking. One thread at a time.
final class DatagramSocket: Sendable {
    let descriptor: FileDescriptor

    private init(descriptor: consuming FileDescriptor) { self.descriptor = descriptor }

    private static let hops: Int32 = 2

    /// Hears what is sent to the group, on the interfaces that are joined. Others on this machine may do so too.
    static func listening(to group: String, port: UInt16) throws(SystemError) -> DatagramSocket {
        let socket = try make()
        var yes: Int32 = 1
        for option in [SO_REUSEADDR, SO_REUSEPORT] {
            setsockopt(
                socket.descriptor.number, SOL_SOCKET, option, &yes, socklen_t(MemoryLayout<Int32>.size))
        }
        guard var address = SocketAddress(group, port: port),
            address.use({ bind(socket.descriptor.number, $0, $1) }) == 0
        else { throw SystemError(while: "listening on \(group) port \(port)") }
        return socket
    }

    /// Sends from an address, to the group on that address's network.
    static func sending(from address: String) throws(SystemError) -> DatagramSocket {
        let socket = try make()
        guard var own = SocketAddress(address, port: 0),
            own.use({ bind(socket.descriptor.number, $0, $1) }) == 0
        else { throw SystemError(while: "sending from \(address)") }
        var outgoing = in_addr()
        inet_pton(AF_INET, address, &outgoing)
        var hops = Self.hops
        setsockopt(
            socket.descriptor.number, protocolIP, IP_MULTICAST_IF, &outgoing,
            socklen_t(MemoryLayout<in_addr>.size))
        setsockopt(
            socket.descriptor.number, protocolIP, IP_MULTICAST_TTL, &hops, socklen_t(MemoryLayout<Int32>.size)
        )
        return socket
    }

    private static func make() throws(SystemError) -> DatagramSocket {
        let flags = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let number = socket(AF_INET, flags, 0)
        guard number >= 0 else { throw SystemError(while: "making a socket") }
        return DatagramSocket(descriptor: FileDescriptor(owning: number))
    }

    private static var protocolIP: Int32 { Int32(IPPROTO_IP) }

    /// Hears the group on one more interface. False when it does already, or cannot.
    @discardableResult
    func join(_ group: String, on interface: NetworkInterface) -> Bool {
        var request = ip_mreqn()
        inet_pton(AF_INET, group, &request.imr_multiaddr)
        inet_pton(AF_INET, interface.address, &request.imr_address)
        request.imr_ifindex = interface.index
        return setsockopt(
            descriptor.number, Self.protocolIP, IP_ADD_MEMBERSHIP, &request,
            socklen_t(MemoryLayout<ip_mreqn>.size)) == 0
    }

    /// The next datagram and who sent it; nil when there is none.
    func receive() -> (bytes: [UInt8], from: SocketAddress)? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        var sender = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let count = withUnsafeMutablePointer(to: &sender) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                recvfrom(descriptor.number, &buffer, buffer.count, 0, $0, &length)
            }
        }
        return count > 0 ? (Array(buffer.prefix(count)), SocketAddress(sender)) : nil
    }

    /// Datagrams may be lost; so may these.
    func send(_ text: String, to address: SocketAddress) {
        let bytes = Array(text.utf8)
        var address = address
        _ = address.use {
            Int32(truncatingIfNeeded: sendto(descriptor.number, bytes, bytes.count, 0, $0, $1))
        }
    }
}

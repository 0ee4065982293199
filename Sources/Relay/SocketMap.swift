/// Which row a socket's listener stands in, for all tables of one loop: a socket is in one of them only.
final class SocketMap {
    private var rows: ContiguousArray<Int32> = []

    /// The row of the listener with this socket; nil when no table of this loop has it.
    subscript(socket: Int32) -> Int? {
        get {
            let index = Int(socket)
            guard rows.indices.contains(index), rows[index] >= 0 else { return nil }
            return Int(rows[index])
        }
        set {
            let index = Int(socket)
            while rows.count <= index { rows.append(-1) }
            rows[index] = newValue.map(Int32.init) ?? -1
        }
    }
}

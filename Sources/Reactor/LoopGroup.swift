package import Platform
internal import Synchronization

/// A few loops that share the work, usually one per core.
package final class LoopGroup: Sendable {
    package let loops: [EventLoop]
    private let turn = Atomic<Int>(0)

    /// Starts `count` loops (at least one), named `NAME-0`, `NAME-1` and so on.
    package init(count: Int, name: String) throws(SystemError) {
        var loops: [EventLoop] = []
        for index in 0..<max(1, count) {
            do {
                loops.append(try EventLoop(name: "\(name)-\(index)"))
            } catch {
                for loop in loops { loop.stop() }
                throw error
            }
        }
        self.loops = loops
    }

    /// The loops in turn. Any thread.
    package func next() -> EventLoop {
        let ticket = turn.wrappingAdd(1, ordering: .relaxed).oldValue
        return loops[Int(UInt(bitPattern: ticket) % UInt(loops.count))]
    }

    /// Ends every loop, as `EventLoop.stop`.
    package func stop() { for loop in loops { loop.stop() } }
}

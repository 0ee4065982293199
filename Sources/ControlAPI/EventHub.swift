internal import HTTPServer
internal import HTTPWire
package import JSONText
internal import Platform

/// Tells everybody who follows `/api/v1/events` what happened. Any thread; never blocks.
package final class EventHub: Sendable {
    private struct State {
        var streams: [Int: EventStream] = [:]
        var nextStream = 0
        var nextEvent: UInt64 = 1
    }

    private let state = Lock(State())

    package init() {}

    /// Whether anybody listens: an event that nobody hears need not be made.
    package var hasListeners: Bool { state.withLock { !$0.streams.isEmpty } }

    /// Sends `data` to all as an event of this name.
    package func publish(_ name: String, _ data: @autoclosure () -> JSONValue) {
        guard hasListeners else { return }
        let text = data().text()
        let (id, streams) = state.withLock { state in
            defer { state.nextEvent += 1 }
            return (state.nextEvent, Array(state.streams.values))
        }
        let event = ServerSentEvent(name: name, id: String(id), data: text)
        for stream in streams { stream.send(event) }
    }

    /// Adds a stream until its client leaves. `greeting` is what it is told first: how things stand.
    func add(_ stream: EventStream, greeting: JSONValue) {
        let id = state.withLock { state in
            defer { state.nextStream += 1 }
            state.streams[state.nextStream] = stream
            return state.nextStream
        }
        stream.whenClosed { [weak self] in self?.remove(id) }
        stream.send(ServerSentEvent(name: "hello", data: greeting.text()))
    }

    /// Ends all streams: the service stops.
    package func close() {
        for stream in state.withLock({ Array($0.streams.values) }) { stream.close() }
    }

    private func remove(_ id: Int) { _ = state.withLock { $0.streams.removeValue(forKey: id) } }
}

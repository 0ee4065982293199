internal import ControlAPI
internal import Household
internal import JSONText

/// What is up next for the house: recordings in order. Every change is one step, and told to everybody. Any thread.
struct UpNext: Sendable {
    private static let key = "queue"

    private let shelf: Shelf
    private let events: EventHub

    init(shelf: Shelf, events: EventHub) { (self.shelf, self.events) = (shelf, events) }

    var ids: [String] { Self.ids(shelf[.queue, Self.key]) }

    /// What was up next, as the API writes it.
    var json: JSONValue { ["recordings": .array(ids.map(JSONValue.string))] }

    /// This is up next from now on; one that is named twice comes where it is named first.
    func put(_ wanted: [String]) {
        var seen: Set<String> = []
        change { _ in wanted.filter { seen.insert($0).inserted } }
    }

    /// A recording that is gone leaves the queue.
    func forget(_ id: String) { keep { $0 != id } }

    /// Only what `isThere` stays. Nothing is told where nothing goes.
    func keep(_ isThere: (String) throws -> Bool) rethrows {
        let gone = Set(try ids.filter { try !isThere($0) })
        if !gone.isEmpty { change { $0.filter { !gone.contains($0) } } }
    }

    private func change(_ make: ([String]) -> [String]) {
        shelf.change(.queue, Self.key) { .array(make(Self.ids($0)).map(JSONValue.string)) }
        events.publish("queue", json)
    }

    private static func ids(_ value: JSONValue?) -> [String] { (value?.array ?? []).compactMap(\.string) }
}

internal import Catalogue
internal import Configuration
internal import Household
internal import Ingest
internal import JSONText
internal import Platform
internal import Recording
internal import StreamFormats

/// Keeps loggers going: one for each station that the settings name, and those that somebody has begun, which outlive a
/// restart of the service. One that ends without being asked to is begun again.
final class Loggers: Sendable {
    /// What it works with.
    struct Tools: Sendable {
        let settings: Settings
        let folder: String
        let catalogue: StationCatalogue
        let hub: IngestHub
        let recorder: Recorder
        let shelf: Shelf
        let time: any TimeSource
    }

    /// One that is to run.
    struct Order: Sendable {
        /// As it was named.
        let station: String
        let log: LogRequest
        let template: NameTemplate
        /// What the shelf has it under; nil for one of the settings.
        var key: String?
        var show: String?
        var isProtected = false
        /// Ends then; nil for never.
        var until: WallTime?
        /// The first file of the row that runs.
        var series: RecordingID?
        /// The id of the station, once it has been found.
        var stationID: String?
        /// Why it does not run.
        var trouble: String?
        fileprivate var number = 0
    }

    private struct State {
        var orders: [Order] = []
        var count = 0
        var isEnding = false
        var isNew = false
    }

    /// So often it is looked whether all of them run.
    private static let lookSeconds = 5.0

    private let tools: Tools
    private let state = Monitor(State())
    private let thread = Lock<WorkerThread?>(nil)

    init(_ tools: Tools) { self.tools = tools }

    /// Finds what is to run. Before anybody can begin another one: it would be found as well, and run twice.
    /// - Throws: `ServiceFailure` where the settings cannot be carried out.
    func load() throws(ServiceFailure) {
        for order in try configured() + remembered() { add(order) }
    }

    /// Begins to look after them.
    func start() {
        thread.withLock { $0 = WorkerThread(name: "loggers") { [self] in work() } }
    }

    /// Ends the thread, not what it has begun: the recorder ends that, and the next start goes on with it.
    func end() {
        state.change { $0.isEnding = true }
        thread.withLock { $0 }?.join()
    }

    /// How each of them is doing.
    var orders: [Order] { state.change { $0.orders } }

    /// As many as there may be: each keeps a station connected.
    var limit: Int { tools.settings.ingest.maxStations }

    /// False where another could not be looked after.
    var hasRoom: Bool { state.change { $0.orders.count } < limit }

    // MARK: Orders

    private func configured() throws(ServiceFailure) -> [Order] {
        let settings = tools.settings.logger
        guard !settings.stations.isEmpty else { return [] }
        let log: LogRequest
        let template: NameTemplate
        do throws(RecordingError) { log = try LoggerOrder.request(settings) } catch {
            throw ServiceFailure(.configuration, "logger.slot: \(error.description)")
        }
        do throws(NameTemplate.Mistake) { template = try NameTemplate(settings.template) } catch {
            throw ServiceFailure(.configuration, "logger.template: \(error.description)")
        }
        return settings.stations.map { Order(station: $0, log: log, template: template) }
    }

    private func remembered() -> [Order] {
        tools.shelf.all(.logger).compactMap { item in
            guard let station = item.value["station"]?.string,
                let log = try? LoggerOrder.request(item.value),
                let template = try? NameTemplate(item.value["template"]?.string ?? "")
            else { return nil }
            var order = Order(station: station, log: log, template: template, key: item.key)
            order.show = item.value["show"]?.string
            order.isProtected = item.value["keep"]?.bool ?? false
            order.until = item.value["until"]?.string.flatMap(WallStamp.wall)
            return order
        }
    }

    /// Somebody has begun a logger: it goes on after a restart, until it is stopped.
    /// - Parameters:
    ///   - body: as it was asked for.
    ///   - template: of its names, in words.
    func remember(
        _ id: RecordingID, station: Station, _ request: RecordingRequest, _ body: JSONValue, template: String
    ) {
        guard let log = request.log, let names = try? NameTemplate(template) else { return }
        var order = Order(station: station.id, log: log, template: names, key: id.text)
        (order.show, order.isProtected) = (request.show, request.keep)
        (order.series, order.stationID) = (id, station.id)
        switch request.limit {
        case .open: break
        case .seconds(let seconds): order.until = tools.time.wall.advanced(bySeconds: seconds)
        case .until(let end): order.until = end
        }
        let rules = ["slot", "keep_age", "keep_files", "keep_bytes", "keep_free"].compactMap { name in
            body[name].map { JSONValue.Member(name, $0) }
        }
        tools.shelf.put(
            .logger, id.text,
            .object(
                rules + [
                    .init("station", .string(station.id)), .init("template", .string(template)),
                    .init("show", JSONValue(order.show)), .init("keep", .bool(order.isProtected)),
                    .init("until", JSONValue(order.until.map(WallStamp.text))),
                ]))
        add(order)
    }

    /// Somebody ends a logger. One of the settings is begun again.
    /// - Parameter series: the first file of the row that runs, or of the row that it was before the last starts.
    /// - Returns: the first file of the row that runs.
    func forget(_ series: RecordingID) -> RecordingID? {
        let gone = state.change { state -> [Order] in
            let gone = state.orders.filter {
                $0.key != nil && ($0.series == series || $0.key == series.text)
            }
            state.orders.removeAll { order in gone.contains { $0.number == order.number } }
            return gone
        }
        for order in gone { _ = order.key.map { tools.shelf.remove(.logger, $0) } }
        return gone.first?.series
    }

    private func add(_ order: Order) {
        state.change { state in
            var order = order
            state.count += 1
            order.number = state.count
            state.orders.append(order)
            state.isNew = true
        }
    }

    // MARK: Looking after them

    private func work() {
        repeat {
            for order in orders { see(to: order) }
        } while !rest()
    }

    /// - Returns: whether the thread is to end.
    private func rest() -> Bool {
        let patience = orders.isEmpty ? nil : Self.lookSeconds
        return state.wait(atMost: patience) { state -> Bool? in
            if state.isEnding { return true }
            guard state.isNew else { return nil }
            state.isNew = false
            return false
        } ?? false
    }

    private func see(to order: Order) {
        if let series = order.series, tools.recorder.current(series) != nil { return }
        if let until = order.until, until <= tools.time.wall { return drop(order) }
        do {
            let station = try tools.catalogue.resolve(order.station).station
            // An id and a name may mean the same station.
            if order.key == nil, isTwin(order, station.id) { return drop(order) }
            let series = try tools.recorder.start(request(order), feed: tools.hub.feed(for: station))
            // It may have been stopped while it was begun.
            if !change(order, { ($0.series, $0.stationID, $0.trouble) = (series, station.id, nil) }) {
                try? tools.recorder.stop(series)
            }
        } catch {
            tell(order, "\(error)")
        }
    }

    private func request(_ order: Order) -> RecordingRequest {
        var request = RecordingRequest(
            target: .library(folder: tools.folder, template: order.template))
        request.log = order.log
        request.origin = "logger"
        (request.show, request.keep) = (order.show, order.isProtected)
        if let until = order.until { request.limit = .until(until) }
        return request
    }

    /// Whether another one of the settings logs that station.
    private func isTwin(_ order: Order, _ station: String) -> Bool {
        orders.contains { $0.number != order.number && $0.key == nil && $0.stationID == station }
    }

    /// Says once why it does not run; the status shows it for as long as that is so.
    private func tell(_ order: Order, _ trouble: String) {
        guard trouble != order.trouble else { return }
        _ = change(order) { $0.trouble = trouble }
        Log.error(
            "recording", "a station cannot be logged; it is tried again",
            ["station": order.station, "error": trouble])
    }

    private func drop(_ order: Order) {
        state.change { $0.orders.removeAll { $0.number == order.number } }
        _ = order.key.map { tools.shelf.remove(.logger, $0) }
    }

    /// - Returns: false where it is not there any more.
    private func change(_ order: Order, _ change: (inout Order) -> Void) -> Bool {
        state.quietly { state in
            guard let index = state.orders.firstIndex(where: { $0.number == order.number }) else {
                return false
            }
            change(&state.orders[index])
            return true
        }
    }
}

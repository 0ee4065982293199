internal import Configuration
internal import ControlAPI
internal import JSONText
internal import Platform
internal import Recording

/// What requests and settings say of a logger.
enum LoggerOrder {
    /// Nil where the body asks for none.
    static func request(_ body: JSONValue) throws -> LogRequest? {
        guard let slot = body["slot"]?.int else { return nil }
        let rules = RetentionRules(
            ageSeconds: try positive(body, "keep_age")?.double,
            count: try positive(body, "keep_files")?.int.map { Int(clamping: $0) },
            bytes: try positive(body, "keep_bytes")?.int, freeBytes: try positive(body, "keep_free")?.int)
        do throws(RecordingError) {
            return try LogRequest(slotSeconds: Int(clamping: slot), retention: rules)
        } catch {
            throw APIFailure(.badRequest, error.description)
        }
    }

    private static func positive(_ body: JSONValue, _ key: String) throws -> JSONValue? {
        guard let value = body[key], !value.isNull else { return nil }
        guard let number = value.double, number > 0, number <= 9e15 else {
            throw APIFailure(
                .badRequest, "\(key) must be more than 0 and a number of this world; leave it out for no rule"
            )
        }
        return value
    }

    /// What the section `logger` says; zeros there are no rules.
    static func request(_ settings: Settings.Logger) throws(RecordingError) -> LogRequest {
        func rule<Number: BinaryInteger>(_ value: Number) -> Number? { value > 0 ? value : nil }
        let age = settings.keepAge.inSeconds
        return try LogRequest(
            slotSeconds: Int(settings.slot.inSeconds.rounded()),
            retention: RetentionRules(
                ageSeconds: age > 0 ? age : nil, count: rule(settings.keepFiles),
                bytes: rule(Int64(settings.keepBytes)), freeBytes: rule(Int64(settings.keepFree))))
    }
}

/// Keeps the loggers of the settings going: one for each station that is named there, begun again should it end.
final class Loggers: Sendable {
    /// So often it is looked whether all of them run.
    private static let lookSeconds = 5.0

    private struct State {
        var isEnding = false
    }

    private let rooms: Rooms
    private let state = Monitor(State())
    private let thread = Lock<WorkerThread?>(nil)

    init(rooms: Rooms) { self.rooms = rooms }

    /// - Throws: `ServiceFailure` where the settings cannot be carried out.
    func start() throws(ServiceFailure) {
        let settings = rooms.configuration.logger
        guard !settings.stations.isEmpty else { return }
        let log: LogRequest
        let template: NameTemplate
        do throws(RecordingError) { log = try LoggerOrder.request(settings) } catch {
            throw ServiceFailure(.configuration, "logger.slot: \(error.description)")
        }
        do throws(NameTemplate.Mistake) { template = try NameTemplate(settings.template) } catch {
            throw ServiceFailure(.configuration, "logger.template: \(error.description)")
        }
        thread.withLock {
            $0 = WorkerThread(name: "loggers") { [self] in
                var running: [String: RecordingID] = [:]
                repeat {
                    for station in settings.stations { see(to: station, log, template, &running) }
                } while !rest()
            }
        }
    }

    /// Ends the thread, not what it has begun: the recorder ends that.
    func end() {
        state.change { $0.isEnding = true }
        thread.withLock { $0 }?.join()
    }

    private func rest() -> Bool { state.wait(atMost: Self.lookSeconds) { $0.isEnding ? true : nil } ?? false }

    private func see(
        to name: String, _ log: LogRequest, _ template: NameTemplate, _ running: inout [String: RecordingID]
    ) {
        if let id = running[name], rooms.recorder.current(id) != nil { return }
        do {
            let station = try rooms.resolve(name).station
            var request = RecordingRequest(
                target: .library(folder: rooms.folders.recordings, template: template))
            request.log = log
            request.origin = "logger"
            running[name] = try rooms.recorder.start(request, feed: rooms.hub.feed(for: station))
        } catch {
            Log.error(
                "recording", "a station of logger.stations cannot be logged",
                ["station": name, "error": "\(error)"])
        }
    }
}

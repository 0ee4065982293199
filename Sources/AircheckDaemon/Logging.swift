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

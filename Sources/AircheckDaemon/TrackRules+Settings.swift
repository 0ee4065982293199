package import Configuration
package import ControlAPI
package import JSONText
package import Recording
package import StreamFormats

extension TrackRules {
    /// As the settings say, and the station's own entry.
    package init(_ settings: Settings.Tracks, station: Station?) {
        self.init()
        leastPieceSeconds = settings.piece.inSeconds
        leastSeconds = settings.least.inSeconds
        mostSeconds = settings.most == .zero ? nil : settings.most.inSeconds
        paddingSeconds = settings.padding.inSeconds
        keepsIncomplete = settings.incomplete
        repeats = Repeats(rawValue: settings.repeats.rawValue) ?? .version
        wished = settings.only
        ignored = settings.ignore
        if let offset = station?.titles.offset, offset != .zero { titleOffset = offset.inSeconds }
    }

    /// What a body of the API may say of them.
    package static let fields: [APIRoute.Field] = [
        .init("piece", .number, "seconds; a shorter piece belongs to its neighbour"),
        .init("least", .number, "seconds; shorter tracks are not kept"),
        .init("most", .number, "seconds; longer tracks are not kept; 0 keeps all"),
        .init("padding", .number, "seconds of audio around a track that its file holds too"),
        .init("incomplete", .boolean, "false leaves out the first and the last where they are not whole"),
        .init("repeats", .string, "version, longest or skip: what happens where the name is taken"),
        .init("only", .array, "keep only tracks with one of these in their title"),
        .init("ignore", .array, "do not keep tracks with one of these in their title"),
    ]

    /// Longest list of titles.
    private static let mostTexts = 1000

    /// Takes over what a body says.
    /// - Throws: `APIFailure` that names the member.
    package mutating func apply(_ body: JSONValue) throws {
        leastPieceSeconds = try Self.seconds(body, "piece", in: 1...3600) ?? leastPieceSeconds
        leastSeconds = try Self.seconds(body, "least", in: 0...86_400) ?? leastSeconds
        if let most = try Self.seconds(body, "most", in: 0...1e6) { mostSeconds = most > 0 ? most : nil }
        paddingSeconds = try Self.seconds(body, "padding", in: 0...60) ?? paddingSeconds
        keepsIncomplete = body["incomplete"]?.bool ?? keepsIncomplete
        if let text = body["repeats"]?.string {
            guard let rule = Repeats(rawValue: text) else {
                throw APIFailure(.badRequest, "repeats must be version, longest or skip")
            }
            repeats = rule
        }
        wished = try Self.texts(body, "only") ?? wished
        ignored = try Self.texts(body, "ignore") ?? ignored
    }

    private static func seconds(_ body: JSONValue, _ name: String, in range: ClosedRange<Double>) throws
        -> Double?
    {
        guard let seconds = body[name]?.double else { return nil }
        guard range.contains(seconds) else {
            throw APIFailure(
                .badRequest,
                "\(name) must be from \(Int(range.lowerBound)) to \(Int(range.upperBound)) seconds")
        }
        return seconds
    }

    private static func texts(_ body: JSONValue, _ name: String) throws -> [String]? {
        guard let items = body[name]?.array else { return nil }
        let texts = items.compactMap(\.string).filter { !$0.isEmpty }
        guard items.count <= mostTexts, texts.count == items.count else {
            throw APIFailure(.badRequest, "\(name) must be a list of at most \(mostTexts) texts")
        }
        return texts
    }
}

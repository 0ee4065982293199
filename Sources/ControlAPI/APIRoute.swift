package import HTTPServer
package import JSONText

/// One operation of the API: how it is called, who may, and what answers. The OpenAPI document is made from these, and
/// so is the test that tries every route with every role.
package struct APIRoute: Sendable {
    package struct Parameter: Sendable {
        package enum Kind: String, Sendable { case string, integer, boolean }

        package var name: String
        package var kind: Kind
        package var help: String

        package init(_ name: String, _ kind: Kind, _ help: String) {
            self.name = name
            self.kind = kind
            self.help = help
        }
    }

    /// A member of the JSON body.
    package struct Field: Sendable {
        package var name: String
        package var kind: Kind
        package var presence: Presence
        package var help: String

        package enum Kind: String, Sendable { case string, integer, number, boolean, array, object }

        package enum Presence: Sendable {
            /// It may be missing; null is as good as missing.
            case optional
            /// It must be there, and be something.
            case required
            /// It must be there; null is one of its values.
            case nullable
        }

        package init(_ name: String, _ kind: Kind, _ presence: Presence, _ help: String) {
            self.name = name
            self.kind = kind
            self.presence = presence
            self.help = help
        }

        package init(_ name: String, _ kind: Kind, required: Bool = false, _ help: String) {
            self.init(name, kind, required ? .required : .optional, help)
        }

        /// A call without it is refused.
        package var isRequired: Bool { presence != .optional }
    }

    /// What a call that was carried out is answered with.
    package enum Result: Sendable, Hashable {
        /// A JSON object, or nothing with 204.
        case object
        /// A text of one of these media types.
        case text([String])
        /// A file of whatever type it has.
        case file
    }

    package var method: String
    /// `/api/v1/stations/{id}`, as `RoutePattern` reads it.
    package var pattern: String
    package var role: AccessRole
    package var summary: String
    package var query: [Parameter]
    package var body: [Field]
    /// Bytes of a body that are read; more is answered with 413.
    package var bodyLimit: Int
    package var result: Result
    /// May block; runs on a thread of the API's own.
    package var answer: @Sendable (APIRequest) throws -> APIAnswer

    package init(
        _ method: String, _ pattern: String, _ role: AccessRole, _ summary: String, query: [Parameter] = [],
        body: [Field] = [], bodyLimit: Int = 64 << 10, result: Result = .object,
        answer: @escaping @Sendable (APIRequest) throws -> APIAnswer
    ) {
        self.method = method
        self.pattern = pattern
        self.role = role
        self.summary = summary
        self.query = query
        self.body = body
        self.bodyLimit = bodyLimit
        self.result = result
        self.answer = answer
    }
}

/// A call that has been let in and checked against its route.
package struct APIRequest: Sendable {
    /// Values of the pattern's `{names}`, percent-decoded.
    package var path: [String: String]
    package var query: [String: String]
    package var body: JSONValue
    /// Who calls.
    package var caller = APICaller()

    package init(path: [String: String], query: [String: String], body: JSONValue) {
        self.path = path
        self.query = query
        self.body = body
    }

    /// The value of a `{name}` of the pattern.
    package func name(_ key: String) -> String { path[key] ?? "" }

    /// A whole number of the query, or `standard`.
    package func number(_ key: String, standard: Int, in range: ClosedRange<Int>) throws -> Int {
        guard let text = query[key] else { return standard }
        guard let number = Int(text), range.contains(number) else {
            throw APIFailure(
                .badRequest, "\(key) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// True for `1`, `true`, `yes`.
    package func flag(_ key: String) -> Bool { ["1", "true", "yes"].contains(query[key] ?? "") }
}

/// Who calls, as far as a route may care.
package struct APICaller: Sendable {
    package var role: AccessRole = .anyone
    /// The session of a paired browser, where it has one.
    package var session: TokenEntry?
    /// The peer, as far as guesses are counted by it.
    package var address = ""
    /// How the caller reached us: `http://radio.local:2472`; empty where the request does not say.
    package var root = ""
    /// The request came with the words of a browser that reached us encrypted.
    package var isEncrypted = false

    package init() {}
}

/// What a route answers with.
package enum APIAnswer: Sendable {
    case json(JSONValue)
    /// 201 with the thing made.
    case created(JSONValue)
    case nothing
    /// 201 with the thing made, and a cookie for the browser.
    case cookie(JSONValue, cookie: String)
    /// As it stands, headers and all.
    case whole(HTTPResponse)
    case text(String, type: String)
    /// As a protocol of others wants it, its refusals too.
    case foreign(status: Int, text: String, type: String)
    /// A file, opened by the route; the server takes the descriptor over and answers ranges.
    case file(descriptor: Int32, size: Int64, type: String, name: String)
}

/// Why a call was not carried out. Never repeats what the caller sent.
package struct APIFailure: Error, Sendable {
    package enum Kind: Int, Sendable {
        case badRequest = 400
        case unauthorized = 401
        case forbidden = 403
        case notFound = 404
        case conflict = 409
        case unprocessable = 422
        case tooMany = 429
        case unavailable = 503
        case software = 500

        package var code: String {
            switch self {
            case .badRequest: "bad_request"
            case .unauthorized: "unauthorized"
            case .forbidden: "forbidden"
            case .notFound: "not_found"
            case .conflict: "conflict"
            case .unprocessable: "unprocessable"
            case .tooMany: "too_many"
            case .unavailable: "unavailable"
            case .software: "internal"
            }
        }
    }

    package var kind: Kind
    package var message: String
    package var remedy: String?

    package init(_ kind: Kind, _ message: String, remedy: String? = nil) {
        self.kind = kind
        self.message = message
        self.remedy = remedy
    }

    /// `{"error": {"code", "message", "remedy"}}`
    package var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("code", .string(kind.code)), .init("message", .string(message)),
        ]
        if let remedy { members.append(.init("remedy", .string(remedy))) }
        return ["error": .object(members)]
    }
}

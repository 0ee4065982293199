internal import HTTPWire
internal import JSONText

/// An answer whose body is in memory.
package struct HTTPResponse: Sendable, Hashable {
    package struct Field: Sendable, Hashable {
        package var name: String
        package var value: String
    }

    package var status: Int
    /// Without `Content-Length`, `Date`, `Connection` and the security headers, which the server adds. A header given here
    /// replaces the server's own of that name.
    package private(set) var headers: [Field] = []
    package var body: [UInt8]

    package init(status: Int, type: String? = nil, body: [UInt8] = []) {
        self.status = status
        self.body = body
        if let type { add("Content-Type", type) }
    }

    /// Adds a header. The value is cleaned when it is sent.
    package mutating func add(_ name: String, _ value: String) {
        headers.append(Field(name: name, value: value))
    }

    /// The same with one more header.
    package func adding(_ name: String, _ value: String) -> HTTPResponse {
        var copy = self
        copy.add(name, value)
        return copy
    }

    package static func json(_ text: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, type: "application/json", body: Array(text.utf8))
    }

    package static func text(_ text: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, type: "text/plain; charset=utf-8", body: Array(text.utf8))
    }

    /// An error as every interface writes it: `{"error":{"code":…,"message":…,"remedy":…}}`.
    ///
    /// None of the three may repeat what the client sent.
    package static func problem(
        _ status: Int, code: String, message: String, remedy: String? = nil
    ) -> HTTPResponse {
        let error: JSONValue = [
            "error": ["code": .string(code), "message": .string(message), "remedy": JSONValue(remedy)]
        ]
        return json(error.text(), status: status)
    }

    package static let notFound = problem(
        404, code: "not_found", message: "There is nothing at this address.",
        remedy: "See /api/v1/openapi.json for what there is.")

    static func problem(_ error: WireError) -> HTTPResponse {
        problem(error.status, code: error.code, message: error.message)
    }
}

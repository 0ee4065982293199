package import JSONText

/// The API described for programs (OpenAPI 3.1), made from the routes that answer.
package enum OpenAPIDocument {
    package static func make(_ routes: [APIRoute], version: String) -> JSONValue {
        var paths: [JSONValue.Member] = []
        for pattern in unique(routes.map(\.pattern)) {
            let operations = routes.filter { $0.pattern == pattern }
            paths.append(
                .init(pattern, .object(operations.map { .init($0.method.lowercased(), operation($0)) })))
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "aircheck", "version": .string(version),
                "description": "Live radio: stations, the player, recordings and listeners.",
                "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
            ],
            "paths": .object(paths),
            "components": [
                "schemas": ["Error": errorSchema],
                "securitySchemes": [
                    "token": ["type": "http", "scheme": "bearer"],
                    "session": ["type": "apiKey", "in": "cookie", "name": .string(CallerCheck.cookie)],
                ],
            ],
            "security": [["token": []], ["session": []], .object([])],
        ]
    }

    private static func operation(_ route: APIRoute) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("summary", .string(route.summary)),
            .init("description", .string("Needs the role \(route.role.name).")),
            .init("operationId", .string(operationID(route))),
        ]
        let parameters = pathParameters(route.pattern) + route.query.map(queryParameter)
        if !parameters.isEmpty { members.append(.init("parameters", .array(parameters))) }
        if !route.body.isEmpty { members.append(.init("requestBody", requestBody(route.body))) }
        members.append(.init("responses", responses(route.result)))
        return .object(members)
    }

    private static func pathParameters(_ pattern: String) -> [JSONValue] {
        pattern.split(separator: "/").filter { $0.hasPrefix("{") }.map { segment in
            [
                "name": .string(String(segment.dropFirst().dropLast())), "in": "path", "required": true,
                "schema": ["type": "string"],
            ]
        }
    }

    private static func queryParameter(_ parameter: APIRoute.Parameter) -> JSONValue {
        [
            "name": .string(parameter.name), "in": "query", "description": .string(parameter.help),
            "schema": ["type": .string(parameter.kind.rawValue)],
        ]
    }

    private static func requestBody(_ fields: [APIRoute.Field]) -> JSONValue {
        let properties = fields.map { field in
            JSONValue.Member(field.name, ["type": type(of: field), "description": .string(field.help)])
        }
        let required = fields.filter(\.isRequired).map { JSONValue.string($0.name) }
        var schema: [JSONValue.Member] = [
            .init("type", "object"), .init("properties", .object(properties)),
            .init("additionalProperties", false),
        ]
        if !required.isEmpty { schema.append(.init("required", .array(required))) }
        return ["required": true, "content": ["application/json": ["schema": .object(schema)]]]
    }

    private static func type(of field: APIRoute.Field) -> JSONValue {
        field.presence == .required ? .string(field.kind.rawValue) : [.string(field.kind.rawValue), "null"]
    }

    private static func responses(_ result: APIRoute.Result) -> JSONValue {
        var done: [JSONValue.Member] = [.init("description", "done")]
        switch result {
        case .object: done.append(.init("content", ["application/json": ["schema": ["type": "object"]]]))
        case .text(let types):
            let contents = types.map { JSONValue.Member($0, ["schema": ["type": "string"]]) }
            done.append(.init("content", .object(contents)))
        case .file: break
        }
        let refused: JSONValue = [
            "description": "not done",
            "content": ["application/json": ["schema": ["$ref": "#/components/schemas/Error"]]],
        ]
        guard result == .object else { return ["2XX": .object(done), "4XX": refused, "5XX": refused] }
        return [
            "200": .object(done), "201": .object(done),
            "204": ["description": "done; there is nothing to say"],
            "4XX": refused, "5XX": refused,
        ]
    }

    private static let errorSchema: JSONValue = [
        "type": "object", "required": ["error"],
        "properties": [
            "error": [
                "type": "object", "required": ["code", "message"],
                "properties": [
                    "code": ["type": "string"], "message": ["type": "string"],
                    "remedy": ["type": ["string", "null"]],
                ],
            ]
        ],
    ]

    /// `get_api_v1_stations_id`
    private static func operationID(_ route: APIRoute) -> String {
        let words = route.pattern.split { !$0.isLetter && !$0.isNumber }
        return ([route.method.lowercased()] + words.map(String.init)).joined(separator: "_")
    }

    private static func unique(_ patterns: [String]) -> [String] {
        var seen: Set<String> = []
        return patterns.filter { seen.insert($0).inserted }
    }
}

internal import JSONText

/// Checks the body of a call against its route's fields.
enum BodyCheck {
    /// Refuses members that the route does not know, lacks, or takes in another kind.
    static func check(_ body: JSONValue, against fields: [APIRoute.Field]) throws(APIFailure) {
        guard let members = body.members else {
            if body.isNull, !fields.contains(where: \.isRequired) { return }
            throw APIFailure(.badRequest, "the body must be a JSON object")
        }
        for field in fields where isMissing(field, in: body) {
            throw APIFailure(.badRequest, "\(field.name) is missing: \(field.help)")
        }
        for member in members {
            guard let field = fields.first(where: { $0.name == member.key }) else {
                let known = fields.map(\.name).joined(separator: ", ")
                throw APIFailure(
                    .badRequest, "the body has a member that this call does not take",
                    remedy: known.isEmpty ? "It takes none." : "It takes \(known).")
            }
            guard field.kind.accepts(member.value) else {
                throw APIFailure(.badRequest, "\(field.name) must be of type \(field.kind.rawValue)")
            }
        }
    }
}

extension BodyCheck {
    private static func isMissing(_ field: APIRoute.Field, in body: JSONValue) -> Bool {
        switch field.presence {
        case .optional: false
        case .required: body[field.name]?.isNull ?? true
        case .nullable: body[field.name] == nil
        }
    }
}

extension APIRoute.Field.Kind {
    fileprivate func accepts(_ value: JSONValue) -> Bool {
        switch (self, value) {
        case (.string, .string), (.boolean, .bool), (.array, .array), (.object, .object), (_, .null): true
        case (.integer, _): value.int != nil
        case (.number, _): value.double != nil
        default: false
        }
    }
}

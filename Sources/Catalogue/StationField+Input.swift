package import JSONText
package import TOMLText

extension StationField {
    private static let typed = TOMLPosition(line: 1, column: 1)

    /// A value as typed on a command line, without TOML's quotes: `128`, `jazz`, `late night,vinyl`.
    package func entry(typed text: String) -> TOMLEntry {
        TOMLEntry(key, at: Self.typed, TOMLValue(content(typed: text), at: Self.typed))
    }

    private func content(typed text: String) -> TOMLValue.Content {
        if kind == "whole number" || kind == "number" {
            if let whole = Int64(text) { return .integer(whole) }
            return Double(text).map(TOMLValue.Content.real) ?? .string(text)
        }
        if kind == "true or false" {
            switch text {
            case "true", "yes", "on": return .boolean(true)
            case "false", "no", "off": return .boolean(false)
            default: return .string(text)
            }
        }
        guard kind.hasPrefix("list") else { return .string(text) }
        return .array(text.split(separator: ",").map { TOMLValue(.string(String($0)), at: Self.typed) })
    }

    /// A value as JSON has it; nil for `null`, which clears the field.
    package func entry(json: JSONValue) -> TOMLEntry? {
        Self.value(json).map { TOMLEntry(key, at: Self.typed, $0) }
    }

    private static func value(_ json: JSONValue) -> TOMLValue? {
        switch json {
        case .null: nil
        case .bool(let truth): TOMLValue(.boolean(truth), at: typed)
        case .int(let whole): TOMLValue(.integer(whole), at: typed)
        case .number(let number): TOMLValue(.real(number), at: typed)
        case .string(let text): TOMLValue(.string(text), at: typed)
        case .array(let items): TOMLValue(.array(items.compactMap(value)), at: typed)
        case .object(let members):
            TOMLValue(
                .table(
                    members.compactMap { member in
                        value(member.value).map { TOMLEntry(member.key, at: typed, $0) }
                    }),
                at: typed)
        }
    }
}

extension CatalogueChange {
    /// An edit out of a JSON object: a value sets a field, `null` clears it.
    package static func edit(_ id: String, json: JSONValue) throws(CatalogueError) -> CatalogueChange {
        guard let members = json.members else {
            throw .refused(field: "station", reason: "send a JSON object")
        }
        var set: [TOMLEntry] = []
        var clear: [String] = []
        for member in members {
            guard let field = StationField.named(member.key) else {
                let hint = Spelling.hint(for: member.key, among: StationField.all.map(\.key)) { $0 }
                throw .refused(field: member.key, reason: "there is no such key\(hint)")
            }
            if let entry = field.entry(json: member.value) {
                set.append(entry)
            } else {
                clear.append(member.key)
            }
        }
        return .edit(id, set: set, clear: clear)
    }
}

extension StationEntry {
    /// A new station out of fields; an `id` is made from the name where none is given.
    /// - Parameter taken: whether an id is in use.
    package init(fields: [TOMLEntry], taken: (String) -> Bool) throws(CatalogueError) {
        var fields = fields
        if !fields.contains(where: { $0.key == "id" }), let name = fields.first(where: { $0.key == "name" }) {
            let id = StationID.made(from: name.value.string ?? "", taken: taken)
            fields.append(TOMLEntry("id", at: name.position, TOMLValue(.string(id), at: name.position)))
        }
        let position = TOMLPosition(line: 1, column: 1)
        let (entry, problems) = StationFile.entry(
            from: TOMLValue(.table(fields), at: position), file: "station")
        if let problem = problems.first {
            let field = problem.key.map { $0.replacing("station.", with: "") }
            throw .refused(field: field ?? "station", reason: problem.message)
        }
        self = entry
    }

    /// The way back from `json`; an id need not be there.
    package init(json: JSONValue) throws(CatalogueError) {
        guard case .edit(_, let fields, _) = try CatalogueChange.edit("", json: json) else {
            throw .refused(field: "station", reason: "send a JSON object")
        }
        try self.init(fields: fields) { _ in false }
    }

    /// Every field that is set, as the JSON of the API and of export.
    package var json: JSONValue {
        .object(
            StationField.all.compactMap { field in
                field.value(self).map { JSONValue.Member(field.key, Self.json($0)) }
            })
    }

    private static func json(_ content: TOMLValue.Content) -> JSONValue {
        switch content {
        case .string(let text), .moment(let text): .string(text)
        case .integer(let whole): .int(whole)
        case .real(let number): .number(number)
        case .boolean(let truth): .bool(truth)
        case .array(let items): .array(items.map { json($0.content) })
        case .table(let entries): .object(entries.map { JSONValue.Member($0.key, json($0.value.content)) })
        }
    }
}

package import Store
internal import StreamFormats

extension StationCatalogue {
    /// The catalogue's tables; hand it to `Database.open`.
    package static let schema = Schema(
        name: "catalogue",
        migrations: [
            """
            CREATE TABLE station_added (id TEXT PRIMARY KEY, place INTEGER NOT NULL, document TEXT NOT NULL);
            CREATE TABLE station_edit (
                id TEXT NOT NULL, field TEXT NOT NULL, document TEXT, PRIMARY KEY (id, field)
            ) WITHOUT ROWID;
            CREATE TABLE station_favourite (id TEXT PRIMARY KEY, place INTEGER NOT NULL, document TEXT NOT NULL);
            CREATE TABLE station_preset (number INTEGER PRIMARY KEY CHECK (number BETWEEN 1 AND 9), id TEXT NOT NULL);
            CREATE TABLE station_mark (
                id TEXT NOT NULL, mark TEXT NOT NULL CHECK (mark IN ('hidden', 'removed')), PRIMARY KEY (id, mark)
            ) WITHOUT ROWID;
            """
        ])
}

/// The overlay in its tables. Stations are kept as the TOML of station files: one form of a station, not two.
extension Overlay {
    static func read(_ connection: Connection) throws -> Overlay {
        var overlay = Overlay()
        overlay.added = try connection.rows("SELECT document FROM station_added ORDER BY place") {
            $0.text(0)
        }
        .compactMap(entry)
        for (id, field, document) in try connection.rows(
            "SELECT id, field, document FROM station_edit", [],
            { ($0.text(0), $0.text(1), $0.optionalText(2)) })
        {
            overlay.edits[id, default: Edit()].values[field] = document
            if document == nil { overlay.edits[id, default: Edit()].cleared.insert(field) }
        }
        overlay.favourites = try connection.rows("SELECT document FROM station_favourite ORDER BY place") {
            $0.text(0)
        }
        .compactMap(entry).map { Favourite(id: $0.id, copy: $0) }
        for (number, id) in try connection.rows(
            "SELECT number, id FROM station_preset", [], { (Int($0.int(0)), $0.text(1)) })
        {
            overlay.presets[number] = id
        }
        for (id, mark) in try connection.rows(
            "SELECT id, mark FROM station_mark", [], { ($0.text(0), $0.text(1)) })
        {
            if mark == "hidden" { overlay.hidden.insert(id) } else { overlay.removed.insert(id) }
        }
        return overlay
    }

    private static func entry(_ document: String) -> StationEntry? {
        StationFile.parse(Array(document.utf8), file: "overlay").items.first?.entry
    }

    /// Writes the parts that differ from `old`. The tables are small; a part is written whole.
    func write(replacing old: Overlay, _ connection: Connection) throws {
        if added != old.added { try writeList("station_added", added, connection) }
        if favourites != old.favourites {
            try writeList("station_favourite", favourites.map(\.copy), connection)
        }
        if edits != old.edits { try writeEdits(connection) }
        if presets != old.presets {
            try connection.run("DELETE FROM station_preset")
            for (number, id) in presets {
                try connection.run(
                    "INSERT INTO station_preset (number, id) VALUES (?1, ?2)",
                    [.int(Int64(number)), .text(id)])
            }
        }
        if hidden != old.hidden { try writeMarks("hidden", hidden, connection) }
        if removed != old.removed { try writeMarks("removed", removed, connection) }
    }

    private func writeList(_ table: String, _ entries: [StationEntry], _ connection: Connection) throws {
        try connection.run("DELETE FROM \(table)")
        for (place, entry) in entries.enumerated() {
            try connection.run(
                "INSERT INTO \(table) (id, place, document) VALUES (?1, ?2, ?3)",
                [.text(entry.id), .int(Int64(place)), .text(StationFile.text(entry))])
        }
    }

    private func writeEdits(_ connection: Connection) throws {
        try connection.run("DELETE FROM station_edit")
        for (id, edit) in edits {
            for key in edit.keys {
                try connection.run(
                    "INSERT INTO station_edit (id, field, document) VALUES (?1, ?2, ?3)",
                    [.text(id), .text(key), SQLValue(edit.values[key])])
            }
        }
    }

    private func writeMarks(_ mark: String, _ ids: Set<String>, _ connection: Connection) throws {
        try connection.run("DELETE FROM station_mark WHERE mark = ?1", [.text(mark)])
        for id in ids.sorted() {
            try connection.run(
                "INSERT INTO station_mark (id, mark) VALUES (?1, ?2)", [.text(id), .text(mark)])
        }
    }
}

internal import HTTPWire

/// The tree that a media server shows: stations by favourite, group, genre and country, and the recordings.
///
/// An object's id is its path, each part percent-encoded: `groups/Jazz`, `groups/Jazz/demo`, `recordings/ID`. Pure: it is
/// made anew for each question, from what there is then.
struct ContentTree {
    enum Object {
        case container(id: String, parent: String, title: String, children: Int)
        case station(id: String, parent: String, HomeStation)
        case recording(id: String, parent: String, HomeRecording)
    }

    static let root = "0"
    private static let rootParent = "-1"

    /// The shelves of the root, in their order. One without anything in it is not shown.
    private enum Shelf: String, CaseIterable {
        case favourites, stations, groups, genres, countries, recordings

        var title: String {
            switch self {
            case .favourites: "Favourites"
            case .stations: "All stations"
            case .groups: "Groups"
            case .genres: "Genres"
            case .countries: "Countries"
            case .recordings: "Recordings"
            }
        }
    }

    let stations: [HomeStation]
    let favourites: [HomeStation]
    let recordings: [HomeRecording]

    /// The object of an id; nil where there is none.
    func object(_ id: String) -> Object? {
        if id == Self.root {
            return .container(
                id: Self.root, parent: Self.rootParent, title: "aircheck", children: shelves.count)
        }
        let parts = Self.parts(id)
        guard let shelf = parts.first.flatMap(Shelf.init(rawValue:)) else { return nil }
        if parts.count == 1 { return container(shelf) }
        let parent = Self.id(Array(parts.dropLast()))
        return children(parent)?.first { Self.id(of: $0) == id }
    }

    /// What lies in a container; nil where there is no such container.
    func children(_ id: String) -> [Object]? {
        if id == Self.root { return shelves.map(container) }
        let parts = Self.parts(id)
        guard let shelf = parts.first.flatMap(Shelf.init(rawValue:)) else { return nil }
        switch (shelf, parts.count) {
        case (.recordings, 1):
            return recordings.map { .recording(id: Self.id([shelf.rawValue, $0.id]), parent: id, $0) }
        case (.favourites, 1): return items(favourites, in: id)
        case (.stations, 1): return items(stations, in: id)
        case (.groups, 1), (.genres, 1), (.countries, 1): return drawers(shelf)
        case (.groups, 2), (.genres, 2), (.countries, 2):
            let found = stations.filter { Self.labels($0, shelf).contains(parts[1]) }
            return found.isEmpty ? nil : items(found, in: id)
        default: return nil
        }
    }

    private var shelves: [Shelf] { Shelf.allCases.filter { count($0) > 0 } }

    private func count(_ shelf: Shelf) -> Int {
        switch shelf {
        case .favourites: favourites.count
        case .stations: stations.count
        case .recordings: recordings.count
        case .groups, .genres, .countries: labels(shelf).count
        }
    }

    private func container(_ shelf: Shelf) -> Object {
        .container(id: shelf.rawValue, parent: Self.root, title: shelf.title, children: count(shelf))
    }

    private func items(_ stations: [HomeStation], in parent: String) -> [Object] {
        stations.map { .station(id: parent + "/" + PercentCoding.encode($0.id), parent: parent, $0) }
    }

    private func drawers(_ shelf: Shelf) -> [Object] {
        labels(shelf).map { label, count in
            .container(
                id: Self.id([shelf.rawValue, label]), parent: shelf.rawValue, title: label, children: count)
        }
    }

    /// The labels of a shelf by name, and how many stations carry each.
    private func labels(_ shelf: Shelf) -> [(String, Int)] {
        var counts: [String: Int] = [:]
        for station in stations {
            for label in Set(Self.labels(station, shelf)) { counts[label, default: 0] += 1 }
        }
        return counts.sorted { $0.key < $1.key }
    }

    private static func labels(_ station: HomeStation, _ shelf: Shelf) -> [String] {
        switch shelf {
        case .groups: station.groups
        case .genres: [station.genre].compactMap { $0 }
        case .countries: [station.country].compactMap { $0 }
        case .favourites, .stations, .recordings: []
        }
    }

    // MARK: Ids

    private static func id(_ parts: [String]) -> String {
        parts.map(PercentCoding.encode).joined(separator: "/")
    }

    private static func parts(_ id: String) -> [String] {
        guard id.utf8.count <= longestID else { return [] }
        return id.split(separator: "/", omittingEmptySubsequences: false).map { part in
            PercentCoding.decode(part.utf8, plusIsBlank: false).map { String(decoding: $0, as: UTF8.self) }
                ?? ""
        }
    }

    private static let longestID = 1024

    private static func id(of object: Object) -> String {
        switch object {
        case .container(let id, _, _, _), .station(let id, _, _), .recording(let id, _, _): id
        }
    }
}

internal import AircheckDaemon
internal import Catalogue
internal import Configuration
internal import JSONText
internal import Platform
internal import StreamFormats

/// The station that somebody named, and where it is to be heard from.
struct StationReference {
    /// Its addresses are the service's mount where the service feeds us.
    var station: Station
    /// The service that the station is read from; nil where the command connects itself.
    var service: ServiceClient?
    /// What next and previous walk.
    var list: [Station]

    /// Finds what `text` names: an address, or a station of the service's catalogue, or of the files'.
    /// - Parameter direct: connect to the station even where a service could feed us.
    static func find(_ text: String, _ invocation: Invocation, direct: Bool = false) throws
        -> StationReference
    {
        if text.contains("://") { return StationReference(station: typed(text), service: nil, list: []) }
        if !direct, let service = try ServiceClient.find(invocation) { return try ask(service, text) }
        let catalogue = try LocalCatalogue.open(invocation)
        do {
            let found = try catalogue.resolve(text).station
            return StationReference(
                station: found, service: nil, list: catalogue.snapshot.visible.map(\.station))
        } catch let error as CatalogueError {
            throw CommandFailure(
                .noInput, error.description, remedy: "`aircheck stations search TEXT` looks for one.")
        }
    }

    /// A station made of an address that the user typed; it may be on this machine or in the local network.
    private static func typed(_ url: String) -> Station {
        let rest = url[(url.firstRange(of: "://")?.upperBound ?? url.startIndex)...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let host = authority.split(separator: "@").last.map(String.init) ?? "station"
        let id = host.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        var station = Station(id: String(id), name: host, urls: [url])
        station.isLocal = true
        return station
    }

    /// Stations that fit some words, as they are to be heard from here.
    static func search(_ text: String, _ service: ServiceClient?, _ invocation: Invocation) throws
        -> [Station]
    {
        guard let service else {
            return try LocalCatalogue.open(invocation).search(StationQuery(text)).map(\.station)
        }
        let mounts = try service.get("/api/v1/status")["listen"]?.string ?? ""
        let path = "/api/v1/stations?limit=50&query=\(ServiceClient.encoded(text))"
        let found = try service.get(path)["stations"]?.array ?? []
        return found.compactMap(StationJSON.station).map { fed($0, from: mounts) }
    }

    private static func ask(_ service: ServiceClient, _ text: String) throws -> StationReference {
        let answer = try service.get("/api/v1/stations/\(ServiceClient.encoded(text))")
        let mounts = try service.get("/api/v1/status")["listen"]?.string ?? ""
        guard var station = StationJSON.station(answer) else {
            throw CommandFailure(.unavailable, "the service's answer lacks the station")
        }
        station = fed(station, from: mounts)
        let others = try service.get("/api/v1/stations?limit=1000")["stations"]?.array ?? []
        return StationReference(
            station: station, service: service,
            list: others.compactMap(StationJSON.station).map { fed($0, from: mounts) })
    }

    /// The station as the service's mount gives it.
    private static func fed(_ station: Station, from mounts: String) -> Station {
        var fed = station
        fed.urls = ["\(mounts)/\(station.id)"]
        fed.isLocal = true
        return fed
    }
}

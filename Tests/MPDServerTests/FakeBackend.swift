import Foundation
import MPDServer

/// A service with five stations and a player that obeys at once.
final class FakeBackend: MPDBackend, @unchecked Sendable {
    // Sendable because each test uses it from one thread.
    var view = MPDPlayerView()
    var stations = ["one", "two", "three", "four", "five"].map {
        MPDEntry(
            id: $0, uri: "http://127.0.0.1:2472/\($0)", name: "Station \($0)", genre: "jazz", country: "DE",
            tags: ["night"], isFavourite: $0 == "two")
    }
    var airings: [String: MPDAiring] = [:]
    var saved: [(String, [String])] = [("Kitchen", ["two", "four"])]
    var orders: [MPDOrder] = []
    var rescans = 0
    var pictures: [String: MPDPicture] = [:]
    var kept: [String: [String: String]] = [:]
    let recordings = [
        MPDEntry(
            id: "recordings/r1", uri: "recordings/r1", name: "Station one",
            recording: .init(title: "Nightwatch, 2026-11-30", duration: 90.5, date: "2026-11-30"))
    ]

    func picture(of entry: MPDEntry) -> MPDPicture? { pictures[entry.id] }
    func notes(on entry: MPDEntry) -> [(name: String, value: String)] {
        (kept[entry.id] ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
    func note(_ name: String, _ value: String?, on entry: MPDEntry) throws(MPDFailure) {
        kept[entry.id, default: [:]][name] = value
    }
    func noted(_ name: String) -> [(entry: MPDEntry, value: String)] {
        (stations + recordings).compactMap { entry in kept[entry.id]?[name].map { (entry, $0) } }
    }

    var player: MPDPlayerView {
        var view = view
        view.airing = view.station.flatMap { airings[$0] }
        return view
    }
    var firstQueue: [MPDEntry] { stations }
    var lists: [(name: String, entries: [MPDEntry])] {
        saved.map { list in (list.0, list.1.compactMap { id in stations.first { $0.id == id } }) }
    }
    var outputName: String { "Kitchen speaker" }
    var uptime: Int { 42 }

    func entry(for uri: String) -> MPDEntry? {
        if let own = stations.first(where: { $0.id == uri || $0.uri == uri }) { return own }
        if let recording = recordings.first(where: { $0.uri == uri }) { return recording }
        guard uri.hasPrefix("http://") else { return nil }
        return MPDEntry(id: "at-\(uri.count)", uri: uri, name: "elsewhere")
    }

    func searchDirectory(_ words: String, limit: Int) -> [MPDEntry] {
        words == "faraway" ? [MPDEntry(id: "rb", uri: "http://127.0.0.1:2472/rb", name: "Faraway FM")] : []
    }

    func airing(of station: String) -> MPDAiring? { airings[station] }

    func perform(_ order: MPDOrder) {
        orders.append(order)
        switch order {
        case .tune(let entry, let list):
            view.isPlaying = true
            view.isPaused = false
            view.station = entry.id
            view.recording = entry.recording == nil ? nil : entry
            view.elapsed = 0
            view.list = entry.recording == nil ? list.filter { $0.recording == nil } : []
        case .resume: (view.isPlaying, view.isPaused) = (true, false)
        case .pause: view.isPaused = true
        case .seek(let seconds): (view.elapsed, view.jumpedTo) = (seconds, seconds)
        case .stop: (view.isPlaying, view.isPaused) = (false, false)
        case .next: step(1)
        case .previous: step(-1)
        case .volume(let volume): view.volume = volume
        case .mute(let isMuted): view.isMuted = isMuted
        }
    }

    private func step(_ direction: Int) {
        guard let here = view.list.firstIndex(where: { $0.id == view.station }) else { return }
        view.station = view.list[(here + direction + view.list.count) % view.list.count].id
    }

    func change(_ change: MPDListChange) throws(MPDFailure) {
        switch change {
        case .save(let name, let entries): saved.append((name, entries.map(\.id)))
        case .remove(let name): saved.removeAll { $0.0 == name }
        case .rename(let name, let other): edit(name) { $0.0 = other }
        case .append(let name, let entry): edit(name) { $0.1.append(entry.id) }
        case .delete(let name, let entry): edit(name) { $0.1.removeAll { $0 == entry.id } }
        case .move(let name, let entry, let place):
            edit(name) { list in
                list.1.removeAll { $0 == entry.id }
                list.1.insert(entry.id, at: place)
            }
        }
    }

    private func edit(_ name: String, _ change: (inout (String, [String])) -> Void) {
        for index in saved.indices where saved[index].0 == name { change(&saved[index]) }
    }

    func rescan() { rescans += 1 }

    func permissions(password: String, peer: String) -> MPDPermissions? {
        password == "open sesame" ? [.read, .add, .player, .control, .admin] : nil
    }
}

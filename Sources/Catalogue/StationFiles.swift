internal import Platform
internal import TOMLText

/// The station files of a list of folders, read anew only where they have changed.
struct StationFiles: Sendable {
    private struct Loaded: Sendable {
        var stamp: Files.Stamp
        var file: StationFile
    }

    /// Longest file that is read.
    private static let longestFile = 4 << 20
    /// Files that are read from one folder.
    private static let mostFiles = 5000

    private let folders: [String]
    private var loaded: [String: Loaded] = [:]
    /// Paths in the order in which they count.
    private var order: [String] = []

    init(folders: [String]) { self.folders = folders }

    /// Looks at every file's stamp and reads what is new.
    ///
    /// A file that has problems now keeps, beside what can be read of it, the stations it had before: a slip of the
    /// editor drops nobody.
    mutating func reload() {
        order = folders.flatMap(Self.paths)
        var fresh: [String: Loaded] = [:]
        for path in order {
            guard let stamp = Files.stamp(path) else { continue }
            let before = loaded[path]
            fresh[path] = before?.stamp == stamp ? before : Self.read(path, stamp, before: before?.file)
        }
        loaded = fresh
    }

    /// Station files, and lists of other players. A CSV may be anything, so it is only read when it is imported.
    private static let readable: Set<StationFormat> = [.toml, .m3u, .pls, .xspf, .opml]

    private static func paths(of folder: String) -> [String] {
        Files.names(in: folder).filter { !$0.hasPrefix(".") && isReadable($0) }.prefix(mostFiles)
            .map { folder + "/" + $0 }
    }

    private static func isReadable(_ name: String) -> Bool {
        StationFormat(fileName: name).map(readable.contains) ?? false
    }

    private static func read(_ path: String, _ stamp: Files.Stamp, before: StationFile?) -> Loaded {
        var file = StationFile()
        do throws(SystemError) {
            let text = try Files.read(path, limit: longestFile)
            file =
                path.hasSuffix(".toml")
                ? StationFile.parse(text, file: path) : StationFile(list: text, file: path)
        } catch {
            file.problems = [TOMLError(file: path, message: "cannot be read: \(error)")]
        }
        if !file.problems.isEmpty, let before { file.keep(missingFrom: before) }
        return Loaded(stamp: stamp, file: file)
    }

    /// Of two stations with one id in different folders the later wins, at the place of the first.
    var stations: [CatalogueStation] {
        var stations: [CatalogueStation] = []
        var numbers: [String: Int] = [:]
        for path in order {
            for item in loaded[path]?.file.items ?? [] {
                let station = CatalogueStation(item.entry, origin: .file(path, line: item.line))
                if let number = numbers[station.id] {
                    stations[number] = station
                } else {
                    numbers[station.id] = stations.count
                    stations.append(station)
                }
            }
        }
        return stations
    }

    /// Mistakes in the files, and ids that two files of one folder both use.
    var problems: [TOMLError] {
        order.flatMap { loaded[$0]?.file.problems ?? [] } + folders.flatMap(twins)
    }

    private func twins(in folder: String) -> [TOMLError] {
        var first: [String: String] = [:]
        var problems: [TOMLError] = []
        for path in order
        where path.hasPrefix(folder + "/") && !path.dropFirst(folder.count + 1).contains("/") {
            for item in loaded[path]?.file.items ?? [] {
                guard let other = first.updateValue(path, forKey: item.entry.id) else { continue }
                problems.append(
                    TOMLError(
                        file: path, position: TOMLPosition(line: item.line, column: 1), key: "station.id",
                        message:
                            "\"\(item.entry.id)\" is also in \(other); the later file wins, so rename one"))
            }
        }
        return problems
    }
}

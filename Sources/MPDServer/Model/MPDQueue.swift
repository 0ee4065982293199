/// The queue: the list of stations that next and previous walk. Pure.
///
/// Each station stands in it once, under a number that stays the same for as long as it does; every change raises the
/// version, and every entry knows the version in which it last came to its place.
struct MPDQueue: Sendable, Hashable {
    struct Item: Sendable, Hashable {
        let number: Int
        var entry: MPDEntry
        fileprivate(set) var changed: Int
    }

    private(set) var items: [Item] = []
    private(set) var version = 1
    private var nextNumber = 1

    /// As many as a queue may hold.
    static let limit = 20_000

    var entries: [MPDEntry] { items.map(\.entry) }

    func place(ofStation id: String) -> Int? { items.firstIndex { $0.entry.id == id } }
    func place(ofNumber number: Int) throws(MPDFailure) -> Int {
        guard let place = items.firstIndex(where: { $0.number == number }) else { throw .noSong }
        return place
    }

    /// Takes another list in place of this one; stations that stay keep their numbers.
    mutating func replace(with entries: [MPDEntry]) {
        let old = Dictionary(items.map { ($0.entry.id, $0.number) }, uniquingKeysWith: { first, _ in first })
        var seen: Set<String> = []
        let fresh = entries.filter { seen.insert($0.id).inserted }.prefix(Self.limit)
        rebuild(fresh.map { (old[$0.id], $0) })
    }

    /// Puts a station at the end, or at a place; one that is there already stays where it is. Its number.
    mutating func add(_ entry: MPDEntry, at place: Int? = nil) throws(MPDFailure) -> Int {
        if let present = self.place(ofStation: entry.id) { return items[present].number }
        guard items.count < Self.limit else { throw MPDFailure(.playlistMax, "Playlist is too large") }
        if let place, !(0...items.count).contains(place) { throw .badIndex }
        let number = nextNumber
        nextNumber += 1
        items.insert(Item(number: number, entry: entry, changed: 0), at: place ?? items.count)
        touch(from: place ?? items.count - 1)
        return number
    }

    mutating func remove(_ range: Range<Int>) {
        items.removeSubrange(range)
        touch(from: range.lowerBound)
    }

    mutating func move(_ range: Range<Int>, to place: Int) throws(MPDFailure) {
        guard place >= 0, place + range.count <= items.count else { throw .badIndex }
        let moved = Array(items[range])
        items.removeSubrange(range)
        items.insert(contentsOf: moved, at: place)
        touch(from: min(range.lowerBound, place))
    }

    mutating func swap(_ one: Int, _ other: Int) throws(MPDFailure) {
        guard items.indices.contains(one), items.indices.contains(other) else { throw .badIndex }
        items.swapAt(one, other)
        version += 1
        items[one].changed = version
        items[other].changed = version
    }

    mutating func shuffle(_ range: Range<Int>, using random: inout some RandomNumberGenerator) {
        items[range].shuffle(using: &random)
        touch(from: range.lowerBound)
    }

    /// What is told of a station is another now: its title.
    mutating func retitled(_ place: Int?) {
        version += 1
        if let place, items.indices.contains(place) { items[place].changed = version }
    }

    private mutating func rebuild(_ entries: [(number: Int?, entry: MPDEntry)]) {
        let before = items
        version += 1
        items = entries.enumerated().map { place, wanted in
            if let number = wanted.number, before.indices.contains(place),
                before[place].number == number, before[place].entry == wanted.entry
            {
                return before[place]
            }
            defer { if wanted.number == nil { nextNumber += 1 } }
            return Item(number: wanted.number ?? nextNumber, entry: wanted.entry, changed: version)
        }
    }

    private mutating func touch(from place: Int) {
        version += 1
        for index in items.indices.dropFirst(max(0, place)) { items[index].changed = version }
    }
}
